import { readFileSync } from 'node:fs'
import path from 'node:path'

/** A small memory, a question, and what the answer must be like. All substrings are in lower case. */
export interface Story {
  readonly title: string
  readonly texts: readonly { readonly source: string; readonly text: string }[]
  readonly session: string | null
  readonly question: string
  readonly hops: number | null
  /** One of the first so many results holds one of `first`. */
  readonly within: number
  readonly first: readonly string[]
  /** The first result holds none of these. */
  readonly notFirst: readonly string[]
  /** Results with these are marked as superseded, or are not there. */
  readonly outdated: readonly string[]
  /** Why it is known to fail; null when it must hold. */
  readonly open: string | null
}

/** The stories of stories.txt, in their order. */
export function readStories(): readonly Story[] {
  const file = readFileSync(path.join(import.meta.dirname, 'stories.txt'), 'utf8')
  return file.split(/^== /m).slice(1).map(readStory)
}

function readStory(block: string): Story {
  const [title = '', ...lines] = block.trim().split('\n')
  const texts = lines.flatMap((line) => {
    const [, source = '', text = ''] = /^(user|assistant|document): (.*)$/.exec(line) ?? []
    return source === '' ? [] : [{ source, text: text.replaceAll('\\n', '\n') }]
  })
  const fieldOf = (name: string) =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? null
  const listOf = (name: string) => fieldOf(name)?.toLowerCase().split(' | ') ?? []
  const hops = fieldOf('hops')
  return {
    title,
    texts,
    session: fieldOf('session'),
    question: lines.find((line) => line.startsWith('? '))?.slice(2) ?? '',
    hops: hops === null ? null : Number(hops),
    within: Number(fieldOf('within') ?? 1),
    first: listOf('first'),
    notFirst: listOf('not first'),
    outdated: listOf('outdated'),
    open: fieldOf('open'),
  }
}
