import { isRole } from '../rules/vocabulary.ts'
import { plainTwin } from './compounds.ts'
import { plainName } from './spans.ts'

/** Third persons that are plurals too, and so are lost behind a person: `Ben studies`, `my aunt mentors`. */
const verbOrPlural =
  /^(?:studies|mentors|coaches|paints|models|dances|trades|drums|sails|surfs|trains|volunteers|tutors|guides|hosts|pilots|designs|plays|farms|gardens|sketches|crafts|blogs|streams|rows|skates|hikes|bikes|cycles|jogs|drives|cooks|bakes|knits|smokes|drinks|swims|acts|sews|commutes|races|coordinates|supervises|fences|boxes|fishes|hunts|judges|ranches|breeds|clerks|interns|chairs|heads|captains|ships|tests|reviews|audits|records|produces|edits|dates|backs|fosters|adopts|restores|repairs|collects|lectures|consults|freelances|babysits|rides|owns|rents|stems|results)$/
const person =
  /^(?:he|she|who|and|also|now|currently|still|just|usually|often|always|mostly|typically|\p{Lu}\p{Ll}+)$/u
const place = /^(?:in|at|for|as|with|near|on|to|from|under|around|there|here|abroad|every|\.|,|and|but)$/i

/** A verb of the same use that the parser knows; null when the word is clear where it stands. */
function plainVerb(word: string, before: string, next: string): string | null {
  if (!verbOrPlural.test(word) || !(person.test(before) || isRole(before))) return null
  if (place.test(next)) return 'works'
  return /^(?:\p{L}|\d)/u.test(next) ? 'teaches' : null
}

/** Words that the parser takes for something else, by what stands around them. */
const confusing: readonly { word: RegExp; before?: RegExp; next: RegExp; instead: string }[] = [
  {
    word: /^'s$/,
    before: /^(?:name|birthday|email|job|number|address|color|colour)$/i,
    next: /^[\p{L}\p{N}]/u,
    instead: 'is',
  },
  {
    word: /^lives$/i,
    next: /^(?:in|at|near|with|on|off|next|across|abroad|together|alone|here|there|close|by|outside|just|right|about|down|up|somewhere|overseas)$/i,
    instead: 'works',
  },
  {
    word: /^sounds$/i,
    next: /^(?:so|really|very|like|great|good|amazing|fun|awesome|super|perfect|interesting|nice|cool|refreshing|wonderful|lovely|exciting|relaxing)$/i,
    instead: 'is',
  },
  { word: /^reports$/i, next: /^to$/i, instead: 'speaks' },
  { word: /^(?:married|divorced|dated)$/, before: /^\p{Lu}\p{Ll}+$/u, next: /^\p{Lu}/u, instead: 'visited' },
  { word: /^stars$/, next: /^\p{Lu}/u, instead: 'includes' },
  { word: /^freelance$/i, next: /^\p{L}+$/u, instead: 'professional' },
  { word: /^(?:lactose|gluten)$/i, next: /^intolerant$/i, instead: 'very' },
  { word: /^intolerant$/i, before: /^(?:lactose|gluten)$/i, next: /./, instead: 'tall' },
  { word: /^gluten$/i, next: /./, instead: 'meat' },
]

/** The words as the parser should see them, one for one. */
export function disguised(words: readonly string[]): string[] {
  return words.map((word, i) => {
    if (word.includes(' ')) return plainName(word)
    const twin = plainTwin(word)
    if (twin) return twin
    if (/^\p{L}+-\p{L}+$/u.test(word)) return word.slice(word.lastIndexOf('-') + 1)
    const next = words[i + 1] ?? '.'
    const previous = words[i - 1] ?? ''
    const verb = plainVerb(word, previous, next)
    if (verb) return verb
    return (
      confusing.find(
        (rule) => rule.word.test(word) && rule.next.test(next) && (rule.before?.test(previous) ?? true),
      )?.instead ?? word
    )
  })
}
