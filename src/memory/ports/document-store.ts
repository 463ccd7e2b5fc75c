import type { Seconds } from '../../core/clock.ts'
import type { Namespace } from '../../core/ids.ts'
import type { Metadata } from '../model.ts'

/** A document as it was sent. */
export interface Document {
  readonly path: string
  readonly content: string
  readonly contentType: string
  readonly metadata: Metadata | null
  /** Of the content in UTF-8. */
  readonly bytes: number
  /** Another content, type or metadata has another one. */
  readonly etag: string
  readonly createdAt: Seconds
  readonly updatedAt: Seconds
}

export type DocumentInfo = Omit<Document, 'content'>

export interface DocumentPage {
  readonly prefix: string
  /** The path after which the page begins; null: at the first. */
  readonly after: string | null
  readonly limit: number
}

/** Documents of a namespace, by persona and path. The journal writes and removes them. Rules DS1 to DS3 in docs/ports/memory.md. */
export interface DocumentStore {
  get(namespace: Namespace, persona: string, path: string): Promise<Document | null>
  /** By path, in the order of its code points. */
  list(namespace: Namespace, persona: string, page: DocumentPage): Promise<readonly DocumentInfo[]>
  /** Null: of every persona. What was read from them is not touched. Says how many. */
  forget(namespace: Namespace, persona: string | null): Promise<number>
}
