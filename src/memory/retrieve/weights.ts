import { type FeatureName, featureNames } from './features.ts'
import fitted from './weights.json' with { type: 'json' }

/** Everything that was fitted, by `npm run bench:fit`. Nothing here is set by hand. */
export interface Weights {
  readonly chunk: Readonly<Record<FeatureName, number>>
  /** The logit of "this answers the question" from the linear score and the question's other candidates. */
  readonly calibration: {
    readonly slope: number
    readonly crowd: number
    readonly elsewhere: number
    readonly offset: number
  }
  /** Linear score of what is always in a crowd, so that a store with one text is not sure of it. */
  readonly background: number
  /** The logit for a text that is known by its own words and meaning alone. */
  readonly text: { readonly words: number; readonly meaning: number; readonly offset: number }
}

export const weights: Weights = fitted

/** The weights of the features, in their order. */
export function chunkWeights({ chunk }: Weights): Float64Array {
  return Float64Array.from(featureNames, (name) => chunk[name])
}
