import { cleanName } from './names.ts'

export interface LifeFact {
  readonly relation: 'born_on' | 'born_in' | 'died_on' | 'died_in'
  readonly object: string
}

const month =
  '(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\\.?'
const date = `(?:\\d{1,2} ${month} \\d{3,4}|${month} \\d{1,2}, ?\\d{3,4}|${month} \\d{4}|\\d{4})`
const place = "(?: in ([\\p{Lu}][\\p{L} .,'-]{1,50}))?"
const span = new RegExp(
  `^[^()]{0,60}?(${date})${place}\\s*[–—-]\\s*[^()]{0,20}?(${date})${place}[^()]{0,40}$`,
  'u',
)
const birth = new RegExp(
  `(?:^|[;,] ?|\\s)born(?: on)?(?: [\\p{Lu}][\\p{L} .'-]{1,40};?,?)?\\s*(${date})?${place}`,
  'u',
)
const death = new RegExp(`(?:^|[;,] ?|\\s)died(?: on)?\\s*(${date})?${place}`, 'u')
/** Longer brackets hold no dates of life. */
const longest = 160

/** What brackets behind a name say of a life: `(2 November 1932 – 21 October 1987)`, `(born 1978 in Leningrad)`. */
export function lifeFacts(bracket: string): LifeFact[] {
  if (bracket.length > longest) return []
  const whole = span.exec(bracket)
  if (whole) {
    return facts([
      ['born_on', whole[1]],
      ['born_in', whole[2]],
      ['died_on', whole[3]],
      ['died_in', whole[4]],
    ])
  }
  const born = birth.exec(bracket)
  const died = death.exec(bracket)
  return facts([
    ['born_on', born?.[1]],
    ['born_in', born?.[2]],
    ['died_on', died?.[1]],
    ['died_in', died?.[2]],
  ])
}

function facts(found: readonly (readonly [LifeFact['relation'], string | undefined])[]): LifeFact[] {
  return found.flatMap(([relation, value]) => {
    const object = value ? cleanName(value.replace(/[–—-].*$/, '')) : ''
    return object ? [{ relation, object }] : []
  })
}
