import { endsAsQuestion } from '../core/analyze.ts'
import type { Namespace } from '../core/ids.ts'
import { estimateTokens } from '../core/tokens.ts'
import { userKey } from './entities.ts'
import { withShared } from './model.ts'
import type { EpisodicStore, FoundChunk, FoundFact, GraphStore, GraphView } from './ports.ts'
import { isSuperseded } from './record.ts'
import type { ProfileEntry, ProfileReply, ProfileRequest } from './views.ts'

export interface ProfileParts {
  readonly graph: Pick<GraphStore, 'entitiesNamed'>
  readonly episodic: Pick<EpisodicStore, 'list'>
  readonly view: GraphView
}

/** More pinned memories, facts of the user and texts than a prompt has room for. */
const mostPinned = 200
const mostFacts = 1_000
const mostTexts = 50

const titles: Readonly<Record<ProfileEntry['section'], string>> = {
  pinned: 'To be kept in mind:',
  lasting: 'About the user:',
  recent: 'Recently told:',
}

/**
 * What is known of the user: what is pinned, then what there is one of (a name, a home), by slot so that the text stays the
 * same from call to call, then the newest of the rest. Nothing counts as accessed: asked for at every start, it would keep
 * everything from fading.
 */
export async function profile(
  parts: ProfileParts,
  namespace: Namespace,
  { persona, maxTokens }: ProfileRequest,
): Promise<ProfileReply> {
  const personas = persona === null ? null : withShared(persona)
  const [pinned, facts, texts] = await Promise.all([
    parts.view.pinned(namespace, personas, mostPinned),
    factsOfUser(parts, namespace, personas),
    textsWithoutFacts(parts, namespace, personas),
  ])
  const kept = pinned.chunks.filter((chunk) => !isSuperseded(chunk))
  const known = new Set<string>([...kept, ...pinned.facts].map(({ id }) => id))
  const told = new Set<string>(kept.map(({ id }) => id))
  const others = facts.filter(({ id, chunkId }) => !known.has(id) && !told.has(chunkId))
  const [lasting, rest] = [others.filter(isSingle), others.filter((fact) => !isSingle(fact))]
  const entries = [
    ...[...kept.map(ofChunk('pinned')), ...pinned.facts.map(ofFact('pinned'))].toSorted(newestFirst),
    ...lasting.toSorted(bySlot).map(ofFact('lasting')),
    ...[
      ...rest.map(ofFact('recent')),
      ...texts.filter(({ id }) => !known.has(id)).map(ofChunk('recent')),
    ].toSorted(newestFirst),
  ]
  return fitting(entries, maxTokens)
}

async function factsOfUser(
  { graph, view }: ProfileParts,
  namespace: Namespace,
  personas: readonly string[] | null,
): Promise<readonly FoundFact[]> {
  const user = (await graph.entitiesNamed(namespace, [userKey])).find(({ key }) => key === userKey)
  if (user === undefined) return []
  return view.edges(namespace, { entities: [user.id], personas, closed: false, perEntity: mostFacts })
}

/** What the user said and no fact tells; a question says nothing. */
async function textsWithoutFacts(
  { episodic }: ProfileParts,
  namespace: Namespace,
  personas: readonly string[] | null,
): Promise<readonly FoundChunk[]> {
  const filter = { sessionId: null, source: 'user' as const, since: null, until: null }
  const page = { after: null, limit: mostTexts }
  const found = await Promise.all(
    (personas ?? [null]).map((persona) => episodic.list(namespace, { ...filter, persona }, page)),
  )
  return found
    .flat()
    .filter((chunk) => chunk.factCount === 0 && !endsAsQuestion(chunk.text) && !isSuperseded(chunk))
}

/** Of what has this slot there is one at a time. */
const isSingle = ({ slot }: FoundFact) => !slot.includes('|')

const bySlot = (a: FoundFact, b: FoundFact) =>
  compared(a.slot, b.slot) || a.createdAt - b.createdAt || compared(a.id, b.id)

const compared = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)

const newestFirst = (a: ProfileEntry, b: ProfileEntry) => b.createdAt - a.createdAt || compared(a.id, b.id)

const ofChunk =
  (section: ProfileEntry['section']) =>
  ({ id, text, persona, source, createdAt }: FoundChunk): ProfileEntry => ({
    ...{ id, section, type: 'episodic', fact: text, persona, source, createdAt },
  })

const ofFact =
  (section: ProfileEntry['section']) =>
  ({ id, fact, persona, source, createdAt }: FoundFact): ProfileEntry => ({
    ...{ id, section, type: 'semantic', fact, persona, source, createdAt },
  })

/** As many as there is room for, in their order; what is too long gives way to what comes after it. */
function fitting(entries: readonly ProfileEntry[], maxTokens: number): ProfileReply {
  const taken: ProfileEntry[] = []
  const lines: string[] = []
  const said = new Set<string>()
  let used = 0
  let truncated = false
  for (const entry of entries) {
    const line = lineOf(entry)
    // Two personas may know the same.
    if (said.has(line)) continue
    const title = taken.at(-1)?.section === entry.section ? '' : `${titleOf(entry, taken)}\n`
    const tokens = estimateTokens(`${title}${line}\n`)
    if (used + tokens > maxTokens) {
      truncated = true
      continue
    }
    used += tokens
    said.add(line)
    taken.push(entry)
    lines.push(`${title}${line}`)
  }
  return { text: lines.join('\n'), memories: taken, truncated }
}

const titleOf = ({ section }: ProfileEntry, before: readonly ProfileEntry[]) =>
  before.length === 0 ? titles[section] : `\n${titles[section]}`

/** One line each: a stored text cannot forge another one, or a title. */
const lineOf = ({ fact }: ProfileEntry) => `- ${fact.replace(/\s+/g, ' ').trim()}`
