import { tool } from '@openai/agents'
import { z } from 'zod'
import type { Memoryd } from './client.ts'
import { type MemoryScope, readMemory, storeText } from './scope.ts'

/** Tools for the OpenAI Agents SDK: `new Agent({ tools: memoryTools(client) })`. */
export function memoryTools(client: Memoryd, scope: MemoryScope = {}) {
  return [
    tool({
      name: 'remember',
      description: 'Stores one statement in long-term memory. Use it when you learn something worth keeping.',
      parameters: z.object({ text: z.string().describe('the statement, complete in itself') }),
      execute: ({ text }) => storeText(client, scope, text),
    }),
    tool({
      name: 'recall',
      description:
        'Looks up long-term memory. Use it before you answer anything about the user or earlier talks.',
      parameters: z.object({ question: z.string().describe('what you want to know') }),
      execute: ({ question }) => readMemory(client, scope, question),
    }),
  ]
}
