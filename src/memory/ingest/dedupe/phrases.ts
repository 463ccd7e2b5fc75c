import { equivalents } from './equivalents.ts'
import { isMark } from './tokens.ts'

interface Equivalent {
  readonly from: readonly string[]
  readonly to: readonly string[]
}

const list = (words: string) => words.trim().split(/\s+/)
const words = (phrase: string) => phrase.split(' ').filter((word) => word !== '')

/** By first word, longest first. */
const byFirstWord: ReadonlyMap<string, readonly Equivalent[]> = Map.groupBy(
  equivalents
    .trim()
    .split('\n')
    .flatMap((line): readonly Equivalent[] => {
      const [meant = '', phrases = ''] = line.split(' = ')
      const to = meant.trim() === '-' ? [] : words(meant)
      return phrases.split(' | ').map((phrase) => ({ from: words(phrase), to }))
    })
    .toSorted((a, b) => b.from.length - a.from.length),
  ({ from }) => from[0] ?? '',
)

/** Every known phrase as its equivalent, from left to right. */
export function unifyPhrases(text: readonly string[]): string[] {
  const result: string[] = []
  for (let at = 0; at < text.length; ) {
    const known = byFirstWord.get(text[at] ?? '')?.find(({ from }) => startsWith(text, from, at))
    if (known === undefined) result.push(text[at] ?? '')
    else result.push(...known.to)
    at += known?.from.length ?? 1
  }
  return result
}

function startsWith(text: readonly string[], phrase: readonly string[], from = 0): boolean {
  return phrase.every((word, at) => text[from + at] === word)
}

/** Introductions that say nothing, longest first; numbers are digits by then. */
const openings: readonly (readonly string[])[] =
  `just so you know|just wanted to let you know|i just wanted to let you know
  i wanted to let you know|i just wanted to say|i wanted to say|i just wanted to tell you|i wanted to tell you
  just wanted to say|just to let you know|just a reminder|as a reminder|i should mention|i should add|i have to say
  let me tell you|please remember|could you please remember|could you remember|can you remember|can you please remember
  do not forget|please do not forget|keep in mind|please keep in mind|note to self|just a quick note|a quick note
  quick note|just a note|just a heads up|heads up|i forgot to mention|i forgot to say|i wanted to mention
  i want you to know|i would like you to know|you should know|for your info|right now
  please note|remember|note|reminder|by the way|for the record|for your information|for context|for reference
  as i said before|as i said earlier|as i said|as i mentioned|as you know|like i said|you know|i mean|to be honest
  in fact|of course|fun fact|fun fact about me|quick 1|1 more thing|another thing|good news|great news
  guess what|it turns out|turns out|if you must know|in case it matters|in case you wondered
  in case you need it|make a note|please make a note|take note|please save|please store|save this|store this
  to be clear|as a matter of fact|needless to say|believe it or not|if that helps|good to know|thank you|thanks a lot
  thanks so much|thank you so much|thank you very much|many thanks|thanks in advance|that is all|just saying|can you|could you|would you|will you
  oh and|oh by the way|just to be clear|i should say|i should note|i must say|i must admit|i have to admit|i admit
  let me just say|just wanted to mention|wanted to mention|wanted to say|wanted to let you know|so you know
  just for the record|as a side note|on a side note|side note|little note|quick update|small update
  in case you are wondering|in case you were wondering|you might like to know|you may want to know|the thing is
  the fact is|the truth is|as it happens|as it turns out|to be fair|to tell the truth|truth be told|in all honesty
  between you and me|if you ask me|i am happy to say|i am sad to say|happy to report|please be aware|be aware
  please save that|please store that|can you note|please note down|note down|for future reference|for later
  one thing to know|something to remember|also remember|remember this|ps|nb`
    .split(/[|\n]/)
    .map((phrase) => words(phrase.trim()))
    .toSorted((a, b) => b.length - a.length)

/** Words that add nothing at the beginning of a text; elsewhere they may ("I sleep well"). */
const interjections: ReadonlySet<string> = new Set(
  words(
    'well oh hey hi hello ah ok okay yeah yep yes thanks cheers anyway so but right sure ugh wow yay um uh whew omg',
  ),
)

/** An opening aside consists of these words only and ends at a mark: "Hey, quick one:", "Good morning!". */
const openingWords: ReadonlySet<string> = new Set(
  list(`hey hi hello there again dear assistant good morning afternoon evening quick small short question note update info
    fun fact reminder confession important anyway anyways listen look ugh argh wow yay phew oops sorry alas sigh hmm oh ah
    well so and also okay ok yes yeah yep yup right sure whew omg whoa woah yikes gosh geez jeez hooray hurray boo meh aha ahem yo howdy greetings psst dude thanks btw fyi tbh lol haha hahaha please just fwiw cheers honestly
    frankly sadly unfortunately luckily fortunately thankfully obviously actually basically um uh er`),
)

/** A closing aside consists of these words only and follows a mark. */
const closingWords: ReadonlySet<string> = new Set(
  list(`thanks please btw fyi tbh lol haha hahaha cheers sadly unfortunately luckily fortunately thankfully obviously
    honestly actually ugh sigh phew yay oops sorry okay ok yes anyway`),
)

/** Longer parts state something. */
const longestAside = 5

/** The text without greetings, introductions and thanks at its ends; never without all of its words. */
export function dropAsides(text: readonly string[]): readonly string[] {
  return dropClosing(dropOpening(text))
}

function dropOpening(text: readonly string[]): readonly string[] {
  const start = text.findIndex((word) => !isMark(word))
  if (start < 0) return text
  const rest = text.slice(start)
  const opening = openings.find((phrase) => startsWith(rest, phrase))
  const end = rest.findIndex(isMark)
  const isAside = end > 0 && end <= longestAside && rest.slice(0, end).every((word) => openingWords.has(word))
  const length = opening?.length ?? (isAside ? end : interjections.has(rest[0] ?? '') ? 1 : 0)
  if (length === 0 || rest.slice(length).every(isMark)) return rest
  const next = rest.slice(length)
  return dropOpening(opening !== undefined && next[0] === 'that' ? next.slice(1) : next)
}

function dropClosing(text: readonly string[]): readonly string[] {
  const end = text.findLastIndex((word) => !isMark(word)) + 1
  const rest = text.slice(0, end)
  const mark = rest.findLastIndex(isMark)
  const last = rest.slice(mark + 1)
  const isAside = last.length <= longestAside && last.every((word) => closingWords.has(word))
  const isOpening = openings.some((phrase) => phrase.length === last.length && startsWith(last, phrase))
  if (mark > 0 && (isAside || isOpening)) return dropClosing(rest.slice(0, mark))
  const closing = closings.find((phrase) => startsWith(rest, phrase, rest.length - phrase.length))
  return closing === undefined || closing.length >= rest.length
    ? rest
    : dropClosing(rest.slice(0, -closing.length))
}

/** Those that need no mark before them. */
const closings =
  'thanks|thank you|thanks a lot|by the way|you know|as i said|as you know|to be honest|just so you know|btw|fyi|lol'
    .split('|')
    .map(words)
