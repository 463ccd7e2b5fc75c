import { effect, signal } from '@preact/signals'

export const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const stored = 'memoryd-theme'
const kept = localStorage.getItem(stored)

export const theme = signal<Theme>(themes.find((name) => name === kept) ?? 'auto')

effect(() => {
  document.documentElement.dataset.theme = theme.value
  localStorage.setItem(stored, theme.value)
})
