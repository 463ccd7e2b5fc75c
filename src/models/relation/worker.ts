import { workerData } from 'node:worker_threads'
import { serve } from '../../core/worker-serve.ts'
import type { RelationChances, StatementPair } from '../../memory/ports.ts'
import { openJudge } from '../reader/judge.ts'

const { threads } = workerData as { readonly threads: number }
const judge = await openJudge(threads)

serve<readonly StatementPair[]>(async (pairs, isCancelled) => {
  const result: RelationChances[] = []
  for (const pair of pairs) if (!isCancelled()) result.push(await judge(pair))
  return result
})
