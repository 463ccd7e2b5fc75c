import { LRUCache } from 'lru-cache'
import type { Clock, Seconds } from '../core/clock.ts'
import type { Namespace } from '../core/ids.ts'
import { type Entity, type EntityType, withShared } from './model.ts'
import type { ExtractedEntity, GraphStore } from './ports.ts'

/** The canonical key of the person whose memory it is. */
export const userKey = 'user'

const determiners = /^(?:(?:the|a|an|this|that|these|those|some)\s+)+(?=\S)/
const companySuffix =
  /[\s,]+(?:inc|incorporated|ltd|limited|llc|llp|plc|corp|corporation|co|company|gmbh|ag|kg|se|s\.?a|s\.?r\.?l|b\.?v|n\.?v|oy|ab|pty)\.?$/

/** Longer names are no names; the bound keeps keys indexable. */
const longestKey = 200

/**
 * The canonical form of a name, unique per namespace: NFKC, lower case, one space, without determiners, company
 * suffixes and surrounding marks. Possessives stay: `user's sister` is not `user`. Empty for a name without letters or digits.
 */
export function canonicalKey(name: string): string {
  const plain = name.normalize('NFKC').toLowerCase().replace(/[‘’ʼ]/g, "'").replace(/\s+/g, ' ')
  const bare = plain.replace(/^[^\p{L}\p{N}$€£+@#<]+|[^\p{L}\p{N}%)+#>]+$/gu, '').replace(determiners, '')
  const short = bare.replace(companySuffix, '')
  const key = short === '' ? bare : short
  return /[\p{L}\p{N}]/u.test(key) ? key.slice(0, longestKey).trim() : ''
}

/** `my sister` as said by the user, or by a named speaker, is somebody's sister; other aliases are names. */
export function aliasKey(alias: string, speaker: string | null): string {
  const key = canonicalKey(alias)
  const owned = /^(?:my|our)\s+(.+)$/.exec(key)
  if (!owned) return key
  const owner = speaker === null ? userKey : canonicalKey(speaker)
  return `${owner}'s ${owned[1]}`
}

/** A name of the text, and the node of the graph that it stands for. */
export interface ResolvedEntity {
  /** The canonical form of the name as the text has it. */
  readonly said: string
  readonly key: string
  readonly name: string
  readonly type: EntityType
  readonly aliases: readonly string[]
  /** The node when there is one already: its vector need not be made again. */
  readonly known: Entity | null
}

/** Where names were said. */
export interface NameContext {
  readonly speaker: string | null
  /** Null: in no persona alone, so that no full name joins a bare first name. */
  readonly persona: string | null
}

export interface EntityResolver {
  /** One per entity with a usable name, in order; two names of one node come out with the same key. */
  resolve(
    namespace: Namespace,
    entities: readonly ExtractedEntity[],
    context: NameContext,
  ): Promise<readonly ResolvedEntity[]>
  /** Forgets what was looked up, of these names or of all: called when entities were added, renamed or removed. */
  invalidate(namespace: Namespace, names?: readonly string[]): void
}

/** How long a looked-up name is believed: another process may have changed the graph meanwhile. */
const believedSeconds: Seconds = 30
/** And a name that nothing goes by: long enough for an item that was read ahead to be stored. */
const absentSeconds: Seconds = 5
const namesKept = 5_000

/**
 * Finds the nodes that names stand for, with a cache of recent lookups. A name is, in this order: a node's own key;
 * the alias of exactly one node (a first name belongs to the only person who has it); for a person's full name, the
 * node of the bare first name that this persona speaks of, when nobody else goes by it; a new node. What another persona
 * calls somebody leads nowhere: an alias counts where this persona, or what is shared, speaks of the node.
 */
export function createEntityResolver(
  graph: Pick<GraphStore, 'entitiesNamed' | 'expand'>,
  clock: Clock,
): EntityResolver {
  const cache = new LRUCache<string, readonly Entity[]>({
    max: namesKept,
    ttl: believedSeconds * 1_000,
    ttlResolution: 0,
    perf: { now: () => clock.now() * 1_000 },
  })
  const slot = (namespace: Namespace, key: string) => `${namespace}\u0000${key}`
  /** Lookups on their way. What changes in their namespace meanwhile may not be in the answer. */
  const underway = new Set<{ readonly namespace: Namespace; isFresh: boolean }>()

  const lookUp = async (
    namespace: Namespace,
    keys: readonly string[],
  ): Promise<(key: string) => readonly Entity[]> => {
    const known = new Map(keys.map((key) => [key, cache.get(slot(namespace, key))]))
    const unknown = keys.filter((key) => known.get(key) === undefined)
    if (unknown.length > 0) {
      const lookup = { namespace, isFresh: true }
      underway.add(lookup)
      const found = await graph.entitiesNamed(namespace, unknown).finally(() => underway.delete(lookup))
      for (const key of unknown) {
        const entities = found.filter((entity) => entity.key === key || entity.aliases.includes(key))
        known.set(key, entities)
        const ttl = (entities.length > 0 ? believedSeconds : absentSeconds) * 1_000
        if (lookup.isFresh) cache.set(slot(namespace, key), entities, { ttl })
      }
    }
    return (key) => known.get(key) ?? []
  }

  const isSpokenOf = async (namespace: Namespace, { id }: Entity, personas: readonly string[]) => {
    const { edges } = await graph.expand(namespace, { entities: [id], personas, limit: 1 })
    return edges.length > 0
  }
  /** The nodes of a name that a persona may mean by it. Its own node is one, whoever speaks of it. */
  const meant = async (
    namespace: Namespace,
    { key }: ReadName,
    nodes: readonly Entity[],
    persona: string,
  ) => {
    if (nodes.every((node) => node.key === key)) return nodes
    const spoken = await Promise.all(nodes.map((node) => isSpokenOf(namespace, node, withShared(persona))))
    const known = nodes.filter((_, at) => spoken[at])
    return known.length > 0 ? known : nodes.filter((node) => node.key === key)
  }

  return {
    resolve: async (namespace, entities, { speaker, persona }) => {
      const names = entities.map((entity) => readName(entity, speaker)).filter(({ key }) => key !== '')
      const nodesOf = await lookUp(namespace, [
        ...new Set(names.flatMap(({ key, aliases }) => [key, ...aliases])),
      ])
      const settled = await Promise.all(
        names.map(async (name) => {
          const bare = persona === null ? null : bareNode(name, names, nodesOf)
          const joins = bare !== null && persona !== null && (await isSpokenOf(namespace, bare, [persona]))
          if (joins) return joined(name, bare)
          const nodes = nodesOf(name.key)
          return settleName(name, persona === null ? nodes : await meant(namespace, name, nodes, persona))
        }),
      )
      return settled.map((entity, at) => fullNameOf(at, names, settled) ?? entity)
    },
    invalidate: (namespace, names) => {
      if (names?.length === 0) return
      for (const lookup of underway) if (lookup.namespace === namespace) lookup.isFresh = false
      const isOurs = (key: string) => key.startsWith(slot(namespace, ''))
      const stale = names?.map((name) => slot(namespace, name)) ?? [...cache.keys()].filter(isOurs)
      for (const key of stale) cache.delete(key)
    },
  }
}

interface ReadName {
  readonly key: string
  readonly name: string
  readonly type: EntityType
  readonly aliases: readonly string[]
  /** Of a person's full name, its first word. */
  readonly firstName: string | null
  /** Canonical forms of what the text says it is called. */
  readonly called: readonly string[]
}

function readName(entity: ExtractedEntity, speaker: string | null): ReadName {
  const key = canonicalKey(entity.name)
  const said = entity.aliases.map((alias) => aliasKey(alias, speaker))
  const isFull = entity.type === 'person' && /^\p{L}[\p{L}\p{M}'-]+ \p{L}/u.test(key) && !key.includes("'s ")
  const firstName = isFull ? (key.split(' ')[0] ?? null) : null
  const aliases = firstName === null ? said : [...said, firstName]
  return {
    firstName,
    key,
    called: (entity.called ?? []).map(canonicalKey),
    name: entity.name.trim(),
    type: entity.type,
    aliases: [...new Set(aliases)].filter((alias) => alias !== '' && alias !== key && alias !== userKey),
  }
}

/** The names by which nodes can be found that could not before: of new nodes, and new ones of known nodes. */
export function newNames(entities: readonly ResolvedEntity[]): readonly string[] {
  return entities.flatMap(({ key, aliases, known }) =>
    known === null ? [key, ...aliases] : aliases.filter((alias) => !known.aliases.includes(alias)),
  )
}

/**
 * The node of the bare first name that a new full name may be about: a person of whom no full name is known. Null when
 * anybody else goes by that first name, in the graph or in the same text.
 */
function bareNode(
  { key, firstName }: ReadName,
  names: readonly ReadName[],
  nodesOf: (key: string) => readonly Entity[],
): Entity | null {
  if (firstName === null || nodesOf(key).length > 0) return null
  const namesakes = names.filter((name) => name.firstName === firstName && name.key !== key)
  const [node, ...others] = nodesOf(firstName)
  if (node === undefined || others.length > 0 || namesakes.length > 0) return null
  const isBare = node.key === firstName && !node.aliases.some((alias) => alias.startsWith(`${firstName} `))
  return isBare && node.type === 'person' ? node : null
}

/** A new first name that one full name of the same text begins with stands for that person. */
function fullNameOf(
  at: number,
  names: readonly ReadName[],
  settled: readonly ResolvedEntity[],
): ResolvedEntity | null {
  const [bare, own] = [names[at], settled[at]]
  if (bare === undefined || bare.type !== 'person' || own?.known !== null) return null
  const [full, ...others] = settled.filter((_, index) => names[index]?.firstName === bare.key)
  return full === undefined || others.length > 0 ? null : { ...full, said: bare.key }
}

/** A full name as a further name of a node. What this text says of it is told under the full name. */
function joined({ key, name, aliases }: ReadName, node: Entity): ResolvedEntity {
  const known = [...new Set([...node.aliases, ...aliases, key])].filter((alias) => alias !== node.key)
  return { said: key, key: node.key, name, type: node.type, aliases: known, known: node }
}

/**
 * First its own node, then the only node that goes by this name; `user's sister` may also lead to a named one, unless the
 * text says that she is called otherwise.
 */
function settleName(name: ReadName, nodes: readonly Entity[]): ResolvedEntity {
  const own = nodes.find((node) => node.key === name.key)
  const only = nodes.length === 1 ? nodes[0] : undefined
  const known = own ?? (only !== undefined && mayBe(only, name.called) ? only : null)
  if (known === null) {
    const { firstName: _, called: __, ...draft } = name
    return { ...draft, said: name.key, known: null }
  }
  const aliases = [...new Set([...known.aliases, ...name.aliases])].filter((alias) => alias !== known.key)
  return { said: name.key, key: known.key, name: known.name, type: known.type, aliases, known }
}

/** Whether a node goes by all of these names, or by the first words of them. */
function mayBe({ key, aliases }: Entity, called: readonly string[]): boolean {
  const goesBy = [key, ...aliases]
  return called.every((name) =>
    goesBy.some((one) => `${one} `.startsWith(`${name} `) || `${name} `.startsWith(`${one} `)),
  )
}
