import { useTask } from '../../task.ts'
import { Failed } from '../../ui/parts.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type Account, admin, type Key, type Tier, tiers } from './client.ts'

interface AccountsProps {
  readonly accounts: readonly Account[]
  readonly keys: readonly Key[]
  readonly reload: () => void
}

export function Accounts({ accounts, keys, reload }: AccountsProps) {
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
