import { workerData } from 'node:worker_threads'
import { serve } from '../../core/worker-serve.ts'
import { openJudge } from '../reader/judge.ts'
import type { PairRequest } from './local-relation.ts'

const { threads } = workerData as { readonly threads: number }
const judge = await openJudge(threads)

serve<PairRequest>(
  (asked) => ('question' in asked ? judge.answers(asked.question, asked.texts) : judge.relate(asked)),
  // Somebody waits for a search; a pair of statements is judged while storing.
  (asked) => 'question' in asked || asked.isSearch === true,
)
