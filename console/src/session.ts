import { computed, signal } from '@preact/signals'

const stored = 'memoryd-key'

/** The key that is signed in with; null: nobody is. It lives in this tab and nowhere else. */
export const key = signal<string | null>(sessionStorage.getItem(stored))

export const isSignedIn = computed(() => key.value !== null)

/** `keep`: a reload of this tab stays signed in. */
export function signIn(given: string, keep: boolean): void {
  if (keep) sessionStorage.setItem(stored, given)
  key.value = given
}

export function signOut(): void {
  sessionStorage.removeItem(stored)
  key.value = null
}
