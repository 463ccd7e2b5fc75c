import { useSignal } from '@preact/signals'
import { useTask } from '../../task.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Badge, Button, Failed, Time } from '../../ui/parts.tsx'
import { toast } from '../../ui/toasts.tsx'
import { admin, type Issued, type Key } from './client.ts'
import { IssuedDialog } from './new-key.tsx'

export function KeyTable({ keys, reload }: { readonly keys: readonly Key[]; readonly reload: () => void }) {
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
          busy={change.state.kind === 'busy'}
          actions={
            <>
              <Button
                disabled={change.state.kind === 'busy'}
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
