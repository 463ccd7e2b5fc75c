import { Panel, Time } from '../ui/parts.tsx'
import type { Run } from './outlook.ts'

export function Runs({ runs }: { readonly runs: readonly Run[] }) {
  return (
    <Panel title="What the last runs did">
      {runs.length === 0 ? (
        <p class="hint">None has run yet. One runs every hour by itself.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <section class="table-scroll" tabIndex={0} aria-label="Last runs">
          <table class="runs">
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Started</th>
                <th scope="col" class="number">
                  Faded
                </th>
                <th scope="col" class="number">
                  Refreshed
                </th>
                <th scope="col" class="number">
                  Deleted
                </th>
                <th scope="col" class="number">
                  Left for later
                </th>
                <th scope="col" class="number">
                  Merged
                </th>
              </tr>
            </thead>
            <tbody>
              {runs.map((run) => (
                <tr key={run.at}>
                  <td>
                    <Time at={run.at} />
                  </td>
                  <td>{run.automatic ? 'by itself' : 'by hand'}</td>
                  <td class="number">{run.decayed.toLocaleString('en')}</td>
                  <td class="number">{run.reinforced.toLocaleString('en')}</td>
                  <td class="number">{run.pruned.toLocaleString('en')}</td>
                  <td class="number">{run.held_back.toLocaleString('en')}</td>
                  <td class="number">{run.compressed.toLocaleString('en')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Panel>
  )
}
