import type { LanguageModelV4Message, LanguageModelV4Middleware } from '@ai-sdk/provider'
import { type ToolSet, tool } from 'ai'
import { z } from 'zod'
import type { Memoryd } from './client.ts'
import { type MemoryScope, readMemory, rememberTurn, storeText } from './scope.ts'

/** Tools for the AI SDK: the model decides when to remember and when to recall. */
export function memoryTools(client: Memoryd, scope: MemoryScope = {}) {
  return {
    remember: tool({
      description: 'Stores one statement in long-term memory. Use it when you learn something worth keeping.',
      inputSchema: z.object({ text: z.string().describe('the statement, complete in itself') }),
      execute: ({ text }, { abortSignal }) => storeText(client, scope, text, abortSignal),
    }),
    recall: tool({
      description:
        'Looks up long-term memory. Use it before you answer anything about the user or earlier talks.',
      inputSchema: z.object({ question: z.string().describe('what you want to know') }),
      execute: ({ question }, { abortSignal }) => readMemory(client, scope, question, abortSignal),
    }),
  } satisfies ToolSet
}

/**
 * Middleware for the AI SDK's `wrapLanguageModel`: what is known about the user's message stands in the prompt before the
 * model thinks, and the turn is remembered after it. Memory that cannot be reached never fails the model.
 */
export function memoryMiddleware(client: Memoryd, scope: MemoryScope = {}): LanguageModelV4Middleware {
  return {
    specificationVersion: 'v4',
    transformParams: async ({ params }) => {
      const asked = lastUserText(params.prompt)
      if (asked === null) return params
      const block = await rememberTurn.before(client, scope, asked, params.abortSignal)
      return block === null
        ? params
        : { ...params, prompt: [{ role: 'system', content: block }, ...params.prompt] }
    },
    wrapGenerate: async ({ doGenerate, params }) => {
      const result = await doGenerate()
      const answer = result.content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('')
      await remember(client, scope, params.prompt, answer)
      return result
    },
    wrapStream: async ({ doStream, params }) => {
      const { stream, ...rest } = await doStream()
      let answer = ''
      const watched = stream.pipeThrough(
        new TransformStream({
          transform: (part, controller) => {
            if (part.type === 'text-delta') answer += part.delta
            controller.enqueue(part)
          },
          flush: () => remember(client, scope, params.prompt, answer),
        }),
      )
      return { stream: watched, ...rest }
    },
  }
}

async function remember(
  client: Memoryd,
  scope: MemoryScope,
  prompt: readonly LanguageModelV4Message[],
  answer: string,
): Promise<void> {
  const asked = lastUserText(prompt)
  if (asked !== null) await rememberTurn.after(client, scope, { asked, answer })
}

/** The user's message, if it is the last one: steps after a tool call come back with the same prompt and more. */
function lastUserText(prompt: readonly LanguageModelV4Message[]): string | null {
  const last = prompt.at(-1)
  if (last?.role !== 'user') return null
  const text = last.content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n')
  return text.trim() === '' ? null : text
}
