import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, generateText, type LanguageModel, NoObjectGeneratedError, Output } from 'ai'
import { z } from 'zod'
import { ServiceError } from '../../core/errors.ts'
import type { Llm, LlmRequest } from '../../memory/ports.ts'
import { realWait, type Wait, withOneRetry } from './attempts.ts'
import { createBoundedFetch } from './bounded-fetch.ts'
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
  let takesSchemas = true

  const call = async <T>(request: LlmRequest, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const timeout = AbortSignal.timeout(parts.timeoutMs)
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout
    const retry = { signal, random: parts.random, wait: parts.wait ?? realWait }
    try {
      return await withOneRetry(() => attempt(signal), retry)
    } catch (cause) {
      throw cause instanceof ServiceError ? cause : unavailable(cause)
    }
  }

  return {
    text: (request) => call(request, (signal) => askText(model, request, signal)),
    object: (schema, request) =>
      call(request, async (signal) => {
        if (takesSchemas) {
          try {
            return await askStructured(model, schema, request, signal)
          } catch (failure) {
            if (!refusesSchema(failure)) throw failure
            takesSchemas = false
          }
        }
        return await askDescribed(model, schema, request, signal)
      }),
  }
}

async function askText(model: LanguageModel, request: LlmRequest, signal: AbortSignal): Promise<string> {
  const { text } = await generateText({ model, ...settings(request, signal) })
  return nonEmpty(withoutThinking(text))
}

/** The schema goes along as `response_format`, which most servers hold the model to. */
async function askStructured<T>(
  model: LanguageModel,
  schema: z.ZodType<T>,
  request: LlmRequest,
  signal: AbortSignal,
): Promise<T> {
  try {
    const output = Output.object({ schema })
    const result = await generateText({ model, output, ...settings(described(schema, request), signal) })
    return result.output
  } catch (failure) {
    if (!NoObjectGeneratedError.isInstance(failure)) throw failure
    return readReply(failure.text ?? '', schema)
  }
}

/** For servers that know no schemas: it stands in the system part alone. */
async function askDescribed<T>(
  model: LanguageModel,
  schema: z.ZodType<T>,
  request: LlmRequest,
  signal: AbortSignal,
): Promise<T> {
  return readReply(await askText(model, described(schema, request), signal), schema)
}

function settings({ system, prompt, maxTokens }: LlmRequest, signal: AbortSignal) {
  return {
    instructions: system,
    prompt,
    maxOutputTokens: maxTokens,
    temperature: 0,
    maxRetries: 0,
    abortSignal: signal,
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

function refusesSchema(failure: unknown): boolean {
  return APICallError.isInstance(failure) && (failure.statusCode === 400 || failure.statusCode === 422)
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError('llm_unavailable', { detail: 'The language model is not available.', cause })
}
