import type { Metrics } from './metrics.ts'

/** The same port; how long each of its calls takes is counted under the stage. */
export function timed<Port extends object>(port: Port, stage: string, metrics: Metrics): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...given: readonly unknown[]): unknown => {
        const started = performance.now()
        const result: unknown = Reflect.apply(member, target, given)
        if (!(result instanceof Promise)) return result
        return result.finally(() => metrics.stage(stage, (performance.now() - started) / 1_000))
      }
    },
  })
}

/** The same group of ports, each under its own name. */
export function timedEach<Ports extends object>(ports: Ports, metrics: Metrics): Ports {
  const each = Object.entries(ports).map(([name, port]) => [name, timed(port, name, metrics)])
  return Object.fromEntries(each)
}
