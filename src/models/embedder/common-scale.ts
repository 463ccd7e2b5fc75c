import { normalize, type Vector } from '../../core/vectors.ts'

/** Maps unit vectors of one model to the common scale: unrelated texts near 0, near-identical ones from 0.92. */
export interface CommonScale {
  /** Stored with every vector: vectors of another version must not be compared with these. */
  readonly version: string
  map(vector: Vector): Vector
}

/** For models whose unrelated texts already are near 0. */
export const identityScale: CommonScale = { version: 'identity', map: (vector) => vector }

/**
 * Takes away what all texts have in common. Models trained by contrast put every text into a cone around one direction;
 * the angle that carries meaning is the one seen from near the middle of that cone, which is `shift`.
 */
export function createCentredScale(version: string, shift: Vector): CommonScale {
  return {
    version,
    map: (vector) => normalize(vector.map((value, i) => value - (shift[i] ?? 0))),
  }
}
