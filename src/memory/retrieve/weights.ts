import { type FeatureName, featureNames } from './features.ts'
import fitted from './weights.json' with { type: 'json' }

/** Everything that was fitted, by `npm run bench:fit`. Nothing here is set by hand. */
export interface Weights {
  readonly chunk: Readonly<Record<FeatureName, number>>
  /** Logit of "this is it", given that an answer is among the candidates. */
  readonly choice: { readonly linear: number; readonly crowd: number; readonly offset: number }
  /** Logit of "the memory speaks of the matter at all". */
  readonly topic: { readonly words: number; readonly meaning: number; readonly offset: number }
  /** Logit of "an answer is among the candidates", given that. */
  readonly answerable: {
    readonly words: number
    readonly meaning: number
    readonly elsewhere: number
    readonly offset: number
  }
  /** The logit for a text that is known by its own words and meaning alone. */
  readonly text: { readonly words: number; readonly meaning: number; readonly offset: number }
}

export const weights: Weights = fitted

/** The weights of the features, in their order. */
export function chunkWeights({ chunk }: Weights): Float64Array {
  return Float64Array.from(featureNames, (name) => chunk[name])
}
