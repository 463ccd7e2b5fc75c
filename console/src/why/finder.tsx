import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api, type components } from '../api.ts'
import { useTask } from '../task.ts'
import { Badge, Button, Field, Outcome } from '../ui/parts.tsx'

type Page = components['schemas']['ListMemoriesReply']

interface FinderProps {
  readonly choose: (id: string) => void
  readonly clear?: () => void
}

/** Finds one memory by words that stand in it. */
export function Finder({ choose, clear }: FinderProps) {
  const text = useSignal('')
  const task = useTask<Page>()
  useEffect(() => {
    const words = text.value.trim()
    if (words === '') return task.reset()
    const timer = setTimeout(
      () =>
        task.run((signal) =>
          api().call<Page>({
            method: 'GET',
            path: '/brain/memories',
            query: { text: words, limit: 6 },
            signal,
          }),
        ),
      250,
    )
    return () => clearTimeout(timer)
  }, [text.value])
  return (
    <div class="finder">
      <div class="row end">
        <Field label="Words of the memory that you expected" class="grow">
          {(attributes) => (
            <input
              {...attributes}
              type="search"
              maxLength={128}
              value={text.value}
              onInput={(event) => {
                text.value = event.currentTarget.value
              }}
            />
          )}
        </Field>
        {clear === undefined ? null : <Button onClick={clear}>Clear</Button>}
      </div>
      <Outcome task={task}>
        {({ memories }) => (
          <ul class="found">
            {memories.length === 0 ? <li class="hint">No memory has these words.</li> : null}
            {memories.map(({ id, fact, type, superseded }) => (
              <li key={id}>
                <button
                  type="button"
                  class="found-one"
                  onClick={() => {
                    text.value = ''
                    choose(id)
                  }}
                >
                  <span class="words serif clamp">{fact}</span>
                  <Badge>{type === 'semantic' ? 'fact' : 'text'}</Badge>
                  {superseded ? <Badge tone="warn">replaced</Badge> : null}
                </button>
              </li>
            ))}
          </ul>
        )}
      </Outcome>
    </div>
  )
}
