import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface DialogProps {
  readonly title: string
  readonly close: () => void
  /** What was decided is being done: it can no longer be closed. */
  readonly busy?: boolean
  readonly children?: ComponentChildren
  /** Buttons at its foot. */
  readonly actions?: ComponentChildren
}

/** A question that has to be answered first. The focus stays inside and goes back where it was; Escape closes. */
export function Dialog({ title, close, busy = false, children, actions }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const dialog = element.current
    const asked = document.activeElement
    dialog?.showModal()
    return () => {
      // While it is open nothing outside of it takes the focus.
      dialog?.close()
      if (asked instanceof HTMLElement) asked.focus()
    }
  }, [])
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      // A second Escape closes it whatever `cancel` says; not with this.
      closedby={busy ? 'none' : 'closerequest'}
      onCancel={(event) => {
        event.preventDefault()
        if (!busy) close()
      }}
    >
      <div class="dialog-body">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
      {actions === undefined ? null : <div class="row dialog-foot">{actions}</div>}
    </dialog>
  )
}
