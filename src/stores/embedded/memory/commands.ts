import { episodicReads, episodicWrites } from './episodic.ts'
import { graphReads } from './graph-reads.ts'
import { graphViewReads } from './graph-view.ts'
import { graphWrites } from './graph-writes.ts'
import { indexReads } from './index/indexes.ts'
import { keyedReads, keyedWrites } from './keyed.ts'
import { lifecycleReads, lifecycleWrites } from './lifecycle.ts'
import { remember } from './remember.ts'
import { vectorReads, vectorWrites } from './vectors.ts'
import { workingReads, workingWrites } from './working.ts'

/** What changes the memory. */
export const memoryWrites = {
  'journal.remember': remember,
  ...keyedWrites,
  ...episodicWrites,
  ...graphWrites,
  ...workingWrites,
  ...lifecycleWrites,
  ...vectorWrites,
}

/** What asks it. */
export const memoryReads = {
  ...keyedReads,
  ...episodicReads,
  ...graphReads,
  ...graphViewReads,
  ...workingReads,
  ...lifecycleReads,
  ...vectorReads,
  ...indexReads,
}
