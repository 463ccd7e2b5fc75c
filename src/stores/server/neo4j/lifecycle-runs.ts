import type { LifecycleStore } from '../../../memory/ports.ts'
import type { Neo4j } from './connection.ts'
import { number } from './values.ts'

const queries = {
  lastRun: 'MATCH (r:LifecycleRun {id: $id}) RETURN r.at AS at',
  recordRun: 'MERGE (r:LifecycleRun {id: $id}) SET r.at = $at',
} as const

export const runId = (namespace: string, persona: string | null) => JSON.stringify([namespace, persona])

/** When lifecycle runs happened, in Neo4j beside what they changed. */
export function createNeo4jLifecycleRuns(neo4j: Neo4j): Pick<LifecycleStore, 'lastRun' | 'recordRun'> {
  return {
    async lastRun(namespace, persona) {
      const [row] = await neo4j.read(queries.lastRun, { id: runId(namespace, persona) })
      return row === undefined ? null : number(row, 'at')
    },
    async recordRun(namespace, persona, at) {
      await neo4j.write(queries.recordRun, { id: runId(namespace, persona), at })
    },
  }
}
