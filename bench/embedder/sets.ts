import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Two sentences and how alike people found them, 0 to 5. */
export interface SentencePair {
  readonly first: string
  readonly second: string
  readonly similarity: number
}

export interface RetrievalSet {
  readonly items: readonly { readonly id: string; readonly group: string; readonly text: string }[]
  readonly queries: readonly {
    readonly group: string
    readonly query: string
    readonly category?: string
    readonly gold: readonly string[]
  }[]
}

async function jsonLines<T>(path: string): Promise<T[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as T)
}

/** The fields of a comma-separated line; quoted fields may hold commas and doubled quotes. */
function csvFields(line: string): string[] {
  const fields = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)
  return [...fields].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '')
}

/** STS-B; split `train` or `dev`. */
export async function readSentencePairs(sets: string, split: string): Promise<SentencePair[]> {
  const lines = (await readFile(join(sets, 'sts_b', `stsb-en-${split}.csv`), 'utf8')).trim().split('\n')
  return lines.map((line) => {
    const [first = '', second = '', similarity = ''] = csvFields(line)
    return { first, second, similarity: Number(similarity) }
  })
}

/** A set with gold evidence: `locomo`, `hotpotqa`, … Questions without evidence are left out. */
export async function readRetrievalSet(sets: string, name: string): Promise<RetrievalSet> {
  const items = await jsonLines<RetrievalSet['items'][number]>(join(sets, name, 'dev', 'items.jsonl'))
  const queries = await jsonLines<RetrievalSet['queries'][number]>(join(sets, name, 'dev', 'queries.jsonl'))
  return { items, queries: queries.filter((query) => query.gold.length > 0) }
}

/** Newspaper sentences of the MRPC paraphrase corpus. */
export async function readNews(sets: string): Promise<string[]> {
  const lines = (await readFile(join(sets, 'mrpc', 'msr_paraphrase_train.txt'), 'utf8')).split('\n').slice(1)
  return lines.map((line) => line.split('\t')[3]?.trim() ?? '').filter((text) => text !== '')
}

/** Short sentences in which people describe themselves. */
export async function readPersonas(sets: string): Promise<string[]> {
  const file = await readFile(join(sets, 'msc_personas', 'msc_personas_all.json'), 'utf8')
  const { train } = JSON.parse(file) as { train: Record<string, string[]>[] }
  return train.flatMap((dialogue) => Object.values(dialogue).flat())
}
