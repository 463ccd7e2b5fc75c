import { signal } from '@preact/signals'

/** Where one is: `#/memories/ID?persona=work`. */
export interface Place {
  readonly screen: string
  /** What follows the screen in the path. */
  readonly rest: readonly string[]
  readonly params: URLSearchParams
}

export const place = signal<Place>(read())

function read(): Place {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2)
  const [screen = '', ...rest] = path.split('/').map(decoded)
  return { screen, rest, params: new URLSearchParams(query) }
}

/** An address typed by hand may be no proper encoding. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** How often one went somewhere since the page was loaded. Changed parameters of the same place do not count. */
export const visits = signal(0)

addEventListener('hashchange', () => {
  place.value = read()
  visits.value += 1
})

export type Params = Readonly<Record<string, string | null | undefined>>

/** The address of a place, for links. Parameters that are empty are left out. */
export function href(path: string, params: Params = {}): string {
  const given = Object.entries(params).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const query = given.length === 0 ? '' : `?${new URLSearchParams(given)}`
  return `#/${path.split('/').map(encodeURIComponent).join('/')}${query}`
}

export function go(path: string, params: Params = {}): void {
  location.hash = href(path, params)
}

/** Marks in the history what one goes to from here, for who comes back. */
export function leaveFor(id: string): void {
  history.replaceState({ leftFor: id }, '')
}

/** What one went to when one was here before; null for who comes anew. */
export const leftFor = () => (history.state as { leftFor?: string } | null)?.leftFor ?? null

/** The same place with other parameters, without a new entry in the history. */
export function replaceParams(path: string, params: Params): void {
  history.replaceState(null, '', href(path, params))
  place.value = read()
}
