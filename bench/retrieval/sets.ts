import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const itemSchema = z.object({
  id: z.string(),
  group: z.string(),
  text: z.string(),
  meta: z.looseObject({ session: z.string().nullish() }),
})

const querySchema = z.object({
  id: z.string(),
  group: z.string(),
  query: z.string(),
  category: z.string(),
  gold: z.array(z.string()).optional(),
})

const talkSchema = z.object({
  id: z.string(),
  sessions: z.array(z.object({ date: z.string(), turns: z.array(z.tuple([z.string(), z.string()])) })),
  questions: z.array(
    z.object({ q: z.string(), gold: z.array(z.tuple([z.int(), z.int()])), type: z.string() }),
  ),
})

const storySchema = z.object({
  id: z.string(),
  texts: z.array(
    z.object({
      text: z.string(),
      source: z.enum(['user', 'assistant', 'document']).default('user'),
      session: z.string().optional(),
    }),
  ),
  questions: z.array(z.object({ q: z.string(), answer_in: z.int().nullable(), outdated: z.array(z.int()) })),
})

export interface Item {
  readonly id: string
  readonly text: string
  readonly session: string | null
  readonly source: 'user' | 'assistant' | 'document'
}

export interface Query {
  readonly query: string
  readonly gold: readonly string[]
  /** They would answer it, but something told later replaced them. */
  readonly outdated?: readonly string[]
  readonly answerable: boolean
}

/** One conversation or corpus: what is searched together. */
export interface Group {
  readonly set: string
  readonly name: string
  readonly items: readonly Item[]
  readonly queries: readonly Query[]
}

/** Categories whose questions have no answer in the texts. */
const unanswerable = new Set(['adversarial', 'abstention'])

/** Texts longer than the service takes are left out, as the service would refuse them. */
const longestText = 32_768

/** `beam100k:4` is the first four groups of a set. */
export function loadSet(directory: string, name: string): readonly Group[] {
  const [set = '', count] = name.split(':')
  return loadGroups(directory, set).slice(0, count === undefined ? undefined : Number(count))
}

/** The groups of a set. Questions without gold evidence are left out, unless they are meant to have none. */
function loadGroups(directory: string, set: string): readonly Group[] {
  if (set === 'talks') return loadTalks(new URL('../../data/talks/talks-a.jsonl', import.meta.url))
  if (set === 'stories') return loadStories(new URL('../../data/stories/stories-a.jsonl', import.meta.url))
  const items = readLines(join(directory, set, 'dev', 'items.jsonl'), itemSchema)
  const queries = readLines(join(directory, set, 'dev', 'queries.jsonl'), querySchema)
  const questions = Map.groupBy(queries, ({ group }) => group)
  return [...Map.groupBy(items, ({ group }) => group)].map(([name, members]) => ({
    set,
    name,
    items: members
      .filter(({ text }) => text.length <= longestText)
      .map(({ id, text, meta }) => ({ id, text, session: meta.session ?? null, source: 'user' as const })),
    queries: (questions.get(name) ?? [])
      .map(({ query, category, gold = [] }) => {
        const answerable = !unanswerable.has(category)
        return { query, gold: answerable ? gold : [], answerable }
      })
      .filter(({ gold, answerable }) => gold.length > 0 || !answerable),
  }))
}

/** Our own conversations: `Name: what was said`, one item a turn. */
function loadTalks(file: URL): readonly Group[] {
  return readLines(file, talkSchema).map(({ id, sessions, questions }) => ({
    set: 'talks',
    name: id,
    items: sessions.flatMap(({ turns }, session) =>
      turns.map(([speaker, text], turn) => ({
        id: `${id}/${session}/${turn}`,
        text: `${speaker}: ${text}`,
        session: `${id}/${session}`,
        source: /^assistant$/i.test(speaker) ? ('assistant' as const) : ('user' as const),
      })),
    ),
    queries: questions.map(({ q, gold }) => ({
      query: q,
      gold: gold.map(([session, turn]) => `${id}/${session}/${turn}`),
      answerable: true,
    })),
  }))
}

/** Our own small memories, some of whose questions have no answer though something near is stored. */
function loadStories(file: URL): readonly Group[] {
  return readLines(file, storySchema).map(({ id, texts, questions }) => {
    const idOf = (at: number) => `${id}/${at}`
    return {
      ...{ set: 'stories', name: id },
      items: texts.map(({ text, source, session = null }, at) => ({ id: idOf(at), text, session, source })),
      queries: questions.map(({ q, answer_in, outdated }) => ({
        ...{ query: q, gold: answer_in === null ? [] : [idOf(answer_in)], outdated: outdated.map(idOf) },
        answerable: answer_in !== null,
      })),
    }
  })
}

function readLines<T>(path: string | URL, schema: z.ZodType<T>): readonly T[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => schema.parse(JSON.parse(line)))
}
