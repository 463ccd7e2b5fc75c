// Mouse, pen and fingers on the canvas of the graph.
import type { Point } from './scene.ts'

/** What they can do with it. Places are those of the canvas, entities are places in the scene, -1 none. */
export interface Touched {
  hit(at: Point): number
  hover(node: number): void
  select(node: number): void
  expand(node: number): void
  /** Null: it is let go. */
  drag(node: number, to: Point | null): void
  move(by: Point): void
  zoom(factor: number, at: Point): void
}

/** Nearer than this is a press, and no drag. */
const slackPixels = 4

export function listenToPointers(canvas: HTMLCanvasElement, touched: Touched, signal: AbortSignal): void {
  const pointers = new Map<number, Point>()
  let drag: { readonly node: number; readonly start: Point; moved: boolean } | null = null
  const here = (event: MouseEvent): Point => {
    const { left, top } = canvas.getBoundingClientRect()
    return [event.clientX - left, event.clientY - top]
  }
  const on = <Name extends keyof HTMLElementEventMap>(
    name: Name,
    hear: (event: HTMLElementEventMap[Name]) => void,
  ) => canvas.addEventListener(name, hear, { signal, passive: false })

  on('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId)
    const at = here(event)
    pointers.set(event.pointerId, at)
    drag = pointers.size === 1 ? { node: touched.hit(at), start: at, moved: false } : null
  })
  on('pointermove', (event) => {
    const now = here(event)
    const last = pointers.get(event.pointerId)
    if (last === undefined) return touched.hover(touched.hit(now))
    const before = pinch([...pointers.values()])
    pointers.set(event.pointerId, now)
    const after = pinch([...pointers.values()])
    if (before !== null && after !== null) {
      touched.move(between(before.middle, after.middle))
      touched.zoom(after.apart / Math.max(1, before.apart), after.middle)
      return
    }
    if (drag === null) return
    if (Math.hypot(...between(drag.start, now)) > slackPixels) drag.moved = true
    if (!drag.moved) return
    if (drag.node >= 0) touched.drag(drag.node, now)
    else touched.move(between(last, now))
  })
  const up = (event: PointerEvent) => {
    pointers.delete(event.pointerId)
    if (drag === null) return
    if (drag.moved && drag.node >= 0) touched.drag(drag.node, null)
    if (!drag.moved && event.type === 'pointerup') touched.select(drag.node)
    drag = null
  }
  on('pointerup', up)
  on('pointercancel', up)
  on('pointerleave', () => touched.hover(-1))
  on('dblclick', (event) => touched.expand(touched.hit(here(event))))
  on('wheel', (event) => {
    // Until somebody has gone into the graph the wheel is for the page.
    if (!event.ctrlKey && document.activeElement !== canvas) return
    event.preventDefault()
    touched.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), here(event))
  })
}

const between = ([fromX, fromY]: Point, [toX, toY]: Point): Point => [toX - fromX, toY - fromY]

/** Two fingers: how far apart, and what lies between them; null: there are not two. */
function pinch([first, second]: readonly Point[]) {
  if (first === undefined || second === undefined) return null
  const [byX, byY] = between(first, second)
  return { apart: Math.hypot(byX, byY), middle: [first[0] + byX / 2, first[1] + byY / 2] as const }
}
