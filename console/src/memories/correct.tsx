import { useSignal } from '@preact/signals'
import { api, type components, sentenceOf } from '../api.ts'
import { go } from '../router.ts'
import { useTask } from '../task.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Button, Field, Problem } from '../ui/parts.tsx'
import { toast } from '../ui/toasts.tsx'

interface CorrectProps {
  readonly memory: components['schemas']['Memory']
  /** With the id of the memory that holds now; null when nothing was changed. */
  readonly close: (corrected: string | null) => void
}

/** Says what holds instead. What it said before stays as history. */
export function Correct({ memory, close }: CorrectProps) {
  const text = useSignal(memory.fact)
  const task = useTask<string>()
  const isSaving = task.state.kind === 'busy'

  const save = async () => {
    const id = await task.run(async () => (await api().memories.update(memory.id, { text: text.value })).id)
    if (id === null) return
    toast({
      text: 'Corrected. What it said before is history now.',
      action: { label: 'Undo', run: () => void undo(id) },
    })
    close(id)
  }

  const undo = async (id: string) => {
    try {
      await api().memories.delete(id)
      toast('Taken back: what it said before holds again.')
      go(`memories/${memory.id}`)
    } catch (error) {
      toast({ text: sentenceOf(error), tone: 'bad' })
    }
  }

  return (
    <Dialog
      title="Correct this memory"
      close={() => close(null)}
      busy={isSaving}
      actions={
        <>
          <Button disabled={isSaving} onClick={() => close(null)}>
            Cancel
          </Button>
          <Button
            kind="primary"
            busy={isSaving}
            disabled={text.value.trim() === '' || text.value === memory.fact}
            onClick={save}
          >
            Save
          </Button>
        </>
      }
    >
      <Field
        label="What holds instead"
        hint="It is stored as the user’s word. The old text stays as history."
      >
        {(attributes) => (
          <textarea
            {...attributes}
            class="serif"
            maxLength={32_768}
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value
            }}
          />
        )}
      </Field>
      {task.state.kind === 'failed' ? <Problem error={task.state.error} /> : null}
    </Dialog>
  )
}
