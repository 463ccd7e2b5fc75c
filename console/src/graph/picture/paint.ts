// Paints a graph: thousands of entities as well as ten. What is alike is one path, and what nobody sees is left out.
import type { Camera } from './camera.ts'
import type { Point, Scene } from './scene.ts'

type Context = CanvasRenderingContext2D

export interface Picture {
  readonly scene: Scene
  readonly radius: Float32Array
  /** The place of an entity. */
  readonly at: (node: number) => Point
  readonly bend: readonly number[]
  /** Entities, the most connected first. */
  readonly byWeight: readonly number[]
  readonly camera: Camera
  /** Entities; -1: none. */
  readonly selected: number
  readonly hovered: number
  /** Facts that are marked. */
  readonly path: ReadonlySet<number>
  readonly isMoving: boolean
  readonly colours: Colours
}

export interface Colours {
  readonly card: string
  readonly ink: string
  readonly soft: string
  readonly line: string
  readonly accent: string
  readonly font: string
}

/** While it is moved, of very many lines only so many are drawn. */
const movingEdges = 1_500
const manyNodes = 1_500
const manyEdges = 1_500
const mostLabels = 60

export function paint(context: Context, picture: Picture): void {
  const { canvas } = context
  const { scale, x, y } = picture.camera
  const { clientWidth: width, clientHeight: height } = canvas
  const ratio = canvas.width / Math.max(1, width)
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, width, height)
  if (picture.scene.nodes.length === 0) return
  const sight = {
    left: -x / scale,
    top: -y / scale,
    right: (width - x) / scale,
    bottom: (height - y) / scale,
  }
  context.setTransform(ratio * scale, 0, 0, ratio * scale, ratio * x, ratio * y)
  const edges = paintEdges(context, picture, sight)
  const nodes = paintNodes(context, picture, sight)
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  paintLabels(context, picture, nodes, edges)
}

interface Sight {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}
type Box = Sight

/** Lines of one kind are one stroke. Gives those that were drawn. */
function paintEdges(context: Context, picture: Picture, sight: Sight): readonly number[] {
  const { isMoving, selected, at: place, radius } = picture
  const { edges } = picture.scene
  const { scale } = picture.camera
  const isLarge = edges.length > manyEdges
  const step = isMoving ? Math.ceil(edges.length / movingEdges) : 1
  const lines = { plain: new Path2D(), over: new Path2D(), near: new Path2D(), path: new Path2D() }
  const arrows = new Path2D()
  const drawn: number[] = []
  for (let at = 0; at < edges.length; at += step) {
    const edge = edges[at]
    if (edge === undefined) continue
    const [fromX, fromY] = place(edge.from)
    const [toX, toY] = place(edge.to)
    if (
      Math.max(fromX, toX) < sight.left ||
      Math.min(fromX, toX) > sight.right ||
      Math.max(fromY, toY) < sight.top ||
      Math.min(fromY, toY) > sight.bottom
    )
      continue
    const isNear = selected >= 0 && (edge.from === selected || edge.to === selected)
    const line = picture.path.has(at)
      ? lines.path
      : edge.over
        ? lines.over
        : isNear
          ? lines.near
          : lines.plain
    line.moveTo(fromX, fromY)
    const bend = picture.bend[at] ?? 0
    if (edge.from === edge.to) {
      const r = (radius[edge.from] ?? 5) + 8
      line.moveTo(fromX + r, fromY - r)
      line.arc(fromX, fromY - r, r, 0, 2 * Math.PI)
    } else if (bend === 0) line.lineTo(toX, toY)
    else line.quadraticCurveTo(...middle([fromX, fromY], [toX, toY], 2 * bend), toX, toY)
    if (!isLarge && scale > 0.45 && edge.from !== edge.to) {
      const from = bend === 0 ? ([fromX, fromY] as const) : middle([fromX, fromY], [toX, toY], 2 * bend)
      arrow(arrows, from, [toX, toY], (radius[edge.to] ?? 5) + 2, 6)
    }
    drawn.push(at)
  }
  const { line, soft, accent } = picture.colours
  const stroke = (path: Path2D, colour: string, width: number, dash: readonly number[] = []) => {
    context.strokeStyle = colour
    context.lineWidth = width / scale
    context.setLineDash(dash.map((length) => length / scale))
    context.stroke(path)
  }
  // A net of thousands would be one grey mass.
  context.globalAlpha = isLarge ? 0.28 : 1
  stroke(lines.plain, line, isLarge ? 0.6 : 1.2)
  // Dashes of thousands of lines take long, and nobody sees them.
  stroke(lines.over, line, isLarge ? 0.6 : 1.2, isLarge ? [] : [5, 5])
  context.globalAlpha = isLarge ? 0.5 : 1
  stroke(lines.near, soft, 1.3)
  context.globalAlpha = 1
  stroke(lines.path, accent, 3)
  context.setLineDash([])
  context.fillStyle = soft
  context.fill(arrows)
  return drawn
}

