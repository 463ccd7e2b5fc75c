// Where one looks at the graph from. A place of the graph is at `scale * place + (x, y)` of the canvas.
import type { Point } from './scene.ts'

export interface Camera {
  readonly scale: number
  readonly x: number
  readonly y: number
}

const zoomRange = { least: 0.02, most: 6 }
/** Few entities are not blown up to fill the canvas. */
const mostFitted = 2

const clamp = (scale: number) => Math.min(zoomRange.most, Math.max(zoomRange.least, scale))

/** All places, which come in pairs, in sight, with room for names around them. */
export function cameraOver(
  positions: Float32Array,
  { width, height }: { readonly width: number; readonly height: number },
): Camera {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let at = 0; at < positions.length; at += 2) {
    const [x, y] = [positions[at] ?? 0, positions[at + 1] ?? 0]
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  const margin = { x: Math.min(72, width / 6), y: 44 }
  const scale = clamp(
    Math.min(
      mostFitted,
      (width - 2 * margin.x) / Math.max(1, right - left),
      (height - 2 * margin.y) / Math.max(1, bottom - top),
    ),
  )
  return { scale, x: width / 2 - (scale * (left + right)) / 2, y: height / 2 - (scale * (top + bottom)) / 2 }
}

export const movedBy = ({ scale, x, y }: Camera, [byX, byY]: Point): Camera => ({
  scale,
  x: x + byX,
  y: y + byY,
})

/** What lies at this place of the canvas stays there. */
export function zoomedAt(camera: Camera, factor: number, [x, y]: Point): Camera {
  const scale = clamp(camera.scale * factor)
  const change = scale / camera.scale
  return { scale, x: x - (x - camera.x) * change, y: y - (y - camera.y) * change }
}

/** A place of the canvas as one of the graph. */
export const inWorld = ({ scale, x, y }: Camera, [atX, atY]: Point): Point => [
  (atX - x) / scale,
  (atY - y) / scale,
]
