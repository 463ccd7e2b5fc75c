import type { Source } from '../../memory/model.ts'
import type { ExtractedFact, Extraction, ExtractionInput } from '../../memory/ports.ts'
import { type FactsModel, openWholeFactsModel } from '../reader/facts-model.ts'
import { extractFacts } from './extract.ts'

export interface ExtractIo {
  readonly stdin: AsyncIterable<string | Buffer>
  /** Writes one line. */
  readonly stdout: (line: string) => void
}

const usage =
  'usage: memoryd extract "text" [--source user|assistant|document] [--speaker NAME], or memoryd extract --jsonl'
const sources: readonly Source[] = ['user', 'assistant', 'document']

/**
 * `memoryd extract "text"` prints what is understood as two tables; `--jsonl` reads objects `{text, source, speaker}`
 * line by line and prints one object each. Returns the exit status: 2 when it was called wrongly.
 */
export async function extractCommand(args: readonly string[], io: ExtractIo): Promise<number> {
  const nowSeconds = Date.now() / 1000
  if (args.includes('--jsonl')) return jsonLines(io, nowSeconds)
  const options = readOptions(args)
  if (!options) {
    io.stdout(usage)
    return 2
  }
  printTables(await extractFacts(await openWholeFactsModel(), { ...options, now: nowSeconds }), io.stdout)
  return 0
}

function readOptions(args: readonly string[]): Omit<ExtractionInput, 'now'> | null {
  const words: string[] = []
  let source: Source = 'user'
  let speaker: string | null = null
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? ''
    if (arg === '--speaker') speaker = args[++i] ?? null
    else if (arg === '--source') {
      const given = sources.find((one) => one === args[i + 1])
      if (!given) return null
      source = given
      i++
    } else if (arg.startsWith('--')) return null
    else words.push(arg)
  }
  const text = words.join(' ').trim()
  return text ? { text, source, speaker } : null
}

async function jsonLines(io: ExtractIo, nowSeconds: number): Promise<number> {
  const model = await openWholeFactsModel()
  for await (const line of linesOf(io.stdin)) {
    if (line.trim()) io.stdout(JSON.stringify(await readLine(line, model, nowSeconds)))
  }
  return 0
}

/** One object of the answer; a line that is not such an object gives empty lists and says why. */
async function readLine(line: string, model: FactsModel, nowSeconds: number): Promise<object> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return { facts: [], entities: [], error: 'the line is not JSON' }
  }
  const { text, source = 'user', speaker = null } = (value ?? {}) as Record<string, unknown>
  const known = sources.find((one) => one === source)
  if (typeof text !== 'string' || !known)
    return { facts: [], entities: [], error: 'text must be a string, source user, assistant or document' }
  const name = typeof speaker === 'string' && speaker.trim() ? speaker : null
  const read = { text, source: known, speaker: name, now: nowSeconds }
  const { facts, entities } = await extractFacts(model, read)
  return {
    facts: facts.map(({ subject, relation, object, confidence, negated, ended, hypothetical, when }) => ({
      ...{ subject, relation, object, confidence, negated, ended, hypothetical, when },
    })),
    entities: entities.map(({ name: entity, type }) => ({ name: entity, type })),
  }
}

async function* linesOf(chunks: AsyncIterable<string | Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    rest += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest) yield rest
}

function printTables({ facts, entities }: Extraction, print: (line: string) => void): void {
  if (facts.length === 0 && entities.length === 0) {
    print('Nothing was understood as a fact.')
    return
  }
  const factRows = facts.map((fact) => [
    fact.subject,
    fact.relation,
    fact.object,
    fact.confidence.toFixed(2),
    marksOf(fact),
  ])
  printTable(['SUBJECT', 'RELATION', 'OBJECT', 'SURE', 'MARKS'], factRows, print)
  print('')
  printTable(
    ['ENTITY', 'TYPE', 'ALSO'],
    entities.map(({ name, type, aliases }) => [name, type, aliases.join(', ')]),
    print,
  )
}

function marksOf(fact: ExtractedFact): string {
  const marks = [fact.negated && 'not', fact.ended && 'ended', fact.hypothetical && 'perhaps', fact.when]
  return marks.filter(Boolean).join(', ')
}

function printTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  print: (line: string) => void,
): void {
  const all = [header, ...rows]
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  for (const row of all)
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}
