import { openWorkerClient } from '../../core/worker-client.ts'
import '../reader/no-telemetry.ts'
import type { AnswerReader, RelationChances, StatementPair, StatementRelation } from '../../memory/ports.ts'

/** What the thread is asked: two statements, or a question and a text. */
export type PairRequest = StatementPair | { readonly question: string; readonly text: string }

export type LocalRelation = StatementRelation & AnswerReader & { close(): Promise<void> }

/** The pair model in a thread of this process. Resolves when it can judge; rejects when a model file is damaged. */
export async function createLocalRelation({ threads = 1 } = {}): Promise<LocalRelation> {
  const thread = await openWorkerClient<PairRequest, RelationChances | number>({
    script: new URL('./worker.ts', import.meta.url),
    workerData: { threads },
    unavailable: 'models_loading',
    closed: 'shutting_down',
    endsItself: true,
  })
  return {
    judge: (pairs, signal) =>
      Promise.all(pairs.map((pair) => thread.call(pair, { signal }) as Promise<RelationChances>)),
    answers: (question, text, signal) => thread.call({ question, text }, { signal }) as Promise<number>,
    close: () => thread.close(),
  }
}
