import { dot, normalize, type Vector } from '../../core/vectors.ts'

/** Maps unit vectors of one model to the common scale: unrelated texts near 0, near-identical ones from 0.92. */
export interface CommonScale {
  /** Stored with every vector: vectors of another version must not be compared with these. */
  readonly version: string
  map(vector: Vector): Vector
}

/** For models whose unrelated texts already are near 0. */
export const identityScale: CommonScale = { version: 'identity', map: (vector) => vector }

export interface CommonPart {
  /** Taken off every vector. */
  readonly shift: Vector
  /** Unit directions, at right angles, that tell kinds of text apart and not what a text says: left out. */
  readonly directions: readonly Vector[]
}

/**
 * Takes away what all texts have in common. Models trained by contrast put every text into a narrow cone around
 * one direction; the angle that carries meaning is the one seen from the middle of that cone.
 */
export function createCentredScale(version: string, { shift, directions }: CommonPart): CommonScale {
  return {
    version,
    map: (vector) => {
      const rest = vector.map((value, i) => value - (shift[i] ?? 0))
      for (const direction of directions) {
        const along = dot(direction, vector)
        for (let i = 0; i < rest.length; i++) rest[i] = (rest[i] ?? 0) - along * (direction[i] ?? 0)
      }
      return normalize(rest)
    },
  }
}
