import type { Seconds } from '../../core/clock.ts'
import type { Metadata } from '../model.ts'
import type { DocumentInfo } from '../ports.ts'

export interface PutDocumentRequest {
  readonly path: string
  readonly persona: string
  /** Kept as it is. */
  readonly content: string
  /** What is read of it: the content without characters that nobody sees. */
  readonly text: string
  readonly contentType: string
  readonly metadata: Metadata | null
  /** When this version was written; absent or null: now. */
  readonly occurredAt?: Seconds | null
}

export interface DocumentListRequest {
  readonly persona: string
  readonly prefix: string
  readonly limit: number
  /** The path after which the page begins. */
  readonly after: string | null
}

export interface DocumentList {
  readonly documents: readonly DocumentInfo[]
  /** Null on the last page. */
  readonly nextAfter: string | null
}
