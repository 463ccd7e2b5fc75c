// How a question is asked, wherever it is: Try it and Why must mean the same by it.
import type { components } from '../api.ts'
import { Field } from '../ui/parts.tsx'

export type RecallRequest = components['schemas']['RetrieveRequest']

export const usualHops = 2

export const recallRequest = (query: string, hops: number, persona: string): RecallRequest => ({
  query,
  ...(hops === 1 ? {} : { max_hops: hops }),
  ...(persona === '' ? {} : { persona }),
})

/** The parameters of the address where a question is explained, perhaps with one memory. */
export const whyParams = ({ query, max_hops, persona }: RecallRequest, id: string | null = null) => ({
  ...{ q: query, persona, id },
  hops: max_hops === usualHops ? null : String(max_hops ?? 1),
})

interface HopsFieldProps {
  readonly value: number
  readonly change: (hops: number) => void
}

export function HopsField({ value, change }: HopsFieldProps) {
  return (
    <Field label="Follow facts">
      {(attributes) => (
        <select
          {...attributes}
          value={String(value)}
          onChange={(event) => change(Number(event.currentTarget.value))}
        >
          <option value="1">not at all</option>
          <option value="2">2 steps</option>
          <option value="3">3 steps</option>
          <option value="5">5 steps</option>
        </select>
      )}
    </Field>
  )
}
