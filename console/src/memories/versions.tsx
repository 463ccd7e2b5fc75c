import type { components } from '../api.ts'
import { href } from '../router.ts'
import { Badge, dateAndTime, Meter, Panel } from '../ui/parts.tsx'
import { changedWords } from './diff.ts'

type History = components['schemas']['MemoryHistoryReply']
type Version = History['history'][number]

/** What it said over time, oldest first, and the statements that it is linked with. */
export function Versions({
  id,
  history: { history, links },
}: {
  readonly id: string
  readonly history: History
}) {
  const statement = (one: { readonly id: string; readonly fact: string | null }) =>
    one.fact === null ? (
      <span class="hint">faded since</span>
    ) : (
      <a class="words serif clamp" href={href(`memories/${one.id}`)}>
        {one.fact}
      </a>
    )
  return (
    <>
      <Panel title="Versions">
        {history.length > 0 ? null : (
          <p class="hint">No facts were read from this text: it has one version.</p>
        )}
        <ol class="versions">
          {history.map((version, at) => (
            <li key={version.id} class={version.current ? 'version-entry current' : 'version-entry'}>
              <VersionView version={version} before={history[at - 1] ?? null} isThis={version.id === id} />
            </li>
          ))}
        </ol>
      </Panel>
      {links.length === 0 ? null : (
        <Panel title="Linked statements">
          <ul class="links">
            {links.map(({ newer, older, kind, probability, at }) => (
              <li key={`${newer.id} ${older.id}`}>
                {statement(newer)}
                <p class="row hint">
                  {kind === 'ends' ? 'ended' : 'replaced'}{' '}
                  <Meter value={probability} unit="sure" label="How sure that is" />
                  {dateAndTime(at)}
                </p>
                {statement(older)}
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  )
}

interface VersionProps {
  readonly version: Version
  readonly before: Version | null
  readonly isThis: boolean
}

function VersionView({ version, before, isThis }: VersionProps) {
  const pieces =
    before !== null && version.replaces.includes(before.id)
      ? changedWords(before.fact, version.fact)
      : [{ text: version.fact, isNew: false }]
  const words = pieces.map(({ text, isNew }, at) => (isNew ? <ins key={at}>{text}</ins> : text))
  return (
    <>
      {isThis ? (
        <p class="words serif">{words}</p>
      ) : (
        <a class="words serif" href={href(`memories/${version.id}`)}>
          {words}
        </a>
      )}
      <p class="row hint">
        {version.current ? <Badge tone="accent">holds</Badge> : <Badge tone="warn">history</Badge>}
        {isThis ? <Badge>this one</Badge> : null}
        <span>
          {dateAndTime(version.created_at)}
          {version.closed_at === null ? '' : ` to ${dateAndTime(version.closed_at)}`}, by {version.source}
        </span>
      </p>
      {version.evidence === '' || version.evidence === version.fact ? null : (
        <p class="hint words clamp">Read from “{version.evidence}”</p>
      )}
    </>
  )
}
