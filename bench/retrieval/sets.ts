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

export type Item = z.infer<typeof itemSchema>
export type Query = z.infer<typeof querySchema> & {
  readonly gold: readonly string[]
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

/** The dev half of a set, by group. Questions without gold evidence are left out, unless they are meant to have none. */
export function loadSet(directory: string, set: string): readonly Group[] {
  const items = readLines(join(directory, set, 'dev', 'items.jsonl'), itemSchema)
  const queries = readLines(join(directory, set, 'dev', 'queries.jsonl'), querySchema)
    .map((query): Query => {
      const answerable = !unanswerable.has(query.category)
      return { ...query, gold: answerable ? (query.gold ?? []) : [], answerable }
    })
    .filter((query) => query.gold.length > 0 || !query.answerable)
  const questions = Map.groupBy(queries, ({ group }) => group)
  return [...Map.groupBy(items, ({ group }) => group)].map(([name, members]) => ({
    set,
    name,
    items: members,
    queries: questions.get(name) ?? [],
  }))
}

function readLines<T>(path: string, schema: z.ZodType<T>): readonly T[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => schema.parse(JSON.parse(line)))
}
