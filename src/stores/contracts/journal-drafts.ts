import { createHash, randomUUID } from 'node:crypto'
import {
  asChunkId,
  asItemId,
  asNamespace,
  asRelationshipId,
  type ChunkId,
  type Namespace,
  type RelationshipId,
} from '../../core/ids.ts'
import { normalize, type Vector } from '../../core/vectors.ts'
import type { EntityType, Metadata, Source } from '../../memory/model.ts'
import type {
  EntityDraft,
  FactDraft,
  ItemWrite,
  LifecycleRun,
  MemoryStores,
  NearChunk,
  TokenVectors,
} from '../../memory/ports.ts'
import { slotOf } from '../../memory/slots.ts'

/** An empty store. */
export type OpenStores = () => Promise<MemoryStores & { close(): Promise<void> }>

/** Runs a test on an empty store and two namespaces. */
export async function withStores(
  open: OpenStores,
  run: (stores: MemoryStores, namespace: Namespace, other: Namespace) => Promise<void>,
): Promise<void> {
  const stores = await open()
  try {
    await run(stores, asNamespace(`mine-${randomUUID()}`), asNamespace(`other-${randomUUID()}`))
  } finally {
    await stores.close()
  }
}

const dimensions = 384

/** A vector of length 1 with these first values, in the dimensions of the default model. */
export function unit(...values: readonly number[]): Vector {
  const vector = new Float32Array(dimensions)
  vector.set(values)
  return normalize(vector)
}

/** Token vectors with these directions: each row is one of 64 axes. */
export function tokensOf(...axes: readonly number[]): TokenVectors {
  const codes = new Int8Array(axes.length * 64)
  for (const [row, axis] of axes.entries()) codes[row * 64 + axis] = 127
  return { count: axes.length, codes }
}

function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}

export const chunkId = (name: string): ChunkId => asChunkId(uuidOf(`chunk ${name}`))
export const factId = (name: string): RelationshipId => asRelationshipId(uuidOf(`fact ${name}`))

interface FactTold {
  /** Names the fact in `factId`; the item's own name when absent. */
  readonly name?: string
  readonly subject?: string
  readonly relation?: string
  readonly object: string
  /** The one of the relation and object when absent. */
  readonly slot?: string
  readonly negated?: boolean
  readonly ended?: boolean
  readonly base?: number
  readonly text?: string
  readonly vector?: Vector
}

interface ItemTold {
  /** Names the item's chunk in `chunkId`; the text itself when absent. */
  readonly name?: string
  readonly persona?: string
  readonly session?: string | null
  readonly source?: Source
  readonly at?: number
  readonly base?: number
  readonly vector?: Vector
  readonly metadata?: Metadata | null
  readonly facts?: readonly FactTold[]
  readonly links?: ItemWrite['links']
  /** Of the first chunk. */
  readonly tokens?: TokenVectors
  readonly entities?: readonly Partial<EntityDraft>[]
  /** Further chunks of the same item. */
  readonly more?: readonly { readonly name: string; readonly text: string; readonly vector: Vector }[]
}

/** The time of items that say none. */
export const start = 1_000_000

/** An item with one chunk, or several, and the facts it tells. */
export function item(text: string, told: ItemTold = {}): ItemWrite {
  const name = told.name ?? text
  const vector = told.vector ?? unit(1)
  const createdAt = told.at ?? start
  const shared = {
    itemId: asItemId(uuidOf(`item ${name}`)),
    persona: told.persona ?? 'shared',
    sessionId: told.session ?? null,
    source: told.source ?? 'user',
    metadata: told.metadata ?? null,
    createdAt,
  }
  const pieces = [{ name, text, vector }, ...(told.more ?? [])]
  return {
    ...shared,
    textHash: createHash('sha256').update(text).digest('hex'),
    entities: (told.entities ?? []).map((draft) => entityDraft(draft, vector)),
    facts: (told.facts ?? []).map((fact) => factDraft(fact, name, text, vector)),
    chunks: pieces.map((piece, at) => ({
      ...shared,
      tokens: at === 0 ? (told.tokens ?? null) : null,
      id: chunkId(piece.name),
      speaker: null,
      text: piece.text,
      start: 0,
      end: piece.text.length,
      vector: piece.vector,
      base: told.base ?? 1,
      lastAccessAt: createdAt,
      accessCount: 0,
      pinned: false,
    })),
    links: told.links ?? [],
  }
}

function entityDraft(draft: Partial<EntityDraft>, vector: Vector): EntityDraft {
  const key = draft.key ?? 'user'
  const type: EntityType = 'thing'
  return { key, name: key, type, aliases: [], vector, ...draft }
}

function factDraft(fact: FactTold, name: string, text: string, vector: Vector): FactDraft {
  const relation = fact.relation ?? 'lives_in'
  const subjectKey = fact.subject ?? 'user'
  return {
    id: factId(fact.name ?? name),
    chunkId: chunkId(name),
    subjectKey,
    relation,
    objectKey: fact.object,
    slot: fact.slot ?? slotOf(relation, fact.object),
    negated: fact.negated ?? false,
    ended: fact.ended ?? false,
    fact: fact.text ?? `${subjectKey} ${relation.replaceAll('_', ' ')} ${fact.object}`,
    evidence: text,
    extraction: 0.9,
    base: fact.base ?? 1,
    when: null,
    vector: fact.vector ?? vector,
  }
}

/** Every memory of a namespace, for counting and removing. */
export const everything = { ids: null, persona: null, sessionId: null }

export const anyFilter = { persona: null, sessionId: null, source: null, since: null, until: null }

export const day = 86_400

/** What most questions of the contract ask. */
export const aQuestion = { vector: unit(1), terms: [], personas: null, nearest: 10, lexical: 10 }

export const textsOf = (hits: readonly NearChunk[]) => hits.map(({ chunk }) => chunk.text).sort()

/** What has faded after a week. */
export const aFadedQuery = { persona: null, threshold: 0.5, halfLifeDays: 7, now: start + 7 * day }

/** A run that did something of everything. */
export const aRun = (at: number): LifecycleRun => ({
  ...{
    at,
    automatic: true,
    reinforced: 1,
    decayed: 2,
    pruned: 3,
    heldBack: 4,
    compressed: 5,
    abstractions: 6,
  },
})
