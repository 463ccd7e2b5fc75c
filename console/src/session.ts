import { computed, signal } from '@preact/signals'

const stored = 'memoryd-key'

/** The key that is signed in with; null: nobody is. It lives in this tab and nowhere else. */
export const key = signal<string | null>(sessionStorage.getItem(stored))

/** Why somebody who was signed in no longer is, when it was not their own wish. */
export const endedBy = signal<string | null>(null)

export const isSignedIn = computed(() => key.value !== null)

/** The token of a link from the terminal that one came with. A key that still holds leaves it alone. */
export const linkToken = signal<string | null>(null)

/** It works once: neither the history nor a bookmark should keep it. */
function takeLink(): void {
  const token = /^#link=([\w-]+)$/.exec(location.hash)?.[1]
  if (token === undefined) return
  history.replaceState(null, '', location.pathname)
  linkToken.value = token
}
takeLink()
addEventListener('hashchange', takeLink)

/** `keep`: a reload of this tab stays signed in. */
export function signIn(given: string, keep: boolean): void {
  if (keep) sessionStorage.setItem(stored, given)
  endedBy.value = null
  key.value = given
}

export function signOut(why: string | null = null): void {
  endedBy.value = why
  sessionStorage.removeItem(stored)
  key.value = null
}
