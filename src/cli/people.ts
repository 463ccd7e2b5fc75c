import { text as readAll } from 'node:stream/consumers'
import type { z } from 'zod'
import { usageReply } from '../http/routes/account-replies.ts'
import { ingestReply } from '../http/routes/ingest-replies.ts'
import { graphQaReply, retrieveReply, statsReply } from '../http/routes/replies.ts'
import { type Brain, brainAt } from './brain.ts'
import { type Command, CommandFailure, UsageError } from './command.ts'
import { dayOf } from './import/tally.ts'
import { argumentsOf, targetOf, targetOptions } from './target.ts'

const options = {
  json: { type: 'boolean' },
  persona: { type: 'string' },
  session: { type: 'string' },
  ...targetOptions,
} as const

interface Asked {
  readonly text: string
  readonly persona: string | undefined
  readonly session_id: string | undefined
}

interface Answer {
  /** For programs. */
  readonly reply: object
  readonly lines: readonly string[]
  /** 3: nothing is known. */
  readonly code?: number
}

const usage = '"TEXT"|- [--persona NAME] [--session ID] [--json] [--url URL] [--key KEY]'

/** A command of one call: short for people, JSON for programs. */
function calling(
  usage: string,
  needsText: boolean,
  answer: (brain: Brain, asked: Asked) => Promise<Answer>,
): Command {
  return {
    usage,
    run: async (args, parts) => {
      const { values, positionals } = argumentsOf(args, options)
      const given = positionals.join(' ')
      if (needsText && given === '')
        throw new UsageError('the text is missing; - reads it from standard input')
      if (!needsText && given !== '') throw new UsageError(`${given} is not understood`)
      const text = given === '-' ? (await readAll(process.stdin)).trim() : given
      const brain = brainAt(await targetOf(parts, values))
      const {
        reply,
        lines,
        code = 0,
      } = await answer(brain, {
        ...{ text, persona: values.persona, session_id: values.session },
      })
      parts.terminal.out(values.json ? JSON.stringify(reply, null, 2) : lines.join('\n'))
      return code
    },
  }
}

/** `memoryd remember "TEXT"` */
export const remember = calling(usage, true, async (brain, asked) => {
  const reply = await brain.call(ingestReply, 'POST', '/brain/ingest', asked)
  const { facts = [], replaced = [], deduplicated } = reply
  return {
    reply,
    lines: [
      deduplicated ? 'This is known already.' : 'Remembered.',
      ...facts.map(({ fact }) => `  ${fact}`),
      ...replaced.map(({ fact }) => `  no longer: ${fact}`),
    ],
  }
})

/** `memoryd recall "QUESTION"` */
export const recall = calling(usage, true, async (brain, { text: query, ...rest }) => {
  const reply = await brain.call(retrieveReply, 'POST', '/brain/retrieve', { query, ...rest })
  if (reply.facts.length === 0) return { reply, lines: ['Nothing is known about that.'], code: 3 }
  return { reply, lines: reply.facts.toSorted((a, b) => a.rank - b.rank).map(lineOf) }
})

function lineOf(found: z.output<typeof retrieveReply>['facts'][number]) {
  const { score, created_at, fact, superseded, changed_at } = found
  const mark = superseded ? '  (no longer)' : changed_at === null ? '' : '  (changed)'
  return `${score.toFixed(2)}  ${dayOf(created_at)}  ${fact.replace(/\s+/g, ' ')}${mark}`
}

/** `memoryd ask "QUESTION"` */
export const ask = calling(usage, true, async (brain, { text: query, persona }) => {
  const reply = await brain.call(graphQaReply, 'POST', '/brain/retrieve/graph-qa', { query, persona })
  if (reply.error !== undefined)
    throw new CommandFailure(
      'the server has no LLM to answer with (LLM_BASE_URL); "memoryd recall" needs none',
    )
  const facts = (reply.facts ?? []).map((fact, at) => `  [${at + 1}] ${fact}`)
  return { reply, lines: [reply.answer, ...facts] }
})

/** `memoryd stats` */
export const stats = calling(
  '[--persona NAME] [--json] [--url URL] [--key KEY]',
  false,
  async (brain, { persona = '*' }) => {
    const counts = await brain.call(statsReply, 'POST', '/brain/stats', { user_id: 'me', persona })
    const used = await brain.call(usageReply, 'GET', '/brain/usage')
    const limit = used.ops_limit === null ? 'no limit' : `of ${used.ops_limit.toLocaleString('en')}`
    const number = (value: number) => value.toLocaleString('en')
    return {
      reply: { ...counts, ...used },
      lines: [
        `account     ${used.account} (${used.tier})`,
        `texts       ${number(counts.episodic_count)}`,
        `facts       ${number(counts.semantic_relations)}`,
        `entities    ${number(counts.semantic_entities)}`,
        `operations  ${number(used.ops_used)} in ${used.month} (${limit})`,
      ],
    }
  },
)
