import { Fold } from '../ui/fold.tsx'
import { Field } from '../ui/parts.tsx'
import { PersonaInput } from '../ui/persona-input.tsx'

/** The filters of the list, as they stand in the address. */
const moreNames = ['persona', 'session_id', 'source', 'pinned', 'since', 'until'] as const
const filterNames = ['text', 'type', 'state', ...moreNames] as const
export type Filters = Record<(typeof filterNames)[number], string>

export function filtersOf(params: URLSearchParams): Filters {
  const entries = filterNames.map((name) => [name, params.get(name) ?? ''] as const)
  return Object.fromEntries(entries) as Filters
}

/** What the API is asked for. Days are days of the person who looks. */
export function queryOf({ state, pinned, since, until, ...same }: Filters): Record<string, unknown> {
  const given = Object.entries(same).filter(([, value]) => value !== '')
  const day = (text: string, after: number) => new Date(`${text}T00:00:00`).getTime() / 1000 + after
  return {
    ...Object.fromEntries(given),
    ...(state === '' ? {} : { superseded: state === 'replaced' }),
    ...(pinned === '' ? {} : { pinned: pinned === 'yes' }),
    ...(since === '' ? {} : { since: day(since, 0) }),
    ...(until === '' ? {} : { until: day(until, 86_400) }),
  }
}

interface FilterFormProps {
  readonly filters: Filters
  readonly change: (name: keyof Filters, value: string) => void
}

const choices = {
  type: [
    ['', 'any'],
    ['episodic', 'texts'],
    ['semantic', 'facts'],
  ],
  state: [
    ['', 'any'],
    ['current', 'what holds'],
    ['replaced', 'what was replaced'],
  ],
  source: [
    ['', 'whoever said it'],
    ['user', 'the user'],
    ['assistant', 'the assistant'],
    ['document', 'a document'],
  ],
  pinned: [
    ['', 'pinned or not'],
    ['yes', 'pinned'],
    ['no', 'not pinned'],
  ],
} as const

export function FilterForm({ filters, change }: FilterFormProps) {
  const words = (name: keyof Filters, label: string) => (
    <Field label={label}>
      {(attributes) => (
        <input
          {...attributes}
          type="search"
          maxLength={128}
          value={filters[name]}
          onInput={(event) => change(name, event.currentTarget.value)}
        />
      )}
    </Field>
  )
  const day = (name: keyof Filters, label: string) => (
    <Field label={label}>
      {(attributes) => (
        <input
          {...attributes}
          type="date"
          value={filters[name]}
          onInput={(event) => change(name, event.currentTarget.value)}
        />
      )}
    </Field>
  )
  const choice = (name: keyof typeof choices, label: string) => (
    <Field label={label}>
      {(attributes) => (
        <select
          {...attributes}
          value={filters[name]}
          onChange={(event) => change(name, event.currentTarget.value)}
        >
          {choices[name].map(([value, shown]) => (
            <option key={value} value={value}>
              {shown}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
  return (
    <search class="filters">
      <div class="filters-first">
        {words('text', 'Words in it')}
        {choice('type', 'Kind')}
        {choice('state', 'State')}
      </div>
      <Fold summary="More filters" isSet={moreNames.some((name) => filters[name] !== '')}>
        <div class="filters-more">
          <Field label="Persona">
            {(attributes) => (
              <PersonaInput
                {...attributes}
                value={filters.persona}
                onInput={(typed) => change('persona', typed)}
              />
            )}
          </Field>
          {words('session_id', 'Session')}
          {choice('source', 'Source')}
          {choice('pinned', 'Pinned')}
          {day('since', 'Told since')}
          {day('until', 'Told until')}
        </div>
      </Fold>
    </search>
  )
}
