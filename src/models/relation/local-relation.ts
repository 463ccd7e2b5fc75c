import { openWorkerClient } from '../../core/worker-client.ts'
import '../reader/no-telemetry.ts'
import type { AnswerReader, RelationChances, StatementPair, StatementRelation } from '../../memory/ports.ts'

/** What the thread is asked: two statements, for a search or while storing, or a question and texts, together or, with `surely`, one by one. */
export type PairRequest =
  | (StatementPair & { readonly isSearch?: true })
  | { readonly question: string; readonly texts: readonly string[]; readonly surely?: number }

export type LocalRelation = StatementRelation & AnswerReader & { close(): Promise<void> }

/** The pair model in a thread of this process. Resolves when it can judge; rejects when a model file is damaged. */
export async function createLocalRelation({ threads = 1 } = {}): Promise<LocalRelation> {
  const thread = await openWorkerClient<PairRequest, RelationChances | readonly number[]>({
    script: new URL('./worker.ts', import.meta.url),
    workerData: { threads },
    unavailable: 'models_loading',
    closed: 'shutting_down',
    endsItself: true,
  })
  return {
    judge: (pairs, signal) =>
      Promise.all(pairs.map((pair) => thread.call(pair, { signal }) as Promise<RelationChances>)),
    answers: (question, texts, signal) =>
      thread.call({ question, texts }, { signal }) as Promise<readonly number[]>,
    answersUntil: (surely, question, texts, signal) =>
      thread.call({ question, texts, surely }, { signal }) as Promise<readonly number[]>,
    async outdates(pair, signal) {
      const chances = (await thread.call({ ...pair, isSearch: true }, { signal })) as RelationChances
      return chances.replaces + chances.ends
    },
    close: () => thread.close(),
  }
}
