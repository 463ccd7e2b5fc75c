import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { StubCall } from '../../test/support/llm-stub.ts'
import type { FetchedModel } from './fetch.ts'

/** The part of node-llama-cpp that is used here; the package is not a dependency of this project. */
interface Runtime {
  getLlama(options: object): Promise<{
    loadModel(options: { modelPath: string }): Promise<{
      createContext(options: { contextSize: number }): Promise<{
        getSequence(): object
        dispose(): Promise<void>
      }>
    }>
  }>
  LlamaChatSession: new (options: {
    contextSequence: object
    systemPrompt?: string
  }) => {
    prompt(text: string, options: { maxTokens: number; temperature: number }): Promise<string>
  }
}

/** Answers one call of the chat protocol. */
export type Answer = (call: StubCall) => Promise<string>

const contextSize = 2_048
const maxTokens = 200

/** Loads the model. Each call gets a context of its own: nothing of one is left for the next. */
export async function loadTinyLlama({ folder, modelFile }: FetchedModel): Promise<Answer> {
  const entry = createRequire(path.join(folder, 'package.json')).resolve('node-llama-cpp')
  const runtime = (await import(pathToFileURL(entry).href)) as Runtime
  const llama = await runtime.getLlama({ gpu: false, build: 'never', logLevel: 'error' })
  const model = await llama.loadModel({ modelPath: modelFile })
  return async ({ messages }) => {
    const of = (wanted: string) =>
      messages
        .filter(({ role }) => role === wanted)
        .map(({ content }) => content)
        .join('\n')
    const context = await model.createContext({ contextSize })
    try {
      const session = new runtime.LlamaChatSession({
        contextSequence: context.getSequence(),
        systemPrompt: of('system'),
      })
      return await session.prompt(of('user'), { maxTokens, temperature: 0 })
    } finally {
      await context.dispose()
    }
  }
}
