import { openWorkerClient } from '../../core/worker-client.ts'
import '../reader/no-telemetry.ts'
import type { RelationChances, StatementPair, StatementRelation } from '../../memory/ports.ts'

/** The pair model in a thread of this process. Resolves when it can judge; rejects when a model file is damaged. */
export async function createLocalRelation({
  threads = 1,
} = {}): Promise<StatementRelation & { close(): Promise<void> }> {
  const thread = await openWorkerClient<readonly StatementPair[], readonly RelationChances[]>({
    script: new URL('./worker.ts', import.meta.url),
    workerData: { threads },
    unavailable: 'models_loading',
    closed: 'shutting_down',
    endsItself: true,
  })
  return {
    judge: async (pairs, signal) => (pairs.length === 0 ? [] : thread.call(pairs, { signal })),
    close: () => thread.close(),
  }
}
