import { api } from '../api.ts'
import { useTask } from '../task.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Button, count, Failed } from '../ui/parts.tsx'
import { toast } from '../ui/toasts.tsx'
import { type Forecast, type Outlook, usualThreshold } from './outlook.ts'

interface PruneDialogProps {
  readonly outlook: Outlook
  readonly persona: string | null
  readonly close: (isDone: boolean) => void
}

/** A dry run is what it shows; only then something goes. */
export function PruneDialog({ outlook, persona, close }: PruneDialogProps) {
  const { now, rules } = outlook
  const pruning = useTask<Forecast>()
  const isPruning = pruning.state.kind === 'busy'
  const threshold = rules.threshold === 0 ? usualThreshold : rules.threshold
  const prune = async () => {
    const reply = await pruning.run((signal) =>
      api().prune({ dry_run: false, threshold, persona }, { signal }),
    )
    if (reply === null) return
    toast(`${count(reply.pruned, 'memory', 'memories')} deleted.`)
    close(true)
  }
  return (
    <Dialog
      title={`Delete ${count(now.candidates, 'faded memory', 'faded memories')}?`}
      close={() => close(false)}
      busy={isPruning}
      actions={
        <>
          <Button disabled={isPruning} onClick={() => close(false)}>
            Keep them
          </Button>
          <Button kind="danger" busy={isPruning} onClick={prune}>
            Delete
          </Button>
        </>
      }
    >
      <p>
        {count(now.chunks, 'text')} and {count(now.relations, 'fact')} have less than{' '}
        {Math.round(threshold * 1000) / 10}% left. This cannot be undone.
      </p>
      <ul class="fading-preview">
        {now.memories.map(({ id, fact }) => (
          <li key={id} class="words">
            {fact}
          </li>
        ))}
      </ul>
      <Failed task={pruning} />
    </Dialog>
  )
}
