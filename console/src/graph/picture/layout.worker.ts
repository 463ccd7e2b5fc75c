// Finds places for entities, away from the thread that draws.
import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type Simulation,
  type SimulationNodeDatum,
} from 'd3-force'
import type { LayoutAnswer, LayoutRequest } from './layout.ts'

type Placed = SimulationNodeDatum & { readonly radius: number }

let simulation: Simulation<Placed, undefined> | null = null
let timer: ReturnType<typeof setTimeout> | undefined
let job = 0
let isStill = false
let isHeld = false

/** Few entities are seen to move; of many only now and then a picture is sent. */
const many = 600
const frameMs = { few: 16, many: 120 }

addEventListener('message', ({ data }: MessageEvent<LayoutRequest>) => {
  if (data.kind === 'drag') drag(data.at, data.to)
  else if (data.kind === 'hold') hold(data.on)
  else start(data)
})

function start(request: Extract<LayoutRequest, { kind: 'start' }>): void {
  const { positions, radius, links, alpha } = request
  job = request.job
  isStill = request.still
  const isLarge = radius.length > many
  const nodes: Placed[] = Array.from(radius, (r, at) => ({
    ...{ index: at, radius: r, x: positions[2 * at] ?? 0, y: positions[2 * at + 1] ?? 0 },
  }))
  const pairs = Array.from({ length: links.length / 2 }, (_, at) => ({
    ...{ source: links[2 * at] ?? 0, target: links[2 * at + 1] ?? 0 },
  }))
  simulation?.stop()
  simulation = forceSimulation(nodes)
    .force('link', forceLink(pairs).distance(isLarge ? 40 : 90))
    .force(
      'charge',
      forceManyBody()
        .strength(isLarge ? -40 : -260)
        .theta(isLarge ? 1.2 : 0.9)
        .distanceMax(900),
    )
    // Weak: it only keeps what is not connected from drifting away.
    .force('x', forceX(0).strength(0.03))
    .force('y', forceY(0).strength(0.04))
    .alpha(alpha)
    .alphaDecay(isLarge ? 0.045 : 0.03)
    .alphaMin(0.01)
    .stop()
  if (!isLarge)
    simulation.force(
      'collide',
      forceCollide<Placed>(({ radius: r }) => r + 10),
    )
  run()
}

function drag(at: number, to: readonly [number, number] | null): void {
  const node = simulation?.nodes()[at]
  if (simulation === null || node === undefined) return
  node.fx = to === null ? null : to[0]
  node.fy = to === null ? null : to[1]
  simulation.alpha(Math.max(simulation.alpha(), to === null ? 0.05 : 0.15))
  run()
}

function hold(on: boolean): void {
  isHeld = on
  if (simulation !== null && simulation.alpha() >= simulation.alphaMin()) run()
}

function run(): void {
  clearTimeout(timer)
  if (simulation === null || isHeld) return
  const isLarge = simulation.nodes().length > many
  const end = isStill ? Number.POSITIVE_INFINITY : performance.now() + (isLarge ? frameMs.many : 0)
  do simulation.tick()
  while (performance.now() < end && simulation.alpha() >= simulation.alphaMin())
  const done = simulation.alpha() < simulation.alphaMin()
  const positions = new Float32Array(2 * simulation.nodes().length)
  simulation.nodes().forEach(({ x = 0, y = 0 }, at) => {
    positions[2 * at] = x
    positions[2 * at + 1] = y
  })
  postMessage({ job, positions, done } satisfies LayoutAnswer, { transfer: [positions.buffer] })
  if (!done) timer = setTimeout(run, isLarge ? 0 : frameMs.few)
}
