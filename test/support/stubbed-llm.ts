import type { Llm } from '../../src/memory/ports.ts'
import { createOpenAiLlm } from '../../src/models/llm/openai.ts'
import type { LlmStub } from './llm-stub.ts'

/** The real adapter, talking to the stub: it does not wait between two tries. */
export function stubbedLlm({ baseUrl }: LlmStub, timeoutMs = 2_000): Llm {
  const server = { baseUrl, apiKey: null, model: 'stub', timeoutMs }
  return createOpenAiLlm({ ...server, random: () => 0, wait: async () => {} })
}
