import { createHash } from 'node:crypto'
import { z } from 'zod'
import { estimateTokens } from '../core/tokens.ts'
import { shortened, withinTokens } from '../http/brief.ts'
import { entityName, memoryId, query, sessionId, text, whole } from '../http/fields.ts'
import { ingest } from '../http/routes/ingest.ts'
import { ingestReply } from '../http/routes/ingest-replies.ts'
import { forget, listMemories } from '../http/routes/memories.ts'
import { forgetReply, graphQaReply, listReply, retrieveReply } from '../http/routes/replies.ts'
import { graphQa, retrieve } from '../http/routes/retrieve.ts'
import { sharedPersona } from '../memory/model.ts'
import { contextString } from '../memory/retrieve/context.ts'
import type { Visit } from './visit.ts'

interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: z.ZodObject
  /** What a model reads: clients show it the structured result, so it is short and says what it covers. */
  readonly output: z.ZodObject
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: false
  }
  readonly needsLlm: boolean
  run(input: Readonly<Record<string, unknown>>, visit: Visit): Promise<Record<string, unknown>>
}

/** A tool whose work is typed by its own schemas. */
function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Omit<Tool, 'input' | 'output' | 'run'> & {
    readonly input: Input
    readonly output: Output
    run(input: z.output<Input>, visit: Visit): Promise<z.input<Output>>
  },
): Tool {
  return { ...tool, run: (input, visit) => tool.run(input as z.output<Input>, visit) }
}

const reads = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const

const everyPersona = '*'
const scope = z
  .object({
    persona: z.string().describe('the persona that was used; * for all of them'),
    session_id: z.string().optional(),
  })
  .describe('where this call looked or stored')

function scopeOf(persona: string | null, session?: string | null) {
  const named = session === undefined || session === null ? {} : { session_id: session }
  return { persona: persona ?? everyPersona, ...named }
}

const day = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(0, 10)

/** Long enough for a statement; whole texts are in the API. */
const factCharacters = 280

/** Each once, as many as fit. */
function linesOf(found: readonly { readonly fact: string }[], maxTokens: number): string[] {
  const lines = new Set(found.map(({ fact }) => shortened(fact, factCharacters)))
  let left = maxTokens
  return [...lines].filter((line) => {
    left -= estimateTokens(`${JSON.stringify(line)},`)
    return left >= 0
  })
}

/** Together below 2,000, as every reply. */
const learnedTokens = 900
const replacedTokens = 600

const sessionArgument = sessionId.nullish().describe('the conversation it belongs to, when there are several')

const remember = defineTool({
  name: 'remember',
  title: 'Remember',
  description:
    'Store something worth knowing in later conversations: who the user is, what they prefer, decided or changed. Write it as a full sentence with names and dates. A new value replaces the old one by itself.',
  input: z.object({
    text: text.describe('what to remember, as full sentences'),
    session_id: sessionArgument,
  }),
  output: z.object({
    stored: z.boolean().describe('it is in the memory now'),
    deduplicated: z.boolean().describe('it was known before'),
    facts: z.int().describe('facts that were read from the text'),
    learned: z
      .array(z.string())
      .describe('what the text tells, fact by fact; the first of it when it is long'),
    replaced: z.array(z.string()).describe('what was known and no longer holds because of it'),
    scope,
  }),
  annotations: { ...reads, readOnlyHint: false },
  needsLlm: false,
  run: async (input, visit) => {
    const persona = visit.persona ?? sharedPersona
    const reply = await visit.call(ingest, ingestReply, { body: { ...input, persona } })
    const { deduplicated, factsIngested, facts = [], replaced = [] } = reply
    return {
      ...{ stored: true, deduplicated, facts: factsIngested },
      learned: linesOf(facts, learnedTokens),
      replaced: linesOf(replaced, replacedTokens),
      scope: scopeOf(persona, input.session_id),
    }
  },
})

/** Together with the ids and the text of the facts it stays below 2,000. */
const contextTokens = 900

const recall = defineTool({
  name: 'recall',
  title: 'Recall',
  description:
    'Look up what is known from earlier conversations. Call it before you answer anything about the user, their people, projects, preferences or past decisions, and before you ask them something they may have said already.',
  input: z.object({
    query: query.describe('the question, in natural language'),
    k: whole('k', 1, 20).nullish().describe('how many results at most; 5 by default'),
    session_id: sessionArgument,
  }),
  output: z.object({
    context: z.string().describe('what is known, best first; empty when nothing is'),
    facts: z
      .array(
        z.object({
          id: z.string(),
          fact: z.string(),
          when: z.string().describe('the day it was learned'),
          score: z.number().describe('0.7 and more: directly relevant; 0.4: probably; 0.2: tangential'),
          outdated: z.boolean().optional().describe('true: something newer replaced it'),
        }),
      )
      .describe('the same, with the ids that forget takes'),
    none: z.boolean().optional().describe('true: nothing is known about this'),
    scope,
  }),
  annotations: reads,
  needsLlm: false,
  run: async (input, visit) => {
    const body = { ...input, persona: visit.persona }
    const reply = await visit.call(retrieve, retrieveReply, { body })
    const found = withinTokens(reply.facts, { maxTokens: contextTokens, maxCharacters: factCharacters })
    return {
      context: contextString(found),
      facts: found.map(({ id, fact, createdAt, score, superseded }) => ({
        id,
        fact,
        when: day(createdAt),
        score,
        ...(superseded ? { outdated: true } : {}),
      })),
      ...(found.length === 0 ? { none: true } : {}),
      scope: scopeOf(visit.persona, input.session_id),
    }
  },
})

