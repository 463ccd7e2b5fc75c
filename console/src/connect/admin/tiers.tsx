import { useTask } from '../../task.ts'
import { Outcome } from '../../ui/parts.tsx'
import { admin, type Tier, tiers } from './client.ts'

interface TierLimits {
  readonly requestsPerMinute: number | null
  readonly monthlyOps: number | null
  readonly batchItems: number
}

/** What the API document says of the plans; the configuration of the server may give other operations. */
export function Tiers() {
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
