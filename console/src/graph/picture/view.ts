// A graph on a canvas, to be moved, zoomed and walked through by pointer, touch and keys.
import { type Quadtree, quadtree } from 'd3-quadtree'
import { type Camera, cameraOver, inWorld, movedBy, zoomedAt } from './camera.ts'
import { createLayout, type Layout } from './layout.ts'
import { type Colours, coloursOf, paint } from './paint.ts'
import { listenToPointers, type Touched } from './pointers.ts'
import { bendsOf, neighboursOf, type Point, placesOf, radiusOf, type Scene } from './scene.ts'

export interface ViewHandlers {
  select(id: string | null): void
  expand(id: string): void
  collapse(id: string): void
}

const restMs = 140
/** From here on laying out and drawing get into each other's way. */
const largeNodes = 600

export class GraphView {
  readonly #canvas: HTMLCanvasElement
  readonly #context: CanvasRenderingContext2D
  readonly #handlers: ViewHandlers
  readonly #layout: Layout
  readonly #end = new AbortController()
  readonly #isStill = matchMedia('(prefers-reduced-motion: reduce)')
  #scene: Scene = { nodes: [], edges: [] }
  #radius = new Float32Array()
  #positions = new Float32Array()
  #bend: readonly number[] = []
  /** Places of nodes, the most connected first. */
  #byWeight: readonly number[] = []
  #neighbours: readonly (readonly number[])[] = []
  #tree: Quadtree<number> | null = null
  #selected: string | null = null
  #path: ReadonlySet<number> = new Set()
  #hovered = -1
  #camera: Camera = { scale: 1, x: 0, y: 0 }
  /** The camera keeps all in sight until somebody moves it. */
  #follows = true
  #colours: Colours
  #frame = 0
  #movedAt = Number.NEGATIVE_INFINITY
  /** Places still change, many times a second. */
  #isSettling = false
  #rest: ReturnType<typeof setTimeout> | undefined

