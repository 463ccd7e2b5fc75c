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
let allTogether = 0
let allNamed = 0
let allQuestions = 0
for (const set of ['2wiki', 'musique']) {
  const items = readLines<{ id: string; text: string }>(set, 'items.jsonl')
  const questions = readLines<Question>(set, 'queries.jsonl')
  const wanted = new Set(questions.flatMap(({ gold }) => gold))
  const graph = buildGraph(items.filter(({ id }) => !goldOnly || wanted.has(id)).map(({ text }) => text))
  const results = questions.map((question) => ({ question, ...judge(graph, question) }))
  const joined = results.filter(({ outcome }) => outcome === 'joined').length
  allTogether += joined
  allNamed += results.filter(({ outcome }) => outcome !== 'unnamed').length
  allQuestions += results.length
  console.log(`${set}: ${joined} of ${results.length} questions, ${percent(joined, results.length)}`)
  for (const outcome of ['apart', 'unnamed'] as const) {
    const missing = results.filter((result) => result.outcome === outcome)
    console.log(
      `  ${missing.length} ${outcome === 'apart' ? 'name entities that no path joins' : 'name fewer than two entities of the graph'}`,
    )
    if (verbose)
      for (const { question, names } of missing)
        console.log(`    ${question.query} | ${question.answer} | ${names.join(', ')}`)
  }
}
const named = `${percent(allTogether, allNamed)} of the ${allNamed} questions that name two entities of the graph`
console.log(
  `reachable within ${maxHops} hops: ${named}, ${percent(allTogether, allQuestions)} of all ${allQuestions}`,
)

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

/** The longest runs of words of a question, starting with a capital, that are nodes. */
function namesIn(graph: Graph, text: string): string[] {
  const words = text
    .replace(/[?"“”]/g, ' ')
    .replace(/['’]s\b/g, ' ')
    .split(/\s+/)
    .filter(Boolean)
  const names: string[] = []
  for (let i = 0; i < words.length; i++) {
    if (!/^[\p{Lu}\p{N}]/u.test(words[i] ?? '')) continue
    for (let length = Math.min(9, words.length - i); length >= 1; length--) {
      const phrase = words
        .slice(i, i + length)
        .join(' ')
        .replace(/[,.]$/, '')
      if ((i === 0 && length === 1) || nodesOf(graph, phrase).length === 0) continue
      names.push(phrase)
      i += length - 1
      break
    }
  }
  return [...new Set(names)]
}

function judge(
  graph: Graph,
  { query, answer }: Question,
): { outcome: 'joined' | 'apart' | 'unnamed'; names: string[] } {
  const asked = namesIn(graph, query)
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
