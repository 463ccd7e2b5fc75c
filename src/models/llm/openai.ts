import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, generateText, type LanguageModel, NoObjectGeneratedError, Output } from 'ai'
import { z } from 'zod'
import { ServiceError } from '../../core/errors.ts'
import type { Llm, LlmRequest } from '../../memory/ports.ts'
import { realWait, type Wait, withOneRetry } from './attempts.ts'
import { createBoundedFetch } from './bounded-fetch.ts'
import { createLimit } from './limit.ts'
import { readObject } from './repair.ts'

export interface OpenAiLlmParts {
  /** Ends in `/v1`. */
  readonly baseUrl: string
  /** Null for servers that ask for none. */
  readonly apiKey: string | null
  readonly model: string
  /** For one call, its retry included. */
  readonly timeoutMs: number
  readonly random: () => number
  readonly wait?: Wait
}

/** Far above any answer asked for here, far below what hurts. */
const maxReplyBytes = 1_048_576

/** Calls at once: a batch of a hundred texts must not become a hundred calls that the server turns away. */
const callsAtOnce = 8

/**
 * A model behind the OpenAI chat protocol. One retry; whatever goes wrong in the end (network, status, time, size,
 * form) is ServiceError `llm_unavailable`, with the cause for the log.
 */
export function createOpenAiLlm(parts: OpenAiLlmParts): Llm {
  const provider = createOpenAICompatible({
    name: 'llm',
    baseURL: parts.baseUrl,
    fetch: createBoundedFetch(maxReplyBytes),
    supportsStructuredOutputs: true,
    ...(parts.apiKey === null ? {} : { apiKey: parts.apiKey }),
  })
  const model = provider.chatModel(parts.model)
  const limit = createLimit(callsAtOnce)
  // Schemas and temperatures are not taken everywhere. Who refuses one is asked without from then on.
  let takesOptions = true

  const call = async <T>(request: LlmRequest, ask: Ask<T>): Promise<T> => {
    const timeout = AbortSignal.timeout(parts.timeoutMs)
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout
    const attempt = async () => {
      try {
        return await ask({ model, signal, options: takesOptions })
      } catch (failure) {
        if (!takesOptions || !isRefusal(failure)) throw failure
        takesOptions = false
        return await ask({ model, signal, options: false })
      }
    }
    try {
      return await withOneRetry(attempt, { signal, random: parts.random, wait: parts.wait ?? realWait })
    } catch (cause) {
      throw cause instanceof ServiceError ? cause : unavailable(cause)
    }
  }

  return {
    text: (request) => limit(() => call(request, (target) => askText(target, request))),
    object: (schema, request) =>
      limit(() =>
        call(request, (target) =>
          target.options ? askStructured(target, schema, request) : askDescribed(target, schema, request),
        ),
      ),
  }
}

interface Target {
  readonly model: LanguageModel
  readonly signal: AbortSignal
  /** Whether a schema and a temperature may go along. */
  readonly options: boolean
}

type Ask<T> = (target: Target) => Promise<T>

async function askText(target: Target, request: LlmRequest): Promise<string> {
  const { text } = await generateText({ model: target.model, ...settings(request, target) })
  return nonEmpty(withoutThinking(text))
}

/** The schema goes along as `response_format`, which most servers hold the model to. */
async function askStructured<T>(target: Target, schema: z.ZodType<T>, request: LlmRequest): Promise<T> {
  try {
    const output = Output.object({ schema })
    const { model } = target
    const result = await generateText({ model, output, ...settings(described(schema, request), target) })
    return result.output
  } catch (failure) {
    if (!NoObjectGeneratedError.isInstance(failure)) throw failure
    return readReply(failure.text ?? '', schema)
  }
}

/** For servers that know no schemas: it stands in the system part alone. */
async function askDescribed<T>(target: Target, schema: z.ZodType<T>, request: LlmRequest): Promise<T> {
  return readReply(await askText(target, described(schema, request)), schema)
}

function settings({ system, prompt, maxTokens }: LlmRequest, { signal, options }: Target) {
  return {
    ...{ instructions: system, prompt, maxOutputTokens: maxTokens, maxRetries: 0, abortSignal: signal },
    ...(options ? { temperature: 0 } : {}),
  }
}

function described<T>(schema: z.ZodType<T>, request: LlmRequest): LlmRequest {
  const shape = JSON.stringify(z.toJSONSchema(schema, { io: 'input' }))
  return {
    ...request,
    system: `${request.system}\nAnswer with one JSON object of this schema and nothing else:\n${shape}`,
  }
}

function readReply<T>(text: string, schema: z.ZodType<T>): T {
  const value = readObject(withoutThinking(text), schema)
  if (value === null) throw unavailable(new Error('the reply does not have the form that was asked for'))
  return value
}

/** Reasoning models put their thoughts in front of the answer. */
function withoutThinking(text: string): string {
  return text.replace(/^\s*<think>[\s\S]*?(?:<\/think>|$)/, '').trim()
}

function nonEmpty(text: string): string {
  if (text === '') throw unavailable(new Error('the reply is empty'))
  return text
}

function isRefusal(failure: unknown): boolean {
  return APICallError.isInstance(failure) && (failure.statusCode === 400 || failure.statusCode === 422)
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError('llm_unavailable', { detail: 'The language model is not available.', cause })
}
