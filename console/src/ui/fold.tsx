import { useRef } from 'preact/hooks'
import type { Children } from './parts.tsx'

interface FoldProps extends Children {
  readonly summary: string
  /** Something in it counts: it is open. */
  readonly isSet: boolean
  readonly class?: string
}

/** What is rarely needed, folded until something in it is set. It does not fold by itself: one may be typing in it. */
export function Fold({ summary, isSet, class: extra = '', children }: FoldProps) {
  const wasSet = useRef(false)
  wasSet.current ||= isSet
  return (
    <details class={extra} open={wasSet.current}>
      <summary>{summary}</summary>
      {children}
    </details>
  )
}