const shownInPreview = 20

const forgetTool = defineTool({
  name: 'forget',
  title: 'Forget',
  description:
    'Remove memories for good, of every persona: by id, or everything about one entity, or one session. The first call removes nothing: it shows what would go, and a token. Show that to the user, and call again with the same arguments and the token as confirm.',
  input: z
    .object({
      ids: z.array(memoryId).min(1).max(100).nullish().describe('ids from recall or list'),
      entity: entityName.nullish().describe('a name: the facts about it and the texts they were read from'),
      session_id: sessionId.nullish().describe('everything of one session'),
      confirm: z.string().max(64).nullish().describe('the token of the first call, after the user agreed'),
    })
    .refine(
      ({ ids, entity, session_id }) => [ids, entity, session_id].filter((way) => way != null).length === 1,
      'give exactly one of ids, entity, session_id',
    ),
  output: z.object({
    removed: z.boolean().describe('false: this was the preview'),
    texts: z.int().describe('texts that are gone, or would go'),
    facts: z.int().describe('facts that are gone, or would go'),
    remaining: z.int().optional().describe('counted again after the removal: 0 is the proof'),
    memories: z.array(z.string()).optional().describe('what would go; the newest of it'),
    confirm: z.string().optional().describe('pass it as confirm to remove what is shown here'),
    note: z.string().optional(),
    scope,
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  needsLlm: false,
  run: async ({ confirm, ...way }, visit) => {
    const preview = await visit.call(forget, forgetReply, { body: { ...way, dry_run: true } })
    const shown = preview.memories ?? []
    const token = tokenOf([way, preview.chunks, preview.relations, shown.map(({ id }) => id)])
    const isGiven = confirm !== undefined && confirm !== null
    if (isGiven && confirm === token) {
      const gone = await visit.call(forget, forgetReply, { body: way })
      const remaining = gone.remaining ?? 0
      const { chunks: texts, relations: facts } = gone
      return { removed: true, texts, facts, remaining, scope: scopeOf(null) }
    }
    return {
      removed: false,
      texts: preview.chunks,
      facts: preview.relations,
      memories: shown.slice(0, shownInPreview).map(({ fact }) => shortened(fact, factCharacters)),
      confirm: token,
      ...(isGiven ? { note: 'What would go is not what was confirmed; nothing was removed.' } : {}),
      scope: scopeOf(null),
    }
  },
})

/** Changes with what would go, so that nothing is removed that was not shown. No secret: the key decides who may. */
function tokenOf(shown: unknown): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 12)
}

const list = defineTool({
  name: 'list',
  title: 'List',
  description:
    'List what is stored, newest first, page by page. For a question use recall; this is for looking through the memory.',
  input: z.object({
    type: z
      .enum(['episodic', 'semantic'], 'type must be episodic or semantic')
      .nullish()
      .describe('episodic: texts as they were told; semantic: the facts read from them'),
    session_id: sessionId.nullish().describe('of one session alone'),
    limit: whole('limit', 1, 20).nullish().describe('how many; 20 by default'),
    cursor: z.string().max(512).nullish().describe('next_cursor of the page before'),
  }),
  output: z.object({
    memories: z.array(z.object({ id: z.string(), fact: z.string(), when: z.string(), source: z.string() })),
    next_cursor: z.string().optional().describe('absent on the last page'),
    scope,
  }),
  annotations: reads,
  needsLlm: false,
  run: async ({ limit, ...input }, visit) => {
    const query = { ...input, limit: String(limit ?? 20), persona: visit.persona }
    const { memories, nextCursor } = await visit.call(listMemories, listReply, { query })
    return {
      memories: memories.map(({ id, fact, createdAt, source }) => ({
        id,
        fact: shortened(fact, factCharacters),
        when: day(createdAt),
        source,
      })),
      ...(nextCursor === null ? {} : { next_cursor: nextCursor }),
      scope: scopeOf(visit.persona, input.session_id),
    }
  },
})

const ask = defineTool({
  name: 'ask',
  title: 'Ask',
  description:
    'Let the server answer a question from its graph of facts, across several hops. The answer cites its facts as [n].',
  input: z.object({ query: query.describe('the question, in natural language') }),
  output: z.object({
    answer: z.string(),
    facts: z.array(z.string()).describe('the facts by number: [1] is the first'),
    scope,
  }),
  annotations: reads,
  needsLlm: true,
  run: async (input, visit) => {
    const body = { ...input, persona: visit.persona }
    const { answer, facts = [] } = await visit.call(graphQa, graphQaReply, { body })
    return {
      answer,
      facts: facts.map((fact) => shortened(fact, factCharacters)),
      scope: scopeOf(visit.persona),
    }
  },
})

/** In one order always: a list that moves spoils the caches of prompts. */
export const tools: readonly Tool[] = [remember, recall, forgetTool, list, ask]
