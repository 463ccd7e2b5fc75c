import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useTask } from '../../task.ts'
import { Button, Failed, Field, Outcome, Panel } from '../../ui/parts.tsx'
import { Accounts } from './accounts.tsx'
import { type Keys, list, token } from './client.ts'
import { KeyTable } from './keys.tsx'
import { NewKey } from './new-key.tsx'
import { Tiers } from './tiers.tsx'

/** Accounts and keys, for who runs the server. */
export function Admin() {
  const keys = useTask<Keys>()
  const given = useSignal('')
  const load = () => keys.run((abort) => list(token.peek() ?? '', abort))
  useEffect(() => {
    if (token.value !== null) void load()
  }, [token.value])
  if (token.value === null)
    return (
      <Panel title="Administration">
        <form
          class="admin-sign-in"
          onSubmit={async (event) => {
            event.preventDefault()
            const wanted = given.value.trim()
            if (wanted === '') return
            const found = await keys.run((abort) => list(wanted, abort))
            if (found === null) return
            given.value = ''
            token.value = wanted
          }}
        >
          <Field
            label="Admin token"
            hint="ADMIN_TOKEN of the server, or the file admin-token in its data folder. It stays in this page alone."
          >
            {(attributes) => (
              <input
                {...attributes}
                type="password"
                autocomplete="off"
                value={given.value}
                onInput={(event) => {
                  given.value = event.currentTarget.value
                }}
              />
            )}
          </Field>
          <Button type="submit" busy={keys.state.kind === 'busy'}>
            Open
          </Button>
        </form>
        <Failed task={keys} />
      </Panel>
    )
  return (
    <Panel
      title="Administration"
      actions={
        <Button
          kind="quiet"
          onClick={() => {
            token.value = null
            keys.reset()
          }}
        >
          Leave
        </Button>
      }
    >
      <Outcome task={keys} retry={load}>
        {(shown) => (
          <div class="stack">
            <Accounts accounts={shown.accounts} keys={shown.keys} reload={load} />
            <KeyTable keys={shown.keys} reload={load} />
            <NewKey reload={load} />
            <Tiers />
          </div>
        )}
      </Outcome>
    </Panel>
  )
}
