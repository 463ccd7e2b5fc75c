import { workerData } from 'node:worker_threads'
import { stepBack } from '../../core/thread-priority.ts'
import { type Steps, serve } from '../../core/worker-serve.ts'
import { openJudge } from '../reader/judge.ts'
import { openReading } from '../reader/reading.ts'
import { openTokenizer, remembering } from '../reader/tokenizer.ts'
import { openWordVectors } from '../reader/word-vectors.ts'
import type { PairRequest } from './local-relation.ts'

stepBack()
const { threads } = workerData as { readonly threads: number }
const [ownTokenizer, wordVectors] = await Promise.all([openTokenizer(), openWordVectors(threads)])
const tokenizer = remembering(ownTokenizer)
const [judge, reading] = await Promise.all([
  openJudge(tokenizer, wordVectors, threads),
  openReading(tokenizer, wordVectors, threads),
])

/** What is read or judged together is one step; each text that is read alone is one. */
async function* answer(asked: PairRequest): Steps {
  if (!('question' in asked)) return judge(asked)
  const { question, texts, surely } = asked
  if (surely === undefined) return reading(question, texts)
  const chances: number[] = []
  for (const text of texts) {
    if (chances.some((chance) => chance >= surely)) break
    if (chances.length > 0) yield
    chances.push(...(await reading(question, [text])))
  }
  return chances
}

serve<PairRequest>(
  answer,
  // Somebody waits for a search; a pair of statements is judged while storing.
  (asked) => 'question' in asked || asked.isSearch === true,
)
