import type { CallbackManagerForRetrieverRun } from '@langchain/core/callbacks/manager'
import { Document } from '@langchain/core/documents'
import { type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers'
import { createMiddleware } from 'langchain'
import type { Memoryd, RetrieveRequest } from './client.ts'
import { type MemoryScope, rememberTurn } from './scope.ts'

/**
 * Middleware for `createAgent` of LangChain 1: what is known about the user's message stands in the system prompt, and
 * the turn is remembered when the agent is done. Memory that cannot be reached never fails the agent.
 */
export function memoryMiddleware(client: Memoryd, scope: MemoryScope = {}) {
  return createMiddleware({
    name: 'memoryd',
    wrapModelCall: async (request, handler) => {
      const asked = lastHuman(request.messages)
      const block = asked === null ? null : await rememberTurn.before(client, scope, asked)
      if (block === null) return handler(request)
      return handler({ ...request, systemMessage: request.systemMessage.concat(block) })
    },
    afterAgent: async ({ messages }) => {
      const asked = lastHuman(messages)
      const answer = messages.at(-1)
      if (asked !== null && answer !== undefined)
        await rememberTurn.after(client, scope, { asked, answer: answer.text })
    },
  })
}

function lastHuman(messages: readonly BaseMessage[]): string | null {
  const text = messages.findLast((message) => HumanMessage.isInstance(message))?.text ?? ''
  return text.trim() === '' ? null : text
}

export interface MemorydRetrieverInput extends BaseRetrieverInput {
  readonly client: Memoryd
  /** Sent with every question: persona, session_id, k and so on. */
  readonly request?: Omit<RetrieveRequest, 'query'> | undefined
}

/** What memoryd knows, as documents with their score and id in the metadata. */
export class MemorydRetriever extends BaseRetriever {
  override readonly lc_namespace = ['memoryd', 'retrievers']
  readonly #client: Memoryd
  readonly #request: Omit<RetrieveRequest, 'query'>

  static override lc_name() {
    return 'MemorydRetriever'
  }

  constructor({ client, request = {}, ...rest }: MemorydRetrieverInput) {
    super(rest)
    this.#client = client
    this.#request = request
  }

  override async _getRelevantDocuments(query: string, _run?: CallbackManagerForRetrieverRun) {
    const { facts } = await this.#client.recall({ ...this.#request, query })
    return facts.map(({ fact, metadata, ...rest }) => {
      return new Document({ pageContent: fact, metadata: { ...metadata, ...rest } })
    })
  }
}
