import type { Vector } from '../../core/vectors.ts'
import type { Embedder } from '../../memory/ports.ts'
import { assertSound, combineWindows } from './combine.ts'
import { type CommonScale, createCentredScale, identityScale } from './common-scale.ts'
import { type EndpointWatch, watchEndpoint } from './endpoint-watch.ts'
import { createRecentTexts, RECENT_BYTES, remembering } from './recent-texts.ts'
import { createEmbeddingsEndpoint, type EmbeddingsEndpoint, type EndpointParts } from './remote-endpoint.ts'
import { characterWindows } from './windows.ts'

export interface RemoteEmbedderParts extends EndpointParts {
  /** Mean vector of general text under this model. Without it the model's cosines are taken as they are. */
  readonly mean?: { readonly version: string; readonly vector: Vector }
  /** Longer texts are sent in parts of at most this many characters, and the parts' vectors combined. */
  readonly maxCharacters?: number
  /** Texts and vectors remembered, in bytes. */
  readonly recentBytes?: number
}

/** About 2,000 tokens of English: inside the window of every common long-context model. */
const MAX_CHARACTERS = 8_000

/** Parts of texts sent in one request. */
const PARTS_A_REQUEST = 64

/** Every vector of a call, one request after another: an endpoint is not to be flooded by one caller. */
async function inRequests(
  endpoint: EmbeddingsEndpoint,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<Vector[]> {
  const vectors: Vector[] = []
  for (let start = 0; start < texts.length; start += PARTS_A_REQUEST) {
    vectors.push(...(await endpoint(texts.slice(start, start + PARTS_A_REQUEST), signal)))
  }
  return vectors
}

const scaleOf = ({ mean }: RemoteEmbedderParts): CommonScale =>
  mean ? createCentredScale(mean.version, mean.vector) : identityScale

/**
 * Any OpenAI-compatible embeddings endpoint. Asks it for one vector when `dimensions` is not given. Rejects with
 * `deadline_exceeded` when it is too slow and with `embedder_unavailable` when it fails twice. It has no token vectors.
 */
export async function createRemoteEmbedder(
  parts: RemoteEmbedderParts,
): Promise<Embedder & { close(): Promise<void> }> {
  let watch: EndpointWatch | null = null
  const saw = (problem: string | null) => watch?.saw(problem)
  const endpoint = createEmbeddingsEndpoint({ ...parts, saw })
  const scale = scaleOf(parts)
  const dimensions = parts.dimensions ?? (await endpoint(['dimensions'], undefined))[0]?.length ?? 0
  watch = watchEndpoint(() => endpoint(['probe'], undefined))
  const recent = createRecentTexts(parts.recentBytes ?? RECENT_BYTES)

  const fresh: Embedder['encode'] = async (texts, signal) => {
    const windows = texts.map((text) => characterWindows(text, parts.maxCharacters ?? MAX_CHARACTERS))
    const vectors = await inRequests(endpoint, windows.flat(), signal)
    let next = 0
    return windows.map((ofText) => {
      const weighted = ofText.map((window) => {
        const vector = assertSound(vectors[next++] ?? new Float32Array(), dimensions)
        return { vector, tokens: null, weight: window.length }
      })
      const { vector, tokens } = combineWindows(weighted)
      return { vector: scale.map(vector), tokens }
    })
  }

  return {
    identity: { model: parts.model, weights: parts.baseUrl, scale: scale.version, dimensions },
    ...remembering(recent, fresh),
    problem: () => {
      const problem = watch?.problem() ?? null
      return problem === null ? null : `the embeddings endpoint ${problem}`
    },
    close: async () => watch?.close(),
  }
}
