import { episodicReads, episodicWrites } from './episodic.ts'
import { graphReads } from './graph-reads.ts'
import { graphWrites } from './graph-writes.ts'
import { lifecycleReads, lifecycleWrites } from './lifecycle.ts'
import { remember } from './remember.ts'
import { vectorReads, vectorWrites } from './vectors.ts'
import { workingReads, workingWrites } from './working.ts'

/** What changes the memory. */
export const memoryWrites = {
  'journal.remember': remember,
  ...episodicWrites,
  ...graphWrites,
  ...workingWrites,
  ...lifecycleWrites,
  ...vectorWrites,
}

/** What asks it. */
export const memoryReads = {
  ...episodicReads,
  ...graphReads,
  ...workingReads,
  ...lifecycleReads,
  ...vectorReads,
}
