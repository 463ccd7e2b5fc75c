import { useEffect, useId, useRef } from 'preact/hooks'
import { Button, Field } from '../ui/parts.tsx'
import { PersonaInput } from '../ui/persona-input.tsx'
import { relationsOf } from './model.ts'
import { EntitySearch } from './search.tsx'
import type { GraphState } from './state.ts'

interface ToolbarProps {
  readonly state: GraphState
  readonly persona: string | null
  readonly setPersona: (persona: string | null) => void
  readonly start: (next: { entity?: string; query?: string }) => void
}

export function Toolbar({ state, persona, setPersona, start }: ToolbarProps) {
  return (
    <div class="graph-toolbar">
      <EntitySearch
        label="Begin at"
        placeholder="A name, or a question"
        choose={(entity) => start({ entity: entity.id })}
        ask={(question) => start({ query: question })}
      />
      <Field label="Persona">
        {(attributes) => (
          <PersonaInput
            {...attributes}
            placeholder="All"
            value={persona ?? ''}
            onChange={(typed) => setPersona(typed.trim() || null)}
          />
        )}
      </Field>
      <Relations state={state} />
      <label class="check">
        <input
          type="checkbox"
          checked={state.replaced.value}
          onChange={(event) => {
            state.replaced.value = event.currentTarget.checked
          }}
        />
        <span>Replaced facts</span>
      </label>
    </div>
  )
}

/** Which relations are shown: a list that Escape and a click beside it close. */
function Relations({ state }: { readonly state: GraphState }) {
  const element = useRef<HTMLDetailsElement>(null)
  const close = () => element.current?.removeAttribute('open')
  const relations = relationsOf(state.graph.value)
  const { hidden } = state
  const id = useId()
  const toggle = (relation: string) => {
    const next = new Set(hidden.value)
    if (!next.delete(relation)) next.add(relation)
    hidden.value = next
  }
  useEffect(() => {
    const leave = ({ target }: Event) => {
      if (target instanceof Node && element.current?.contains(target) === false) close()
    }
    document.addEventListener('pointerdown', leave)
    return () => document.removeEventListener('pointerdown', leave)
  }, [])
  return (
    <details
      ref={element}
      class="relations"
      onKeyDown={({ key }) => {
        if (key !== 'Escape') return
        close()
        element.current?.querySelector('summary')?.focus()
      }}
    >
      <summary class="button">
        Relations
        {hidden.value.size === 0 ? '' : ` (${relations.length - hidden.value.size} of ${relations.length})`}
      </summary>
      <fieldset class="relation-list panel">
        <legend class="hidden">Relations that are shown</legend>
        <div class="row">
          <Button kind="quiet" onClick={() => (hidden.value = new Set())}>
            All
          </Button>
          <Button kind="quiet" onClick={() => (hidden.value = new Set(relations.map(([name]) => name)))}>
            None
          </Button>
        </div>
        {relations.map(([relation, many], at) => (
          <label key={relation} class="check" for={`${id}-${at}`}>
            <input
              id={`${id}-${at}`}
              type="checkbox"
              checked={!hidden.value.has(relation)}
              onChange={() => toggle(relation)}
            />
            <span class="words">{relation.replaceAll('_', ' ')}</span>
            <span class="hint">{many}</span>
          </label>
        ))}
      </fieldset>
    </details>
  )
}