function paintNodes(context: Context, picture: Picture, sight: Sight): readonly number[] {
  const { isMoving, at: place, radius } = picture
  const { nodes } = picture.scene
  const { scale } = picture.camera
  const { card, ink, soft, accent } = picture.colours
  const shapes = { strong: new Path2D(), plain: new Path2D(), ring: new Path2D(), seed: new Path2D() }
  const drawn: number[] = []
  const isRough = isMoving && nodes.length > manyNodes
  for (const at of picture.byWeight) {
    const node = nodes[at]
    if (node === undefined) continue
    const [x, y] = place(at)
    const r = radius[at] ?? 5
    if (x + r < sight.left || x - r > sight.right || y + r < sight.top || y - r > sight.bottom) continue
    const shape = shapes[node.seed ? 'seed' : node.look]
    // What is a few pixels wide needs no curve.
    if (isRough || r * scale < 2) shape.rect(x - r, y - r, 2 * r, 2 * r)
    else {
      shape.moveTo(x + r, y)
      shape.arc(x, y, r, 0, 2 * Math.PI)
    }
    drawn.push(at)
  }
  const fill = (path: Path2D, colour: string) => {
    context.fillStyle = colour
    context.fill(path)
  }
  fill(shapes.plain, soft)
  fill(shapes.strong, ink)
  fill(shapes.ring, card)
  context.strokeStyle = soft
  context.lineWidth = Math.min(2.5, 2 / scale)
  context.stroke(shapes.ring)
  fill(shapes.seed, accent)
  for (const [at, width] of [
    [picture.hovered, 1.5],
    [picture.selected, 3],
  ] as const) {
    if (at < 0) continue
    context.strokeStyle = accent
    context.lineWidth = width / scale
    context.beginPath()
    context.arc(...place(at), (radius[at] ?? 5) + 4 / scale, 0, 2 * Math.PI)
    context.stroke()
  }
  return drawn
}

