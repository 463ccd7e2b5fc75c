import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { bearerClient, clientWith } from './api.ts'
import { endedBy, linkToken, signIn } from './session.ts'
import { useTask } from './task.ts'
import { Icon } from './ui/icons.tsx'
import { Button, Field, Problem } from './ui/parts.tsx'

export function SignIn() {
  const given = useSignal('')
  const keep = useSignal(true)
  const task = useTask<string>()

  const withLink = (token: string) =>
    task.run(async (signal) => {
      const { key } = await bearerClient(token).call<{ key: string }>({
        method: 'POST',
        path: '/console/sign-in',
        signal,
        maxRetries: 0,
      })
      return key
    })

  const withKey = () =>
    task.run(async (signal) => {
      const key = given.value.trim()
      await clientWith(key).usage({ signal })
      return key
    })

  const accept = (key: string | null) => {
    if (key !== null) signIn(key, keep.value)
  }

  useEffect(() => {
    const token = linkToken.value
    if (token === null) return
    linkToken.value = null
    withLink(token).then(accept)
  }, [linkToken.value])

  return (
    <main id="main" class="sign-in" tabIndex={-1}>
      <div class="sign-in-card">
        <p class="brand">
          <Icon name="mark" />
          <span>memoryd</span>
        </p>
        <h1>See, understand and mend a memory</h1>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            withKey().then(accept)
          }}
        >
          {endedBy.value === null ? null : (
            <p class="note" role="status">
              {endedBy.value}
            </p>
          )}
          <Field
            label="API key"
            hint="The terminal of npm start shows a link that signs you in, and where the key is kept."
          >
            {(attributes) => (
              <input
                {...attributes}
                type="password"
                autocomplete="off"
                spellcheck={false}
                required
                value={given.value}
                onInput={(event) => {
                  given.value = event.currentTarget.value
                }}
              />
            )}
          </Field>
          <label class="check">
            <input
              type="checkbox"
              checked={keep.value}
              onChange={(event) => {
                keep.value = event.currentTarget.checked
              }}
            />
            Stay signed in until this tab is closed
          </label>
          <Button type="submit" kind="primary" busy={task.state.kind === 'busy'}>
            Sign in
          </Button>
          {task.state.kind === 'failed' ? <Problem error={task.state.error} /> : null}
        </form>
      </div>
    </main>
  )
}
