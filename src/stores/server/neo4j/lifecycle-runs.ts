import type { LifecycleStore } from '../../../memory/ports.ts'
import { runsKept } from '../../../memory/rules.ts'
import type { Neo4j } from './connection.ts'
import { number, text } from './values.ts'

const queries = {
  lastRun: 'MATCH (r:LifecycleRun {id: $id}) RETURN r.at AS at',
  recordRun: `MERGE (r:LifecycleRun {id: $id})
    SET r.at = $at, r.runs = ([$run] + coalesce(r.runs, []))[..${runsKept}]`,
  runs: 'MATCH (r:LifecycleRun {id: $id}) UNWIND coalesce(r.runs, []) AS run RETURN run',
} as const

export const runId = (namespace: string, persona: string | null) => JSON.stringify([namespace, persona])

/** When lifecycle runs happened, in Neo4j beside what they changed. */
export function createNeo4jLifecycleRuns(
  neo4j: Neo4j,
): Pick<LifecycleStore, 'lastRun' | 'recordRun' | 'runs'> {
  return {
    async lastRun(namespace, persona) {
      const [row] = await neo4j.read(queries.lastRun, { id: runId(namespace, persona) })
      return row === undefined ? null : number(row, 'at')
    },
    async recordRun(namespace, persona, run) {
      const id = runId(namespace, persona)
      await neo4j.write(queries.recordRun, { id, at: run.at, run: JSON.stringify(run) })
    },
    runs: async (namespace, persona) =>
      (await neo4j.read(queries.runs, { id: runId(namespace, persona) })).map((row) =>
        JSON.parse(text(row, 'run')),
      ),
  }
}
