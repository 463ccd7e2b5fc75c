import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface RequestFacts {
  readonly method: string
  /** The route's pattern, never the address itself: no ids or account names become labels. */
  readonly route: string
  readonly status: number
  readonly seconds: number
}

/** What is counted, for Prometheus. */
export interface Metrics {
  request(facts: RequestFacts): void
  charged(ops: number): void
  refunded(ops: number): void
  /** Values that are read when somebody looks. */
  watch(name: string, help: string, read: () => number): void
  text(): Promise<string>
  readonly contentType: string
}

/** Request times worth telling apart: a health check is about a millisecond, a big batch minutes. */
const buckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120]

export function createMetrics({ processMetrics = true }: { processMetrics?: boolean } = {}): Metrics {
  const registry = new Registry()
  const registers = [registry]
  if (processMetrics) collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'memoryd_http_requests_total',
    help: 'Requests answered',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'memoryd_http_request_seconds',
    help: 'Time from the head of a request to its reply',
    labelNames: ['method', 'route'],
    buckets,
    registers,
  })
  const charged = new Counter({
    name: 'memoryd_operations_charged_total',
    help: 'Operations taken from budgets',
    registers,
  })
  const refunded = new Counter({
    name: 'memoryd_operations_refunded_total',
    help: 'Operations given back',
    registers,
  })
  return {
    request: ({ method, route, status, seconds }) => {
      requests.inc({ method, route, status })
      durations.observe({ method, route }, seconds)
    },
    charged: (ops) => charged.inc(ops),
    refunded: (ops) => refunded.inc(ops),
    watch: (name, help, read) => {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read())
        },
      })
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
