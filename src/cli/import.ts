import { usageReply } from '../http/routes/account-replies.ts'
import { brainAt } from './brain.ts'
import { type Command, type CommandParts, UsageError } from './command.ts'
import { createNewest, type Newest } from './import/newest.ts'
import { progressOn } from './import/progress.ts'
import { readingsOf } from './import/read.ts'
import { type Outcome, senderTo } from './import/send.ts'
import { dayOf, placeOf, type Tally, tallyOf } from './import/tally.ts'
import { argumentsOf, targetOf, targetOptions } from './target.ts'

const options = {
  'dry-run': { type: 'boolean' },
  persona: { type: 'string' },
  ...targetOptions,
} as const

/** A server that restarts, or a rate that is used up, is waited for. */
const patienceMs = 120_000
/** Of a list that may be long. */
const shown = 20

/** `memoryd import PATH…`: brings in what other programs remember, through a running server. Run again, it goes on. */
export const importCommand: Command = {
  usage: 'PATH… [--dry-run] [--persona NAME] [--url URL] [--key KEY]',
  run: async (args, parts) => {
    const { values, positionals: paths } = argumentsOf(args, options)
    if (paths.length === 0) throw new UsageError('import needs a file, a ZIP or a folder')
    const { terminal } = parts
    const persona = values.persona ?? null
    const newest = createNewest(persona)
    const tally = await tallyOf(readingsOf(paths), newest)
    const count = tally.texts + tally.documents
    if (count === 0) {
      terminal.err(`Nothing to import: ${paths.join(', ')} holds nothing in a form that is known.`)
      tell(tally.problems, tally, terminal.err)
      return 1
    }
    const target = await targetOf(parts, values)
    if (values['dry-run']) {
      const left = await brainAt(target)
        .call(usageReply, 'GET', '/brain/usage')
        .then(({ ops_remaining }) => ops_remaining)
        .catch((error: Error) => error.message)
      const about = [...summaryOf(tally, left), 'For example:', ...tally.samples.map((line) => `  ${line}`)]
      terminal.out(about.join('\n'))
      tell(tally.problems, tally, terminal.out)
      terminal.out('Nothing was stored: this was a dry run.')
      return tally.problems.length === 0 ? 0 : 1
    }
    const waiting = (reason: string, seconds: number) =>
      terminal.err(`\n${reason} Trying again in ${seconds} s.`)
    const brain = brainAt(target, { patienceMs, waiting })
    const usage = await brain.call(usageReply, 'GET', '/brain/usage')
    for (const line of summaryOf(tally, usage.ops_remaining)) terminal.err(line)
    return store(parts, paths, { tally, newest, brain, batchItems: usage.batch_items, persona })
  },
}

interface Work {
  readonly tally: Tally
  readonly newest: Newest
  readonly brain: ReturnType<typeof brainAt>
  readonly batchItems: number
  readonly persona: string | null
}

async function store(
  { terminal }: CommandParts,
  paths: readonly string[],
  { tally, newest, brain, batchItems, persona }: Work,
): Promise<number> {
  const total = tally.texts + tally.documents
  const counts = { stored: 0, known: 0 }
  const failures: string[] = []
  const progress = progressOn(process.stderr)
  const show = () => progress.step(counts.stored + counts.known + failures.length, total)
  const outcome: Outcome = {
    done: (what, count) => {
      counts[what] += count
      show()
    },
    failed: (reading, problem) => {
      failures.push(`${placeOf(reading)}: ${problem}`)
      show()
    },
  }
  const sender = senderTo(brain, { persona, batchItems, outcome })
  try {
    for await (const reading of readingsOf(paths)) {
      const { found } = reading
      if (found !== null && 'text' in found && newest.has(found.text)) await sender.text(found.text, reading)
      if (found !== null && 'document' in found) await sender.document(found.document, reading)
    }
    await sender.flush()
  } catch (error) {
    progress.end()
    terminal.err(
      `Stopped after ${counts.stored} stored and ${counts.known} that were there already, of ${total}. The same command goes on from there.`,
    )
    throw error
  }
  progress.end()
  terminal.out(`Done: ${counts.stored} stored, ${counts.known} were there already.`)
  tell([...tally.problems, ...failures], tally, terminal.out)
  return tally.problems.length + failures.length === 0 ? 0 : 1
}

function summaryOf(tally: Tally, opsLeft: number | string | null): readonly string[] {
  const { texts, documents, formats, since, until, undated, ops } = tally
  const span = since === null || until === null ? 'without dates' : `from ${dayOf(since)} to ${dayOf(until)}`
  const budget =
    opsLeft === null || typeof opsLeft === 'string'
      ? (opsLeft ?? 'no limit')
      : `${opsLeft.toLocaleString('en')} left this month${ops > opsLeft ? ': not enough for all of it; the same command goes on next month' : ''}`
  const number = (count: number, what: string) =>
    `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`
  const holds = [
    ...(texts > 0 ? [number(texts, 'text')] : []),
    ...(documents > 0 ? [number(documents, 'document')] : []),
  ]
  return [
    `${formats.join(', ')}: ${holds.join(', ')}, ${span}`,
    ...(undated > 0
      ? [`${undated.toLocaleString('en')} of them without a date: they count as told now`]
      : []),
    `Costs ${ops.toLocaleString('en')} operations at most (${budget})`,
  ]
}

/** What was not brought in, and why. */
function tell(problems: readonly string[], { left, unknown }: Tally, say: (line: string) => void): void {
  const reasons = [...left].map(([reason, count]) => `${count.toLocaleString('en')} ${reason}`)
  if (reasons.length > 0) say(`Left out: ${reasons.join(', ')}`)
  if (unknown.length > 0) say(`Not in a form that is known: ${some(unknown, ', ')}`)
  if (problems.length > 0)
    say(`Could not be read or stored (${problems.length}):\n  ${some(problems, '\n  ')}`)
}

function some(lines: readonly string[], between: string): string {
  const more = lines.length > shown ? `${between}and ${lines.length - shown} more` : ''
  return `${lines.slice(0, shown).join(between)}${more}`
}
