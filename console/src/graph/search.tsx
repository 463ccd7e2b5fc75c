import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { api, type components } from '../api.ts'

type Entity = components['schemas']['Entity']

interface EntitySearchProps {
  readonly label: string
  readonly placeholder: string
  readonly choose: (entity: Entity) => void
  /** Where words that name no entity may be asked as a question. */
  readonly ask?: (question: string) => void
}

/** A field that finds entities while one types. Arrows walk through them, Enter takes one. */
export function EntitySearch({ label, placeholder, choose, ask }: EntitySearchProps) {
  const id = useId()
  const text = useSignal('')
  const found = useSignal<readonly Entity[]>([])
  const at = useSignal(-1)
  const isOpen = useSignal(false)
  const waiting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const running = useRef<AbortController | null>(null)
  const stop = () => {
    clearTimeout(waiting.current)
    running.current?.abort()
  }
  useEffect(() => stop, [])

  const look = (words: string) => {
    stop()
    text.value = words
    at.value = -1
    if (words.trim() === '') {
      isOpen.value = false
      return
    }
    waiting.current = setTimeout(async () => {
      const controller = new AbortController()
      running.current = controller
      const query = { text: words.trim().slice(0, 128), limit: 8 }
      const page = await api()
        .entities(query, { signal: controller.signal })
        .catch(() => null)
      if (controller.signal.aborted) return
      found.value = page?.entities ?? []
      isOpen.value = true
    }, 180)
  }
  const take = (entity: Entity) => {
    stop()
    text.value = ''
    isOpen.value = false
    choose(entity)
  }
  const question = ask !== undefined && text.value.trim().includes(' ') ? text.value.trim() : null
  const options = found.value.length + (question === null ? 0 : 1)
  const enter = () => {
    const entity = found.value[at.value] ?? (at.value < 0 && question === null ? found.value[0] : undefined)
    if (entity !== undefined) take(entity)
    else if (question !== null) {
      stop()
      text.value = ''
      isOpen.value = false
      ask?.(question)
    }
  }
  const key = (event: KeyboardEvent) => {
    if (event.key === 'Escape') isOpen.value = false
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (options === 0) return
      isOpen.value = true
      const step = event.key === 'ArrowDown' ? 1 : -1
      at.value = (at.value + step + options + (at.value < 0 && step < 0 ? 1 : 0)) % options
    } else if (event.key === 'Enter') enter()
    else return
    event.preventDefault()
  }
  const shown = isOpen.value && text.value !== ''
  return (
    <div class="field entity-search">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        value={text.value}
        maxLength={4096}
        aria-expanded={shown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(at.value >= 0 ? { 'aria-activedescendant': `${id}-${at.value}` } : {})}
        onInput={(event) => look(event.currentTarget.value)}
        onKeyDown={key}
        onBlur={() => {
          isOpen.value = false
        }}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Entities" class="entity-list" hidden={!shown}>
        {found.value.map((entity, place) => (
          <Option key={entity.id} id={`${id}-${place}`} chosen={at.value === place} take={() => take(entity)}>
            <span class="words">{entity.name}</span>
            <span class="hint">
              {entity.type} · {entity.facts}
            </span>
          </Option>
        ))}
        {question === null ? null : (
          <Option
            id={`${id}-${found.value.length}`}
            chosen={at.value === found.value.length}
            take={() => {
              at.value = found.value.length
              enter()
            }}
          >
            <span class="words">Ask “{question}”</span>
          </Option>
        )}
        {options === 0 ? (
          <div
            class="entity-option hint"
            role="option"
            aria-disabled="true"
            aria-selected="false"
            tabIndex={-1}
          >
            No entity has these words in its name.
          </div>
        ) : null}
      </div>
    </div>
  )
}

interface OptionProps {
  readonly id: string
  readonly chosen: boolean
  readonly take: () => void
  readonly children: preact.ComponentChildren
}

/** Reached through the field, which keeps the focus: a press must not take it away. */
function Option({ id, chosen, take, children }: OptionProps) {
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      class="entity-option"
      onMouseDown={(event) => {
        event.preventDefault()
        take()
      }}
    >
      {children}
    </div>
  )
}
