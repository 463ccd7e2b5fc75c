import { signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { bearerClient, type components } from '../api.ts'
import { type Task, useTask } from '../task.ts'
import { Code, CopyButton } from '../ui/calls.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Badge, Button, Field, Outcome, Panel, Problem, Time } from '../ui/parts.tsx'
import { toast } from '../ui/toasts.tsx'

type Keys = components['schemas']['ListKeysReply']
type Key = components['schemas']['Key']
type Account = components['schemas']['Account']
type Issued = components['schemas']['IssuedKey']
type Tier = components['schemas']['Tier']

const tiers: readonly Tier[] = ['free', 'starter', 'pro', 'scale', 'enterprise']

/** Opens every account: it is kept nowhere, and gone with the page. */
const token = signal<string | null>(null)

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
        {keys.state.kind === 'failed' ? <Problem error={keys.state.error} /> : null}
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

const list = (credential: string, abort: AbortSignal) =>
  bearerClient(credential).call<Keys>({ method: 'GET', path: '/admin/keys', signal: abort })

const admin = () => bearerClient(token.peek() ?? '')

interface AccountsProps {
  readonly accounts: readonly Account[]
  readonly keys: readonly Key[]
  readonly reload: () => void
}

function Accounts({ accounts, keys, reload }: AccountsProps) {
  const change = useTask<Account>()
  const patch = async (account: string, body: Partial<Pick<Account, 'tier' | 'monthly_ops'>>) => {
    const path = `/admin/accounts/${encodeURIComponent(account)}`
    const done = await change.run((abort) => admin().call({ method: 'PATCH', path, body, signal: abort }))
    if (done !== null) toast(`${account} is changed.`)
    reload()
  }
  return (
    <div>
      <h3>Accounts</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section class="table-scroll" tabIndex={0} aria-label="Accounts">
        <table class="admin-table">
          <thead>
            <tr>
              <th scope="col">Account</th>
              <th scope="col">Tier</th>
              <th scope="col">Operations a month</th>
              <th scope="col" class="number">
                Keys
              </th>
            </tr>
          </thead>
          <tbody>
            {accounts.map(({ account, tier, monthly_ops: ops }) => (
              <tr key={account}>
                <td class="words">{account}</td>
                <td>
                  <select
                    aria-label={`Tier of ${account}`}
                    value={tier}
                    onChange={(event) => patch(account, { tier: event.currentTarget.value as Tier })}
                  >
                    {tiers.map((name) => (
                      <option key={name}>{name}</option>
                    ))}
                  </select>
                </td>
                <td>
                  <input
                    type="number"
                    min={0}
                    step={1}
                    aria-label={`Operations a month of ${account}`}
                    placeholder="of the tier"
                    value={ops ?? ''}
                    onChange={(event) => {
                      const text = event.currentTarget.value
                      void patch(account, { monthly_ops: text === '' ? null : Number(text) })
                    }}
                  />
                </td>
                <td class="number">{keys.filter((key) => key.account === account && key.active).length}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Failed task={change} />
    </div>
  )
}

function Failed({ task }: { readonly task: Task<unknown> }) {
  return task.state.kind === 'failed' ? <Problem error={task.state.error} /> : null
}

function KeyTable({ keys, reload }: { readonly keys: readonly Key[]; readonly reload: () => void }) {
  const change = useTask<unknown>()
  const issued = useSignal<Issued | null>(null)
  const revoking = useSignal<Key | null>(null)
  const rotate = async ({ id }: Key) => {
    const made = await change.run((abort) =>
      admin().call<Issued>({ method: 'POST', path: `/admin/keys/${id}/rotate`, body: {}, signal: abort }),
    )
    if (made !== null) issued.value = made as Issued
    reload()
  }
  const revoke = async ({ id }: Key) => {
    const done = await change.run((abort) =>
      admin().call({ method: 'DELETE', path: `/admin/keys/${id}`, signal: abort }),
    )
    revoking.value = null
    if (done !== null) toast('The key is not valid any more.')
    reload()
  }
  return (
    <div>
      <h3>Keys</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section class="table-scroll" tabIndex={0} aria-label="Keys">
        <table class="admin-table">
          <thead>
            <tr>
              <th scope="col">Key</th>
              <th scope="col">Account</th>
              <th scope="col">Issued</th>
              <th scope="col">State</th>
              <th scope="col">
                <span class="hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <tr key={key.id}>
                <td>
                  <code>…{key.last_four}</code>
                </td>
                <td class="words">{key.account}</td>
                <td>
                  <Time at={key.created_at} />
                </td>
                <td>
                  <Badge tone={key.active ? 'accent' : 'plain'}>{key.active ? 'active' : 'ended'}</Badge>{' '}
                  {key.active && key.expires_at !== null ? (
                    <span class="hint">
                      until <Time at={key.expires_at} />
                    </span>
                  ) : null}
                </td>
                <td>
                  {key.active ? (
                    <span class="row">
                      <Button
                        kind="quiet"
                        aria-label={`Rotate the key that ends in ${key.last_four}`}
                        onClick={() => rotate(key)}
                      >
                        Rotate
                      </Button>
                      <Button
                        kind="quiet"
                        aria-label={`Revoke the key that ends in ${key.last_four}`}
                        onClick={() => {
                          revoking.value = key
                        }}
                      >
                        Revoke
                      </Button>
                    </span>
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Failed task={change} />
      {issued.value === null ? null : (
        <IssuedDialog
          issued={issued.value}
          note="The old key stays valid for a day."
          close={() => {
            issued.value = null
          }}
        />
      )}
      {revoking.value === null ? null : (
        <Dialog
          title="Revoke this key?"
          close={() => {
            revoking.value = null
          }}
          actions={
            <>
              <Button
                onClick={() => {
                  revoking.value = null
                }}
              >
                Keep it
              </Button>
              <Button
                kind="danger"
                busy={change.state.kind === 'busy'}
                onClick={() => revoking.value && revoke(revoking.value)}
              >
                Revoke
              </Button>
            </>
          }
        >
          <p class="words">
            The key of {revoking.value.account} that ends in {revoking.value.last_four} is not valid from then
            on. This cannot be undone.
          </p>
        </Dialog>
      )}
    </div>
  )
}

function NewKey({ reload }: { readonly reload: () => void }) {
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

interface TierLimits {
  readonly requestsPerMinute: number | null
  readonly monthlyOps: number | null
  readonly batchItems: number
}

/** What the API document says of the plans; the configuration of the server may give other operations. */
function Tiers() {
  const limits = useTask<Readonly<Record<Tier, TierLimits>>>()
  const load = () =>
    limits.run(async (abort) => {
      const document = await admin().call<{ 'x-tiers': Record<Tier, TierLimits> }>({
        ...{ method: 'GET', path: '/openapi.json', signal: abort },
      })
      return document['x-tiers']
    })
  const number = (value: number | null) => (value === null ? 'no limit' : value.toLocaleString('en'))
  return (
    <details onToggle={(event) => event.currentTarget.open && limits.value === null && void load()}>
      <summary>What each tier may do</summary>
      <Outcome task={limits} retry={load}>
        {(shown) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
          <section class="table-scroll" tabIndex={0} aria-label="Tiers">
            <table class="admin-table">
              <thead>
                <tr>
                  <th scope="col">Tier</th>
                  <th scope="col" class="number">
                    Requests a minute
                  </th>
                  <th scope="col" class="number">
                    Operations a month
                  </th>
                  <th scope="col" class="number">
                    Texts a batch
                  </th>
                </tr>
              </thead>
              <tbody>
                {tiers.map((tier) => (
                  <tr key={tier}>
                    <td>{tier}</td>
                    <td class="number">{number(shown[tier].requestsPerMinute)}</td>
                    <td class="number">{number(shown[tier].monthlyOps)}</td>
                    <td class="number">{number(shown[tier].batchItems)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </Outcome>
    </details>
  )
}

interface IssuedDialogProps {
  readonly issued: Issued
  readonly note?: string
  readonly close: () => void
}

function IssuedDialog({ issued, note = '', close }: IssuedDialogProps) {
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
