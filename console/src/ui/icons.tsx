const paths = {
  mark: 'M12 3.5a2.4 2.4 0 1 0 .01 0M5.5 15.5a2.4 2.4 0 1 0 .01 0M18.5 15.5a2.4 2.4 0 1 0 .01 0M10.7 8 6.9 15.9M13.3 8l3.8 7.9M8 18h8',
  spark: 'M12 4c.6 4.8 3.2 7.4 8 8-4.8.6-7.4 3.2-8 8-.6-4.8-3.2-7.4-8-8 4.8-.6 7.4-3.2 8-8Z',
  lens: 'M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12ZM15.5 15.5 20 20',
  list: 'M5 7h14M5 12h14M5 17h9',
  graph:
    'M6.5 4.5a2 2 0 1 0 .01 0M17.5 8.5a2 2 0 1 0 .01 0M9.5 15.5a2 2 0 1 0 .01 0M8.4 7.2l7.2 2.6M7 8.5l2 7M11 16.2l5-4.4',
  fade: 'M4 6c4 0 4 12 9 12h7',
  plug: 'M9 4v5M15 4v5M6 9h12v2a6 6 0 0 1-12 0V9ZM12 17v3',
  contrast: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 5.2a6.8 6.8 0 0 1 0 13.6Z',
  leave: 'M10 5H5v14h5M14.5 8l4 4-4 4M18 12H9.5',
  pin: 'M9 4h6l-1 6 3 3H7l3-3-1-6ZM12 13v7',
} as const

export type IconName = keyof typeof paths

/** A drawing beside a word; it says nothing of its own. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg viewBox="0 0 24 24" class={`icon icon-${name}`} aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}
