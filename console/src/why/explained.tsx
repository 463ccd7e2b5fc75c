import type { components } from '../api.ts'
import { href } from '../router.ts'
import { ruleWords } from './rules.ts'

type Explanation = NonNullable<components['schemas']['RetrieveReply']['facts'][number]['explanation']>
type Feature = Explanation['features'][number]

/** Many features measure nearly the same, with weights against each other: only their sums say something. */
const families: readonly (readonly [string, RegExp])[] = [
  ['Meaning', /^late(Even|Least|Miss|Rare|With|Around|$)/],
  ['The session at hand', /^(isHot|inSession)/],
  ['Facts and the graph', /^(fact|asked|negated|path|hop|textMissing|title)/],
  ['The turns around it', /(Before|After)$|^(answers|session|many)/],
  ['Its time', /^recency/],
  ['Names, numbers, form', /^(speaker|byAssistant|length|shortness|isQuestion|echo|states|names|aloneNamed)/],
  ['Words', /words/i],
  ['Meaning', /./],
]

interface Family {
  readonly name: string
  readonly sum: number
  readonly features: readonly Feature[]
}

function byFamily(features: readonly Feature[]): Family[] {
  const groups = Map.groupBy(
    features,
    ({ name }) => families.find(([, names]) => names.test(name))?.[0] ?? '',
  )
  return [...groups]
    .map(([name, inside]) => ({
      name,
      features: inside,
      sum: inside.reduce((sum, { contribution }) => sum + contribution, 0),
    }))
    .sort((a, b) => Math.abs(b.sum) - Math.abs(a.sum))
}

const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`
const percent = (value: number) => `${(value * 100).toFixed(value < 0.1 ? 1 : 0)}%`

/** How one score came about. */
export function Explained({ explanation }: { readonly explanation: Explanation }) {
  const groups = byFamily(explanation.features)
  const widest = Math.max(0.001, ...groups.map(({ sum }) => Math.abs(sum)))
  return (
    <div class="explained">
      <ul class="bars">
        {groups.map(({ name, sum, features }) => (
          <li key={name} class="bar">
            <details>
              <summary>
                <span class="bar-name">{name}</span>
                <span class="bar-track" aria-hidden="true">
                  <span
                    class={sum < 0 ? 'bar-fill against' : 'bar-fill'}
                    style={{ width: `${(Math.abs(sum) / widest) * 50}%` }}
                  />
                </span>
                <span class="bar-number">{signed(sum)}</span>
              </summary>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
              <figure class="table-scroll" tabIndex={0} aria-label={`${name}, by feature`}>
                <table>
                  <thead>
                    <tr>
                      <th scope="col">feature</th>
                      <th scope="col">value</th>
                      <th scope="col">weight</th>
                      <th scope="col">counts</th>
                    </tr>
                  </thead>
                  <tbody>
                    {features.map((feature) => (
                      <tr key={feature.name}>
                        <td>
                          <code>{feature.name}</code>
                        </td>
                        <td>{feature.value.toFixed(3)}</td>
                        <td>{feature.weight.toFixed(2)}</td>
                        <td>{signed(feature.contribution)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </figure>
            </details>
          </li>
        ))}
      </ul>
      <dl class="steps">
        <Step name="together" value={explanation.linear.toFixed(2)} />
        <Step name="the memory has an answer" value={percent(explanation.answerable)} />
        <Step name="and it is this one" value={percent(explanation.probability)} />
        <Step name="as a score" value={explanation.calibrated.toFixed(2)} />
        <Step name="after the rules" value={explanation.score.toFixed(2)} />
      </dl>
      {explanation.rules.length === 0 ? null : (
        <ul class="rules">
          {explanation.rules.map(({ rule, by }) => (
            <li key={`${rule} ${by}`}>
              <code>{rule}</code> {ruleWords[rule]}{' '}
              {by === null ? null : <a href={href(`memories/${by}`)}>That one</a>}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Step({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
