import { readFile } from 'node:fs/promises'
import { Tokenizer } from '@huggingface/tokenizers'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import type { Vector } from '../../core/vectors.ts'
import { ACTIVATION_CENTRE, type Precision, WIDTH } from './encoder-graph.ts'
import { readModelFile } from './model-files.ts'
import { type Window, windowsOf } from './windows.ts'

/** Text to windows of token ids. */
export type Splitter = (text: string) => readonly Window[]

/** The published tokenizer. Its files are checked against their hashes. */
export async function openSplitter(): Promise<Splitter> {
  const read = async (name: string): Promise<object> =>
    JSON.parse((await readModelFile(name)).toString('utf8'))
  const tokenizer = new Tokenizer(await read('tokenizer.json'), await read('tokenizer_config.json'))
  const mark = (token: string): number => {
    const id = tokenizer.token_to_id(token)
    if (id === undefined) throw new Error(`Embedding model: the tokenizer has no ${token}`)
    return id
  }
  const marks = { first: mark('[CLS]'), last: mark('[SEP]') }
  return (text) => windowsOf(tokenizer.encode(text, { add_special_tokens: false }).ids, marks)
}

/** Runs windows of one common length; one pooled vector each, not yet of unit length. */
export interface Encoder {
  encode(windows: readonly (readonly number[])[]): Promise<readonly Vector[]>
  close(): Promise<void>
}

export interface EncoderParts {
  /** A path, or the bytes of a file that could not be stored. */
  readonly model: string | Uint8Array
  readonly precision: Precision
  readonly threads: number
}

function inputsFor(windows: readonly (readonly number[])[], precision: Precision): Record<string, Tensor> {
  const length = windows[0]?.length ?? 0
  const rows = windows.length * length
  const tokens = new BigInt64Array(rows)
  const positions = new BigInt64Array(rows)
  windows.forEach((window, w) => {
    if (window.length !== length) throw new Error('Embedding model: windows of unequal length')
    window.forEach((token, i) => {
      tokens[w * length + i] = BigInt(token)
      positions[w * length + i] = BigInt(i)
    })
  })
  const shape = BigInt64Array.of(BigInt(windows.length), BigInt(length), -1n)
  const inputs = {
    token_ids: new Tensor('int64', tokens, [rows]),
    positions: new Tensor('int64', positions, [rows]),
    shape: new Tensor('int64', shape, [3]),
    share: new Tensor('float32', new Float32Array(rows).fill(1 / length), [windows.length, 1, length]),
  }
  if (precision === 'fp32') return inputs
  return { ...inputs, centres: new Tensor('uint8', new Uint8Array(rows).fill(ACTIVATION_CENTRE), [rows]) }
}

/**
 * Processors of the x86 family without VNNI add products of unsigned and signed bytes in 16 bits, which overflow.
 * onnxruntime has a slower exact way for them; it is taken wherever the processor does not say that it has VNNI.
 */
async function exactProducts(): Promise<Record<string, unknown>> {
  if (process.arch !== 'x64') return {}
  const processor = await readFile('/proc/cpuinfo', 'utf8').catch(() => '')
  return /\bavx(512)?_vnni\b/.test(processor) ? {} : { extra: { session: { x64quantprecision: '1' } } }
}

/** Loads an encoder file. */
export async function openEncoder({ model, precision, threads }: EncoderParts): Promise<Encoder> {
  const options: InferenceSession.SessionOptions = {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // The arena never gives memory back; it stays small because no run is longer than one full window.
    enableCpuMemArena: true,
    // Errors alone.
    logSeverityLevel: 3,
    ...(await exactProducts()),
  }
  const session =
    typeof model === 'string'
      ? await InferenceSession.create(model, options)
      : await InferenceSession.create(model, options)
  return {
    encode: async (windows) => {
      const { pooled } = await session.run(inputsFor(windows, precision))
      const data = pooled?.data
      if (!(data instanceof Float32Array) || data.length !== windows.length * WIDTH) {
        throw new Error('Embedding model: the output does not have the expected size')
      }
      return windows.map((_, w) => data.slice(w * WIDTH, (w + 1) * WIDTH))
    },
    close: () => session.release(),
  }
}