/** Names of the largest, as many as have room; then what the lines mean, where there are few. */
function paintLabels(
  context: Context,
  picture: Picture,
  shown: readonly number[],
  shownEdges: readonly number[],
): void {
  const { isMoving, selected, at: place, radius, scene } = picture
  const { card, ink, soft, font } = picture.colours
  const { scale, x: cameraX, y: cameraY } = picture.camera
  const taken: Box[] = []
  const width = context.canvas.clientWidth
  const isFree = (box: Box) =>
    box.left >= 0 &&
    box.right <= width &&
    taken.every(
      (other) =>
        box.right < other.left || box.left > other.right || box.bottom < other.top || box.top > other.bottom,
    )
  const write = (text: string, x: number, y: number, size: number, colour: string, force = false) => {
    const half = widthOf(context, text, size, font) / 2 + 3
    const box = { left: x - half, right: x + half, top: y - size * 0.65, bottom: y + size * 0.65 }
    if (!force && !isFree(box)) return false
    taken.push(box)
    context.font = `${size}px ${font}`
    context.lineWidth = 4
    context.lineJoin = 'round'
    context.strokeStyle = card
    context.strokeText(text, x, y)
    context.fillStyle = colour
    context.fillText(text, x, y)
    return true
  }
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  const first = [selected, picture.hovered].filter((at) => at >= 0)
  // No name lies on another entity, as long as they are few.
  for (const at of shown.length <= 150 ? shown : []) {
    const [x, y] = place(at)
    const [screenX, screenY, r] = [x * scale + cameraX, y * scale + cameraY, (radius[at] ?? 5) * scale]
    taken.push({ left: screenX - r, right: screenX + r, top: screenY - r, bottom: screenY + r })
  }
  // Of many in sight only the largest have a name; who comes nearer sees more.
  const limit = shown.length <= manyNodes ? mostLabels : isMoving ? 12 : 24
  let written = 0
  for (const at of [...first, ...shown]) {
    const node = scene.nodes[at]
    if (node === undefined || (written >= limit && !first.includes(at))) break
    const [x, y] = place(at)
    const r = (radius[at] ?? 5) * scale
    const [screenX, screenY] = [x * scale + cameraX, y * scale + cameraY]
    const force = first.includes(at)
    const size = node.seed || force ? 14 : 12.5
    const name = shortened(node.name)
    const aside = r + size * 0.85
    const wide = r + widthOf(context, name, size, font) / 2 + 6
    const isWritten =
      write(name, screenX, screenY + aside, size, ink, force) ||
      write(name, screenX, screenY - aside, size, ink) ||
      write(name, screenX + wide, screenY, size, ink) ||
      write(name, screenX - wide, screenY, size, ink)
    if (isWritten) written++
    if (node.more > 0 && r > 5 && scene.nodes.length <= 400)
      write(`+${node.more}`, screenX + r + 13, screenY - r, 11, soft)
  }
  if (shownEdges.length > 90 || scale < 0.55) return
  for (const at of shownEdges) {
    const edge = scene.edges[at]
    if (edge === undefined) continue
    // Away from the larger one: its lines lie apart there.
    const [near, far] =
      (radius[edge.from] ?? 0) > (radius[edge.to] ?? 0) ? [edge.from, edge.to] : [edge.to, edge.from]
    const side = near === edge.from ? 1 : -1
    const [x, y] = along(place(near), place(far), 0.58, side * (picture.bend[at] ?? 0))
    write(shortened(edge.label), x * scale + cameraX, y * scale + cameraY, 11, soft)
  }
}

const widths = new Map<string, number>()

function widthOf(context: Context, text: string, size: number, font: string): number {
  const key = `${size} ${text}`
  const known = widths.get(key)
  if (known !== undefined) return known
  context.font = `${size}px ${font}`
  const { width } = context.measureText(text)
  widths.set(key, width)
  return width
}

const shortened = (text: string) =>
  text.length > 30 ? `${[...text.slice(0, 60)].slice(0, 29).join('')}…` : text

/** A share of the way, and aside by a share of the distance. */
function along([fromX, fromY]: Point, [toX, toY]: Point, share: number, aside: number): Point {
  const [byX, byY] = [toX - fromX, toY - fromY]
  return [fromX + share * byX - byY * aside, fromY + share * byY + byX * aside]
}

const middle = (from: Point, to: Point, aside: number) => along(from, to, 0.5, aside)

function arrow(path: Path2D, [fromX, fromY]: Point, [toX, toY]: Point, short: number, size: number): void {
  const angle = Math.atan2(toY - fromY, toX - fromX)
  const [tipX, tipY] = [toX - short * Math.cos(angle), toY - short * Math.sin(angle)]
  path.moveTo(tipX, tipY)
  for (const turn of [-0.4, 0.4])
    path.lineTo(tipX - size * Math.cos(angle + turn), tipY - size * Math.sin(angle + turn))
  path.closePath()
}

/** The colours of the page, as they are now. */
export function coloursOf(element: Element): Colours {
  // Properties hold `light-dark(…)`; only colours in use are resolved.
  const probe = document.createElement('span')
  element.after(probe)
  const style = getComputedStyle(probe)
  const colour = (name: string) => {
    probe.style.color = `var(${name})`
    return style.color
  }
  const colours = {
    ...{ card: colour('--card'), ink: colour('--ink'), soft: colour('--soft') },
    ...{ line: colour('--line-strong'), accent: colour('--accent'), font: style.fontFamily },
  }
  probe.remove()
  return colours
}
