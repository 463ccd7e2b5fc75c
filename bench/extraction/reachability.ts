import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalKey } from '../../src/memory/entities.ts'
import { loadExtractor } from '../../src/models/extractor/read.ts'

/**
 * For every question of 2wiki and musique: are the entities that it names, and its answer where the passages hold it,
 * joined by stored facts? `SETS_DIR=… npm run -s bench:extraction-reach [-- --verbose]`.
 */
const sets = process.env.SETS_DIR
if (!sets) {
  process.stderr.write('SETS_DIR must name the folder that holds 2wiki/dev and musique/dev\n')
  process.exit(2)
}
const verbose = process.argv.includes('--verbose')
/** Leaves out the passages that no question needs: quicker, and about the same figure. */
const goldOnly = process.argv.includes('--gold-only')
/** Leaves out the paths over `is_a`: what is left joins by more than a common class. */
const noClasses = process.argv.includes('--no-classes')
/** As far as a traversal with max_hops goes. */
const maxHops = 4

interface Graph {
  readonly edges: Map<string, Set<string>>
  readonly aliases: Map<string, Set<string>>
}

interface Question {
  readonly query: string
  readonly answer: string
  readonly gold: readonly string[]
}

const reader = loadExtractor()
const total = { questions: 0, joined: 0, named: 0, whole: 0, wholeNamed: 0 }
for (const set of ['2wiki', 'musique']) {
  const items = readLines<{ id: string; text: string }>(set, 'items.jsonl')
  const questions = readLines<Question>(set, 'queries.jsonl')
  const wanted = new Set(questions.flatMap(({ gold }) => gold))
  const graph = buildGraph(items.filter(({ id }) => !goldOnly || wanted.has(id)).map(({ text }) => text))
  const all = questions.map((question) => ({ question, ...judge(graph, question, false) }))
  const whole = questions.map((question) => ({ question, ...judge(graph, question, true) }))
  const joined = count(all, 'joined')
  const wholeJoined = count(whole, 'joined')
  total.questions += questions.length
  total.joined += joined
  total.named += questions.length - count(all, 'unnamed')
  total.whole += wholeJoined
  total.wholeNamed += questions.length - count(whole, 'unnamed')
  console.log(
    `${set}: ${joined} of ${questions.length} questions, ${percent(joined, questions.length)}; without numbers and pieces of names ${wholeJoined}, ${percent(wholeJoined, questions.length)}`,
  )
  for (const outcome of ['apart', 'unnamed'] as const) printMissing(all, outcome)
}
console.log(
  `without numbers and pieces of names: ${percent(total.whole, total.wholeNamed)} of the ${total.wholeNamed} that name two entities, ${percent(total.whole, total.questions)} of all ${total.questions}`,
)
const named = `${percent(total.joined, total.named)} of the ${total.named} questions that name two entities of the graph`
console.log(
  `reachable within ${maxHops} hops: ${named}, ${percent(total.joined, total.questions)} of all ${total.questions}`,
)

function count(results: readonly Verdict[], outcome: Verdict['outcome']): number {
  return results.filter((result) => result.outcome === outcome).length
}

