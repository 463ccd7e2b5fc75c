import { createHash } from 'node:crypto'
import type { Document } from '../ports.ts'

/** Another content, type or metadata has another one. */
export function etagOf({
  content,
  contentType,
  metadata,
}: Pick<Document, 'content' | 'contentType' | 'metadata'>): string {
  const hash = createHash('sha256').update(content).update('\u0000').update(contentType)
  return hash.update(JSON.stringify(metadata)).digest('hex').slice(0, 32)
}
