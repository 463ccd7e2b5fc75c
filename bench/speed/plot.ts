export interface Series {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

export interface Plot {
  readonly title: string
  readonly x: string
  readonly y: string
  readonly series: readonly Series[]
}

const [width, height] = [680, 360]
const area = { left: 64, right: 480, top: 40, bottom: 310 }

/** Readable on white and on black; each series also has its name at its end. */
const colours = ['#2f81f7', '#d1730b', '#2da44e', '#bf4bd4', '#cf222e']
const style = `text{font:12px system-ui,sans-serif;fill:#24292f}.title{font-size:14px;font-weight:600}
.grid{stroke:#8884;fill:none}.line{fill:none;stroke-width:2}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}}`

/** Both axes grow by factors, because sizes and costs do. */
export function svgOf({ title, x, y, series }: Plot): string {
  const points = series.flatMap((one) => one.points)
  const across = axis(points.map(([value]) => value))
  const up = axis(points.map(([, value]) => value))
  const px = (value: number) => area.left + across.place(value) * (area.right - area.left)
  const py = (value: number) => area.bottom - up.place(value) * (area.bottom - area.top)
  const grid = [
    ...across.ticks.map(
      (tick) =>
        `<path class="grid" d="M${px(tick)} ${area.top}V${area.bottom}"/>${text(px(tick), area.bottom + 18, short(tick), 'middle')}`,
    ),
    ...up.ticks.map(
      (tick) =>
        `<path class="grid" d="M${area.left} ${py(tick)}H${area.right}"/>${text(area.left - 8, py(tick) + 4, short(tick), 'end')}`,
    ),
  ]
  const ends = spread(series.map((one) => py(one.points.at(-1)?.[1] ?? 1)))
  const lines = series.map((one, at) => {
    const colour = colours[at % colours.length]
    const places = one.points.map(([a, b]) => [px(a).toFixed(1), py(b).toFixed(1)] as const)
    const dots = places.map(([a, b]) => `<circle cx="${a}" cy="${b}" r="3" fill="${colour}"/>`).join('')
    const path = `<path class="line" stroke="${colour}" d="M${places.map((place) => place.join(' ')).join('L')}"/>`
    return `${path}${dots}<text x="${area.right + 8}" y="${(ends[at] ?? 0) + 4}" style="fill:${colour}">${escaped(one.name)}</text>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<style>${style}</style>`,
    `<text class="title" x="${area.left}" y="20">${escaped(title)}</text>`,
    ...grid,
    ...lines,
    text((area.left + area.right) / 2, height - 10, x, 'middle'),
    text(area.left, area.top - 6, y, 'start'),
    '</svg>\n',
  ].join('\n')
}

function axis(values: readonly number[]) {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const steps = [1, 2, 5].flatMap((digit) =>
    Array.from({ length: 9 }, (_, power) => digit * 10 ** (power - 1)),
  )
  const sorted = steps.toSorted((a, b) => a - b)
  const from = sorted.findLast((step) => step <= low) ?? low
  const to = sorted.find((step) => step >= high && step > from) ?? high
  const between = sorted.filter((step) => step >= from && step <= to)
  const ticks = between.length > 8 ? between.filter((step) => Number.isInteger(Math.log10(step))) : between
  return { ticks, place: (value: number) => Math.log(value / from) / Math.log(to / from) }
}

/** Names that would stand on each other move apart. */
function spread(places: readonly number[]): readonly number[] {
  const placed = [...places]
  const order = [...places.keys()].toSorted((a, b) => (places[a] ?? 0) - (places[b] ?? 0))
  for (const [at, index] of order.entries()) {
    const before = placed[order[at - 1] ?? -1]
    if (before !== undefined) placed[index] = Math.max(placed[index] ?? 0, before + 15)
  }
  return placed
}

const short = (value: number) =>
  value >= 1e6 ? `${value / 1e6}M` : value >= 1_000 ? `${value / 1_000}k` : `${value}`
const escaped = (words: string) => words.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;')
const text = (x: number, y: number, words: string, anchor: string) =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${escaped(words)}</text>`
