import { type CommonScale, createCentredScale } from './common-scale.ts'
import fitted from './gte-small-scale.json' with { type: 'json' }

/** gte-small's way to the common scale, fitted on general text by bench/embedder/fit-scale.ts. */
export const gteSmallScale: CommonScale = createCentredScale(fitted.version, {
  shift: Float32Array.from(fitted.shift),
  directions: fitted.directions.map((direction) => Float32Array.from(direction)),
})
