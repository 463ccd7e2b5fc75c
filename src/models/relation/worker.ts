import { workerData } from 'node:worker_threads'
import { stepBack } from '../../core/thread-priority.ts'
import { serve } from '../../core/worker-serve.ts'
import { openJudge } from '../reader/judge.ts'
import { openReading } from '../reader/reading.ts'
import { openTokenizer } from '../reader/tokenizer.ts'
import type { PairRequest } from './local-relation.ts'

stepBack()
const { threads } = workerData as { readonly threads: number }
const tokenizer = await openTokenizer()
const [judge, reading] = await Promise.all([openJudge(tokenizer, threads), openReading(tokenizer, threads)])

serve<PairRequest>(
  (asked) => ('question' in asked ? reading(asked.question, asked.texts) : judge(asked)),
  // Somebody waits for a search; a pair of statements is judged while storing.
  (asked) => 'question' in asked || asked.isSearch === true,
)
