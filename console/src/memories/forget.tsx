import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api, type components } from '../api.ts'
import { useTask } from '../task.ts'
import { CopyButton } from '../ui/calls.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Button, count, Loading, Problem } from '../ui/parts.tsx'

type Schemas = components['schemas']
type Counts = Schemas['StatsReply']

interface Receipt {
  readonly before: Counts
  readonly after: Counts
  readonly reply: Schemas['ForgetReply']
}

interface ForgetProps {
  readonly ids: readonly string[]
  /** `unsure`: it failed on the way, and something may have been removed. */
  readonly close: (outcome: 'kept' | 'gone' | 'unsure') => void
}

/** Seconds in which it can be taken back; nothing is removed before they are over. */
const grace = 6

/** Shows what would go, waits, removes, and proves it by counting again. */
export function Forget({ ids, close }: ForgetProps) {
  const preview = useTask<Schemas['ForgetReply']>()
  const removal = useTask<Receipt>()
  const left = useSignal<number | null>(null)

  useEffect(
    () => void preview.run((signal) => api().forget({ ids: [...ids], dry_run: true }, { signal })),
    [ids],
  )

  const remove = () => {
    left.value = null
    return removal.run(async () => {
      const count = () => api().stats({ user_id: 'me', persona: '*' })
      const before = await count()
      const reply = await api().forget({ ids: [...ids] })
      return { before, reply, after: await count() }
    })
  }

  useEffect(() => {
    const seconds = left.value
    if (seconds === null) return
    const timer = setTimeout(() => {
      if (seconds > 1) left.value = seconds - 1
      else remove()
    }, 1_000)
    return () => clearTimeout(timer)
  }, [left.value])

  const isDone = removal.state.kind === 'done'
  const isFailed = removal.state.kind === 'failed'
  const isRemoving = removal.state.kind === 'busy'
  const isWaiting = left.value !== null
  const leave = () => close(isDone ? 'gone' : isFailed ? 'unsure' : 'kept')
  return (
    <Dialog
      title={isDone ? 'Forgotten' : `Forget ${count(ids.length, 'memory', 'memories')}?`}
      close={leave}
      busy={isRemoving}
      actions={
        isRemoving ? (
          <Button kind="danger" busy>
            Forgetting
          </Button>
        ) : isDone || isFailed ? (
          <Button kind="primary" onClick={leave}>
            {isDone ? 'Done' : 'Close'}
          </Button>
        ) : isWaiting ? (
          <>
            <Button onClick={() => void remove()}>Now</Button>
            <Button kind="primary" onClick={leave}>
              Undo
            </Button>
          </>
        ) : (
          <>
            <Button onClick={leave}>Keep</Button>
            <Button
              kind="danger"
              disabled={preview.state.kind !== 'done'}
              onClick={() => {
                left.value = grace
              }}
            >
              Forget
            </Button>
          </>
        )
      }
    >
      {removal.state.kind === 'failed' ? <Problem error={removal.state.error} retry={remove} /> : null}
      {preview.state.kind === 'failed' ? <Problem error={preview.state.error} /> : null}
      {isDone && removal.value !== null ? (
        <ReceiptView receipt={removal.value} />
      ) : isRemoving ? (
        <p role="status">It is being removed, and can no longer be kept.</p>
      ) : isWaiting ? (
        <p role="status">
          Forgetting in {grace} seconds. <span aria-hidden="true">{left.value} …</span>
        </p>
      ) : preview.value === null ? (
        preview.state.kind === 'busy' ? (
          <Loading lines={3} />
        ) : null
      ) : (
        <WouldGo reply={preview.value} />
      )}
    </Dialog>
  )
}

function WouldGo({ reply }: { readonly reply: Schemas['ForgetReply'] }) {
  const { memories } = reply
  const all = reply.chunks + reply.relations
  return (
    <>
      <p>
        {count(reply.chunks, 'text')}, {count(reply.relations, 'fact')} and{' '}
        {count(reply.entities, 'entity', 'entities')} would go, for good. What these memories had replaced
        holds again.
      </p>
      {memories === null || memories.length === 0 ? null : (
        <ul class="would-go">
          {memories.slice(0, 20).map(({ id, fact }) => (
            <li key={id} class="words serif clamp">
              {fact}
            </li>
          ))}
        </ul>
      )}
      {memories !== null && all > 20 ? (
        <p class="hint">… and {all - Math.min(20, memories.length)} more</p>
      ) : null}
    </>
  )
}

function ReceiptView({ receipt }: { readonly receipt: Receipt }) {
  const { before, after, reply } = receipt
  const rows = [
    ['texts', before.episodic_count, reply.chunks, after.episodic_count],
    ['facts', before.semantic_relations, reply.relations, after.semantic_relations],
    ['entities', before.semantic_entities, reply.entities, after.semantic_entities],
  ] as const
  return (
    <>
      <p role="status">
        Counted again: <strong>{reply.remaining ?? 0}</strong> of them are left.
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">all memories</th>
            <th scope="col">before</th>
            <th scope="col">removed</th>
            <th scope="col">after</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, had, gone, has]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{had}</td>
              <td>{gone}</td>
              <td>{has}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div>
        <CopyButton text={JSON.stringify(receipt, null, 2)} label="Copy the receipt" />
      </div>
    </>
  )
}
