import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface RequestFacts {
  readonly method: string
  /** The route's pattern, never the address itself: no ids or account names become labels. */
  readonly route: string
  readonly status: number
  readonly seconds: number
}

/** What pruning deleted. */
interface Pruned {
  readonly relations: number
  readonly chunks: number
  readonly orphanedEntities: number
}

/** Values by the label's. */
type Each = Readonly<Record<string, number>>

/** What is counted, for Prometheus. */
export interface Metrics {
  request(facts: RequestFacts): void
  charged(ops: number): void
  refunded(ops: number): void
  /** One call of a model or a store took so long. */
  stage(stage: string, seconds: number): void
  pruned(removed: Pruned): void
  /** Values that are read when somebody looks. */
  watch(name: string, help: string, read: () => number | Promise<number>): void
  /** The same for several things, told apart by a label. */
  watchEach(name: string, help: string, label: string, read: () => Each | Promise<Each>): void
  text(): Promise<string>
  readonly contentType: string
}

/** Request times worth telling apart: a health check is about a millisecond, a big batch minutes. */
const buckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120]
/** A store in this process answers in less than a millisecond, a language model in half a minute. */
const stageBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30]

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
  const stages = new Histogram({
    name: 'memoryd_stage_seconds',
    help: 'Time of one call to a model or a store, waiting for its turn included',
    labelNames: ['stage'],
    buckets: stageBuckets,
    registers,
  })
  const pruned = new Counter({
    name: 'memoryd_pruned_total',
    help: 'Memories that faded unused and were deleted, by kind',
    labelNames: ['kind'],
    registers,
  })
  // From the start, so that the first deletion is an increase.
  for (const kind of ['relations', 'chunks', 'entities']) pruned.inc({ kind }, 0)
  return {
    request: ({ method, route, status, seconds }) => {
      requests.inc({ method, route, status })
      durations.observe({ method, route }, seconds)
    },
    charged: (ops) => charged.inc(ops),
    refunded: (ops) => refunded.inc(ops),
    stage: (stage, seconds) => stages.observe({ stage }, seconds),
    pruned: ({ relations, chunks, orphanedEntities }) => {
      pruned.inc({ kind: 'relations' }, relations)
      pruned.inc({ kind: 'chunks' }, chunks)
      pruned.inc({ kind: 'entities' }, orphanedEntities)
    },
    watch: (name, help, read) => {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await read())
        },
      })
    },
    watchEach: (name, help, label, read) => {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        async collect() {
          for (const [key, value] of Object.entries(await read())) this.set({ [label]: key }, value)
        },
      })
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
