import type { Route } from '../route.ts'
import { createKey, listKeys, patchAccount, revokeKey, rotateKey } from './admin.ts'
import { health } from './health.ts'
import { ingest, ingestBatch } from './ingest.ts'
import { consolidate, prune, stats } from './lifecycle.ts'
import { deleteMemory, forget, getMemory, listMemories, memoryHistory } from './memories.ts'
import { graphQa, retrieve } from './retrieve.ts'

/** Every JSON route, in the order of the API reference. */
export const routes: readonly Route[] = [
  ingest,
  ingestBatch,
  retrieve,
  graphQa,
  consolidate,
  prune,
  stats,
  health,
  listMemories,
  getMemory,
  memoryHistory,
  deleteMemory,
  forget,
  createKey,
  listKeys,
  rotateKey,
  revokeKey,
  patchAccount,
]
