import { mem0Routes } from '../compat/mem0/routes.ts'
import type { Route } from '../route.ts'
import {
  createKey,
  eraseAccount,
  exportAccount,
  listKeys,
  patchAccount,
  revokeKey,
  rotateKey,
} from './admin.ts'
import { deleteDocument, getDocument, listDocuments, putDocument } from './documents.ts'
import { exportTexts } from './export.ts'
import { extract } from './extract.ts'
import { graph, listEntities } from './graph.ts'
import { health } from './health.ts'
import { claudeCodeHook, codexHook } from './hooks.ts'
import { ingest, ingestBatch, known } from './ingest.ts'
import { consolidate, lifecycle, prune, stats } from './lifecycle.ts'
import { deleteMemory, forget, getMemory, listMemories, memoryHistory, patchMemory } from './memories.ts'
import { profile } from './profile.ts'
import { graphQa, retrieve } from './retrieve.ts'
import { usage } from './usage.ts'

/** The routes of the API reference, in its order. */
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
  patchMemory,
  deleteMemory,
  forget,
  extract,
  listEntities,
  graph,
  profile,
  lifecycle,
  usage,
  known,
  exportTexts,
  claudeCodeHook,
  codexHook,
  putDocument,
  getDocument,
  deleteDocument,
  listDocuments,
  createKey,
  listKeys,
  rotateKey,
  revokeKey,
  patchAccount,
  eraseAccount,
  exportAccount,
]

/** Every JSON route: also those that speak the language of another service, which are no part of the reference. */
export const everyRoute: readonly Route[] = [...routes, ...mem0Routes]
