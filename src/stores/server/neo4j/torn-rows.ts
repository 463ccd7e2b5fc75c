/**
 * A row without a value that every record has. Neo4j shows what is committed at each step of a query: who goes away
 * between the look-up and the reading of its properties comes back without them. The next reading meets it gone.
 */
export class TornRow extends TypeError {}

/** A record that is torn as often as this is broken, not gone. */
const mostReadings = 4

/** Reads again what came back torn. What is done twice must be a reading, or a transaction that was rolled back. */
export async function untorn<T>(read: () => Promise<T>): Promise<T> {
  for (let readings = 1; ; readings += 1) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof TornRow) || readings === mostReadings) throw error
    }
  }
}

type Methods<S> = { readonly [Name in keyof S]: (...given: never[]) => unknown }

/** A store whose methods are called again for a torn row: none of them reads rows after a commit of its own. */
export function withoutTornRows<S extends Methods<S>>(store: S): S {
  const again = Object.entries(store).map(([name, method]) => {
    const call = method as (...given: unknown[]) => Promise<unknown>
    return [name, (...given: unknown[]) => untorn(() => call(...given))]
  })
  return Object.fromEntries(again)
}
