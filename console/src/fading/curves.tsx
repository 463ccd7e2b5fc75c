import type { components } from '../api.ts'
import { curve, type Rules } from './curve.ts'

interface CurvesProps {
  readonly memories: readonly components['schemas']['Memory'][]
  readonly rules: Rules
  readonly days: number
  readonly selected: string | null
}

/** About as wide as it is shown, so that its letters are as large as all others. */
const sizeNow = () => ({ width: Math.min(880, Math.max(280, document.body.clientWidth - 80)), height: 200 })
const margin = { left: 48, right: 12, top: 10, bottom: 26 }

/** All of them in one picture: where a line falls below the dashed one, the memory goes. */
export function Curves({ memories, rules, days, selected }: CurvesProps) {
  const size = sizeNow()
  const area = {
    days,
    width: size.width - margin.left - margin.right,
    height: size.height - margin.top - margin.bottom,
    // In steps of a fifth, so that what is nearly gone can be told apart.
    top: Math.ceil(5 * Math.max(0.01, ...memories.map(({ retention }) => retention))) / 5,
  }
  const y = (share: number) => area.height * (1 - share / area.top)
  const x = (day: number) => (area.width * day) / days
  const stops = days === 7 ? [0, 2, 4, 7] : [0, 10, 20, 30]
  return (
    <svg
      class="curves"
      viewBox={`0 0 ${size.width} ${size.height}`}
      role="img"
      aria-label={`How ${memories.length} memories fade over ${days} days; the list below has each of them`}
    >
      <g transform={`translate(${margin.left} ${margin.top})`}>
        {[0, area.top / 2, area.top].map((share) => (
          <g key={share}>
            <line class="grid" x1={0} x2={area.width} y1={y(share)} y2={y(share)} />
            <text x={-8} y={y(share) + 4} text-anchor="end">
              {Math.round(share * 100)}%
            </text>
          </g>
        ))}
        {stops.map((day) => (
          <text
            key={day}
            x={x(day)}
            y={area.height + 18}
            text-anchor={day === 0 ? 'start' : day === days ? 'end' : 'middle'}
          >
            {day === 0 ? 'now' : `${day} days`}
          </text>
        ))}
        {memories.map(({ id, retention }) => (
          <polyline key={id} class={id === selected ? 'chosen' : ''} points={curve(retention, rules, area)} />
        ))}
        <line class="limit" x1={0} x2={area.width} y1={y(rules.threshold)} y2={y(rules.threshold)} />
        <text class="limit-text" x={2} y={y(rules.threshold) - 5}>
          deleted below {Math.round(rules.threshold * 1000) / 10}%
        </text>
      </g>
    </svg>
  )
}