  constructor(canvas: HTMLCanvasElement, handlers: ViewHandlers) {
    const context = canvas.getContext('2d')
    if (context === null) throw new Error('this browser cannot draw')
    this.#canvas = canvas
    this.#context = context
    this.#handlers = handlers
    this.#colours = coloursOf(canvas)
    this.#layout = createLayout((positions, done) => this.#place(positions, done))
    const { signal } = this.#end
    const sizes = new ResizeObserver(() => this.#resize())
    sizes.observe(canvas)
    signal.addEventListener('abort', () => sizes.disconnect())
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const recolour = () => {
      this.#colours = coloursOf(canvas)
      this.#redraw()
    }
    scheme.addEventListener('change', recolour, { signal })
    const theme = new MutationObserver(recolour)
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    signal.addEventListener('abort', () => theme.disconnect())
    listenToPointers(canvas, this.#touched(), signal)
    canvas.addEventListener('keydown', (event) => this.#key(event), { signal })
  }

  close(): void {
    this.#end.abort()
    this.#layout.stop()
    cancelAnimationFrame(this.#frame)
    clearTimeout(this.#rest)
  }

  /** Entities that were there keep their places; new ones begin beside one that they are connected with. */
  show(scene: Scene): void {
    const before = new Map(this.#scene.nodes.map(({ id }, at) => [id, this.#at(at)]))
    const isSame =
      scene.nodes.length === before.size &&
      scene.edges.length === this.#scene.edges.length &&
      scene.nodes.every(({ id }) => before.has(id))
    this.#scene = scene
    this.#radius = Float32Array.from(scene.nodes, radiusOf)
    this.#neighbours = neighboursOf(scene)
    this.#bend = bendsOf(scene)
    this.#byWeight = scene.nodes
      .map((_, at) => at)
      .sort((a, b) => (this.#radius[b] ?? 0) - (this.#radius[a] ?? 0))
    this.#positions = placesOf(scene, this.#neighbours, before)
    this.#tree = null
    this.#hovered = -1
    this.#path = new Set()
    const known = scene.nodes.filter(({ id }) => before.has(id)).length
    if (known === 0) this.#follows = true
    if (!isSame) {
      this.#layout.start({
        positions: this.#positions,
        radius: this.#radius,
        links: Uint32Array.from(scene.edges.flatMap(({ from, to }) => [from, to])),
        alpha: known === 0 ? 1 : 0.5,
        still: this.#isStill.matches,
      })
    }
    if (this.#follows) this.#fitNow()
    this.#redraw()
  }

  select(id: string | null): void {
    this.#selected = id
    this.#redraw()
  }

  /** Marks these facts, by their place in the scene. */
  mark(edges: ReadonlySet<number>): void {
    this.#path = edges
    this.#redraw()
  }

  fit(): void {
    this.#follows = true
    this.#fitNow()
    this.#redraw()
  }

  zoom(factor: number): void {
    this.#zoomAt(factor, [this.#canvas.clientWidth / 2, this.#canvas.clientHeight / 2])
  }

  #at(at: number): Point {
    return [this.#positions[2 * at] ?? 0, this.#positions[2 * at + 1] ?? 0]
  }

  #place(positions: Float32Array, done: boolean): void {
    this.#positions = new Float32Array(positions)
    this.#tree = null
    this.#isSettling = !done
    if (this.#follows) this.#fitNow()
    this.#canvas.dataset.settled = String(done)
    this.#redraw()
  }

  #resize(): void {
    const ratio = Math.min(2, devicePixelRatio)
    this.#canvas.width = Math.round(this.#canvas.clientWidth * ratio)
    this.#canvas.height = Math.round(this.#canvas.clientHeight * ratio)
    if (this.#follows) this.#fitNow()
    this.#draw()
  }

  #fitNow(): void {
    const { clientWidth: width, clientHeight: height } = this.#canvas
    if (this.#scene.nodes.length === 0 || width === 0) return
    this.#camera = cameraOver(this.#positions, { width, height })
  }

  #zoomAt(factor: number, at: Point): void {
    this.#moved(zoomedAt(this.#camera, factor, at))
  }

  #moved(camera: Camera): void {
    this.#follows = false
    this.#camera = camera
    this.#movedAt = performance.now()
    clearTimeout(this.#rest)
    const isLarge = this.#scene.nodes.length > largeNodes
    if (isLarge) this.#layout.hold(true)
    this.#rest = setTimeout(() => {
      if (isLarge) this.#layout.hold(false)
      this.#redraw()
    }, restMs + 20)
    this.#redraw()
  }

  #redraw(): void {
    this.#frame ||= requestAnimationFrame(() => this.#draw())
  }

  #draw(): void {
    this.#frame = 0
    paint(this.#context, {
      ...{ scene: this.#scene, radius: this.#radius, bend: this.#bend, byWeight: this.#byWeight },
      ...{ camera: this.#camera, selected: this.#selectedAt(), hovered: this.#hovered, path: this.#path },
      isMoving: performance.now() - this.#movedAt < restMs || this.#isSettling,
      at: (node) => this.#at(node),
      colours: this.#colours,
    })
    if (this.#scene.nodes.length > 0 && this.#canvas.dataset.painted === undefined) {
      this.#canvas.dataset.painted = 'true'
      performance.mark('graph-painted')
    }
  }

  #selectedAt(): number {
    return this.#selected === null ? -1 : this.#scene.nodes.findIndex(({ id }) => id === this.#selected)
  }

  /** The entity at a place of the canvas; -1: none. */
  #hit(x: number, y: number): number {
    const { scale } = this.#camera
    const [worldX, worldY] = inWorld(this.#camera, [x, y])
    this.#tree ??= quadtree<number>(
      this.#scene.nodes.map((_, at) => at),
      (at) => this.#at(at)[0],
      (at) => this.#at(at)[1],
    )
    const found = this.#tree.find(worldX, worldY, 22 + 10 / scale)
    if (found === undefined) return -1
    const [nodeX, nodeY] = this.#at(found)
    const reach = Math.max(this.#radius[found] ?? 5, 10 / scale) + 2 / scale
    return Math.hypot(nodeX - worldX, nodeY - worldY) <= reach ? found : -1
  }

  /** What pointers can do with it. */
  #touched(): Touched {
    return {
      hit: (at) => this.#hit(...at),
      hover: (node) => this.#hover(node),
      select: (node) => this.#handlers.select(this.#scene.nodes[node]?.id ?? null),
      expand: (node) => {
        const found = this.#scene.nodes[node]
        if (found !== undefined) this.#handlers.expand(found.id)
      },
      drag: (node, to) => {
        this.#follows = false
        this.#layout.drag(node, to === null ? null : inWorld(this.#camera, to))
      },
      move: (by) => this.#moved(movedBy(this.#camera, by)),
      zoom: (factor, at) => this.#zoomAt(factor, at),
    }
  }

  #hover(at: number): void {
    if (at === this.#hovered) return
    this.#hovered = at
    this.#canvas.style.cursor = at < 0 ? '' : 'pointer'
    this.#redraw()
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const selected = this.#scene.nodes[this.#selectedAt()]?.id
    const ways: Readonly<Record<string, Point>> = {
      ...{ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] },
    }
    const way = ways[event.key]
    if (way !== undefined && event.shiftKey) this.#moved(movedBy(this.#camera, [-60 * way[0], -60 * way[1]]))
    else if (way !== undefined) this.#step(way)
    else if (event.key === '+' || event.key === '=') this.zoom(1.25)
    else if (event.key === '-') this.zoom(0.8)
    else if (event.key === '0') this.fit()
    else if (event.key === 'Enter' && selected !== undefined) this.#handlers.expand(selected)
    else if (event.key === 'Backspace' && selected !== undefined) this.#handlers.collapse(selected)
    else if (event.key === 'Escape' && selected !== undefined) this.#handlers.select(null)
    else return
    event.preventDefault()
  }

  /** From the selected entity to the neighbour that lies most in that direction. */
  #step([wayX, wayY]: Point): void {
    const selected = this.#selectedAt()
    if (selected < 0) {
      const seed = this.#scene.nodes.find((node) => node.seed) ?? this.#scene.nodes[0]
      this.#handlers.select(seed?.id ?? null)
      return
    }
    const [fromX, fromY] = this.#at(selected)
    const [best] = (this.#neighbours[selected] ?? [])
      .map((at) => {
        const [x, y] = this.#at(at)
        const away = Math.hypot(x - fromX, y - fromY) || 1
        return { at, along: ((x - fromX) * wayX + (y - fromY) * wayY) / away }
      })
      .filter(({ along }) => along > 0.25)
      .sort((a, b) => b.along - a.along)
    if (best === undefined) return
    this.#handlers.select(this.#scene.nodes[best.at]?.id ?? null)
    this.#reveal(best.at)
  }

  /** Moves the camera just as far as it takes to see an entity. */
  #reveal(at: number): void {
    const [x, y] = this.#at(at)
    const { scale, x: cameraX, y: cameraY } = this.#camera
    const [screenX, screenY] = [x * scale + cameraX, y * scale + cameraY]
    const inside = (value: number, size: number) => Math.min(Math.max(value, 50), size - 50) - value
    const [byX, byY] = [inside(screenX, this.#canvas.clientWidth), inside(screenY, this.#canvas.clientHeight)]
    if (byX !== 0 || byY !== 0) this.#moved(movedBy(this.#camera, [byX, byY]))
  }
}
