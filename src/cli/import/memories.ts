import type { Format } from './formats.ts'
import { type Fields, type Found, fields, isFields, list, named, text, time } from './record.ts'

const optionalText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)

const sources = ['user', 'assistant', 'document'] as const
const contentTypes = ['text/markdown', 'text/plain'] as const

/** What a value must be, in words. */
interface Rule {
  readonly must: string
  allows(value: unknown): boolean
}

const isText = (value: unknown) => typeof value === 'string'
const words: Rule = { must: 'a string', allows: isText }
const oneOf = (must: string, values: readonly unknown[]): Rule => ({
  must,
  allows: (value) => values.includes(value),
})

const ownTexts = [
  ...['text', 'persona', 'session_id', 'external_id', 'id', 'speaker', 'corrected_by'],
  ...['document', 'content'],
]
const ownFields = new Map<string, Rule>([
  ...ownTexts.map((name) => [name, words] as const),
  [
    'occurred_at',
    { must: 'a date or Unix seconds', allows: (value) => isText(value) || typeof value === 'number' },
  ],
  ['source', oneOf(`one of ${sources.join(', ')}`, sources)],
  ['metadata', { must: 'an object', allows: isFields }],
  ['pinned', oneOf('true or false', [true, false])],
  [
    'pinned_facts',
    { must: 'a list of strings', allows: (value) => Array.isArray(value) && value.every(isText) },
  ],
  ['content_type', oneOf(contentTypes.join(' or '), contentTypes)],
])
/** A field of another program: what it says would be lost. */
const strangerIn = (value: Fields) => Object.keys(value).find((name) => !ownFields.has(name))
/** What is wrong with a value; null stands for none. */
function wrongIn(value: Fields): string | null {
  for (const [name, { must, allows }] of ownFields)
    if (value[name] != null && !allows(value[name])) return `${name} must be ${must}`
  return null
}

/** Our own form: a text or a document a line, as `memoryd export` writes them. */
export const own: Format = {
  title: 'memoryd',
  matches: (value) =>
    isFields(value) &&
    (typeof value.text === 'string' || typeof value.document === 'string') &&
    strangerIn(value) === undefined,
  *read(value) {
    const record = fields(value)
    const stranger = strangerIn(record)
    if (stranger !== undefined) return yield { problem: `there is no field ${stranger}` }
    const problem = wrongIn(record)
    if (problem !== null) return yield { problem }
    if (typeof record.text !== 'string' && typeof record.document !== 'string')
      return yield { problem: 'text is missing' }
    // For other programs 0 is no time; for the server it is one.
    const occurred_at = record.occurred_at === 0 ? 0 : time(record.occurred_at)
    if (record.occurred_at != null && occurred_at === null)
      return yield { problem: 'occurred_at is not a time of the past' }
    const metadata = isFields(record.metadata) ? record.metadata : null
    const persona = optionalText(record.persona)
    if (typeof record.document === 'string') {
      const content_type = contentTypes.find((one) => one === record.content_type) ?? 'text/markdown'
      const { document, content } = record
      if (typeof content !== 'string') return yield { problem: 'content of the document is missing' }
      return yield { document: { document, content, content_type, occurred_at, persona, metadata } }
    }
    const source = sources.find((one) => one === record.source) ?? 'user'
    const said = { text: text(record.text), occurred_at, source, persona, metadata }
    const session_id = optionalText(record.session_id)
    const id = optionalText(record.id)
    const given = optionalText(record.external_id)
    const external_id = given ?? named('memoryd', id ?? JSON.stringify([...Object.values(said), session_id]))
    yield { text: { ...said, session_id, external_id, ...extrasOf(record) } }
  },
}

/** What an export says beside the text. */
function extrasOf(record: Fields) {
  const [id, speaker, corrected_by] = [record.id, record.speaker, record.corrected_by].map(optionalText)
  const pinned_facts = list(record.pinned_facts).map(text)
  return {
    ...(id == null ? {} : { id }),
    ...(speaker == null ? {} : { speaker }),
    ...(corrected_by == null ? {} : { corrected_by }),
    ...(record.pinned === true ? { pinned: true } : {}),
    ...(pinned_facts.length === 0 ? {} : { pinned_facts }),
  }
}

/** Memories of mem0: `get_all` as it comes, one page or several. */
export const mem0: Format = {
  title: 'mem0',
  matches: (value) =>
    isFields(value) &&
    (typeof value.memory === 'string' ||
      isFields(list(value.results)[0]) ||
      isFields(list(value.memories)[0])),
  *read(value) {
    const page = fields(value)
    const memories = typeof page.memory === 'string' ? [page] : list(page.results ?? page.memories)
    for (const memory of memories) yield mem0Memory(fields(memory))
  },
}

function mem0Memory(memory: Fields): Found {
  if (typeof memory.memory !== 'string') return { problem: 'a memory has no text in its field memory' }
  const { agent_id, app_id, categories } = memory
  const about = Object.entries({ agent_id, app_id, categories }).filter(([, value]) => value != null)
  const user = optionalText(memory.user_id)
  const words = memory.memory
  return {
    text: {
      ...{ text: words, occurred_at: time(memory.updated_at) ?? time(memory.created_at), source: 'user' },
      persona: user === '*' ? null : user,
      session_id: optionalText(memory.run_id),
      external_id: named('mem0', optionalText(memory.id) ?? `${user} ${words}`),
      metadata: { ...fields(memory.metadata), ...Object.fromEntries(about), from: 'mem0' },
    },
  }
}

/** `memory.jsonl` of the reference memory server: entities with observations, and relations between them. */
export const serverMemory: Format = {
  title: 'server-memory',
  matches: (value) =>
    isFields(value) &&
    ((value.type === 'entity' && typeof value.name === 'string') ||
      (value.type === 'relation' && typeof value.from === 'string')),
  *read(value) {
    const line = fields(value)
    if (line.type === 'relation') {
      const words = [line.from, line.relationType, line.to].map((part) => text(part).replaceAll('_', ' '))
      return yield sentence(`${words.join(' ')}.`, {})
    }
    const name = text(line.name).replaceAll('_', ' ')
    const about = { entity: name, entity_type: text(line.entityType) }
    const observations = list(line.observations).map(text)
    if (observations.length === 0) yield { left: 'entities without observations' }
    for (const observation of observations)
      yield sentence(observation.includes(name) ? observation : `${name}: ${observation}`, about)
  },
}

function sentence(words: string, about: Fields): Found {
  return {
    text: {
      ...{ text: words, occurred_at: null, source: 'user', persona: null, session_id: null },
      external_id: named('server-memory', words),
      metadata: { ...about, from: 'server-memory' },
    },
  }
}