function printMissing(
  results: readonly (Verdict & { readonly question: Question })[],
  outcome: 'apart' | 'unnamed',
): void {
  const missing = results.filter((result) => result.outcome === outcome)
  const why =
    outcome === 'apart' ? 'name entities that no path joins' : 'name fewer than two entities of the graph'
  console.log(`  ${missing.length} ${why}`)
  if (!verbose) return
  for (const { question, names } of missing)
    console.log(`    ${question.query} | ${question.answer} | ${names.join(', ')}`)
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`
}

function readLines<T>(set: string, file: string): T[] {
  const content = readFileSync(join(sets ?? '', set, 'dev', file), 'utf8')
  return content
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T)
}

function buildGraph(texts: readonly string[]): Graph {
  const graph: Graph = { edges: new Map(), aliases: new Map() }
  const add = (map: Map<string, Set<string>>, from: string, to: string) => {
    const known = map.get(from)
    if (known) known.add(to)
    else map.set(from, new Set([to]))
  }
  for (const text of texts) {
    const { facts, entities } = reader.extract({
      text,
      source: 'document',
      speaker: null,
      now: 1_700_000_000,
    })
    for (const { subject, relation, object, hypothetical } of facts) {
      if (noClasses && relation === 'is_a') continue
      const [from, to] = [canonicalKey(subject), canonicalKey(object)]
      if (hypothetical || !from || !to) continue
      add(graph.edges, from, to)
      add(graph.edges, to, from)
    }
    for (const { name, aliases } of entities) {
      for (const alias of aliases) add(graph.aliases, canonicalKey(alias), canonicalKey(name))
    }
  }
  return graph
}

/** Nodes that a phrase names: itself, and what it is another name of. */
function nodesOf(graph: Graph, phrase: string): string[] {
  const key = canonicalKey(phrase)
  const nodes = [key, ...(graph.aliases.get(key) ?? [])]
  return nodes.filter((node) => graph.edges.has(node))
}

interface Named {
  readonly name: string
  /** A number, or a piece of a longer name that the graph does not have: no entity that the question means. */
  readonly fragment: boolean
}

/** The longest runs of words of a question, starting with a capital or a digit, that are nodes. */
function namesIn(graph: Graph, text: string): Named[] {
  const words = text
    .replace(/[?"“”]/g, ' ')
    .split(/\s+/)
    .filter(Boolean)
  const names: Named[] = []
  for (let i = 0; i < words.length; i++) {
    if (!/^[\p{Lu}\p{N}]/u.test(words[i] ?? '')) continue
    for (let length = Math.min(9, words.length - i); length >= 1; length--) {
      const phrase = words.slice(i, i + length).join(' ')
      const name = [phrase.replace(/[,.]$/, ''), phrase.replace(/['’]s?[,.]?$|[,.]$/, '')].find(
        (form) => nodesOf(graph, form).length > 0,
      )
      if ((i === 0 && length === 1) || name === undefined) continue
      names.push({ name, fragment: isFragment(words, i, length) })
      i += length - 1
      break
    }
  }
  return names.filter(({ name }, at) => names.findIndex((other) => other.name === name) === at)
}

function isCapital(word: string | undefined): boolean {
  return /^\p{Lu}/u.test(word ?? '')
}

/** Whether a single word at `i` is a number, or has capitals beside it that belong to the same name. */
function isFragment(words: readonly string[], i: number, length: number): boolean {
  if (length > 1) return false
  if (/^[\p{N}.,]+$/u.test(words[i] ?? '')) return true
  const ends = /[,.]$|['’]s?$/.test(words[i] ?? '')
  const joins =
    !ends &&
    (isCapital(words[i + 1]) || (/^(?:of|to|at|in)$/.test(words[i + 1] ?? '') && isCapital(words[i + 2])))
  return joins || (i > 1 && isCapital(words[i - 1]))
}

interface Verdict {
  readonly outcome: 'joined' | 'apart' | 'unnamed'
  readonly names: readonly string[]
}

function judge(graph: Graph, { query, answer }: Question, wholeOnly: boolean): Verdict {
  const asked = namesIn(graph, query)
    .filter(({ fragment }) => !(wholeOnly && fragment))
    .map(({ name }) => name)
  const names = asked.length > 1 ? asked : [...new Set([...asked, ...answerNames(graph, String(answer))])]
  if (names.length < 2) return { outcome: 'unnamed', names }
  const [first = '', ...others] = names
  const near = reach(graph, nodesOf(graph, first))
  const joined = others.every((name) => nodesOf(graph, name).some((node) => near.has(node)))
  return { outcome: joined ? 'joined' : 'apart', names }
}

/** The answer as a node: as it is written, or without what follows its comma. */
function answerNames(graph: Graph, answer: string): string[] {
  const forms = [
    answer,
    answer.replace(/,.*$/, ''),
    answer.replace(/^(?:sir|king|queen|prince|princess) /i, ''),
  ]
  const known = forms.find((form) => nodesOf(graph, form).length > 0)
  return known === undefined ? [] : [known]
}

function reach(graph: Graph, from: readonly string[]): Set<string> {
  const seen = new Set(from)
  let edge = [...from]
  for (let hop = 0; hop < maxHops && edge.length > 0; hop++) {
    const next = edge.flatMap((node) => {
      return [...(graph.edges.get(node) ?? [])]
    })
    edge = [...new Set(next)].filter((node) => !seen.has(node))
    for (const node of edge) seen.add(node)
  }
  return seen
}
