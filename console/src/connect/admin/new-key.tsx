import { useSignal } from '@preact/signals'
import { useTask } from '../../task.ts'
import { Code, CopyButton } from '../../ui/calls.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Button, Failed, Field } from '../../ui/parts.tsx'
import { admin, type Issued, type Tier, tiers } from './client.ts'

export function NewKey({ reload }: { readonly reload: () => void }) {
  const account = useSignal('')
  const tier = useSignal<Tier | ''>('')
  const making = useTask<Issued>()
  const issued = useSignal<Issued | null>(null)
  return (
    <form
      aria-label="A new key"
      class="new-key"
      onSubmit={async (event) => {
        event.preventDefault()
        const body = { account: account.value.trim(), ...(tier.value === '' ? {} : { tier: tier.value }) }
        const made = await making.run((abort) =>
          admin().call({ method: 'POST', path: '/admin/keys', body, signal: abort }),
        )
        if (made === null) return
        issued.value = made
        account.value = ''
        reload()
      }}
    >
      <Field label="Account" hint="A new name makes a new account.">
        {(attributes) => (
          <input
            {...attributes}
            type="text"
            required
            maxLength={128}
            value={account.value}
            onInput={(event) => {
              account.value = event.currentTarget.value
            }}
          />
        )}
      </Field>
      <Field label="Tier">
        {(attributes) => (
          <select
            {...attributes}
            value={tier.value}
            onChange={(event) => {
              tier.value = event.currentTarget.value as Tier | ''
            }}
          >
            <option value="">As it is; enterprise for a new one</option>
            {tiers.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Button type="submit" busy={making.state.kind === 'busy'}>
        Issue a key
      </Button>
      <Failed task={making} />
      {issued.value === null ? null : (
        <IssuedDialog
          issued={issued.value}
          close={() => {
            issued.value = null
          }}
        />
      )}
    </form>
  )
}

interface IssuedDialogProps {
  readonly issued: Issued
  readonly note?: string
  readonly close: () => void
}

export function IssuedDialog({ issued, note = '', close }: IssuedDialogProps) {
  return (
    <Dialog
      title="A new key"
      close={close}
      actions={
        <>
          <CopyButton text={issued.key} />
          <Button kind="primary" onClick={close}>
            Done
          </Button>
        </>
      }
    >
      <p class="words">
        For {issued.account}, {issued.tier}. It is shown this once. {note}
      </p>
      <Code text={issued.key} label="The new key" />
    </Dialog>
  )
}
