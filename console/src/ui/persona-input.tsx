import { type Signal, useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { api, type components } from '../api.ts'

type Page = components['schemas']['ListMemoriesReply']

interface PersonaInputProps {
  readonly id: string
  readonly 'aria-describedby'?: string
  readonly value?: string
  readonly placeholder?: string
  /** With every letter. */
  readonly onInput?: (text: string) => void
  /** When the text is complete. */
  readonly onChange?: (text: string) => void
}

/** Where a persona is typed. Those of the newest texts are offered to who comes here; any other can be typed. */
export function PersonaInput({ onInput, onChange, ...attributes }: PersonaInputProps) {
  const list = useId()
  const names = useSignal<readonly string[] | null>(null)
  const offer = async () => {
    if (names.peek() !== null) return
    names.value = []
    try {
      names.value = await personasOfNewest()
    } catch {
      // Nothing is offered; who comes here again asks again.
      names.value = null
    }
  }
  return (
    <>
      <input
        {...attributes}
        type="search"
        maxLength={128}
        autocomplete="off"
        list={list}
        onFocus={offer}
        onInput={(event) => onInput?.(event.currentTarget.value)}
        onChange={(event) => onChange?.(event.currentTarget.value)}
      />
      <Offered id={list} names={names} />
    </>
  )
}

/** A component of its own: the input is not drawn anew, and keeps what is typed, when the names come. */
function Offered({ id, names }: { readonly id: string; readonly names: Signal<readonly string[] | null> }) {
  return (
    <datalist id={id}>
      {names.value?.map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  )
}

async function personasOfNewest(): Promise<readonly string[]> {
  const query = { type: 'episodic', limit: 100 }
  const { memories } = await api().call<Page>({ method: 'GET', path: '/brain/memories', query })
  return [...new Set(memories.map(({ persona }) => persona))].toSorted()
}
