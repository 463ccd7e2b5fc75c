import { isMark } from './tokens.ts'

/** Phrases that mean the same, `from = to`; nothing behind the sign drops the phrase. `be` and `have` stand for their forms. */
const equivalents = `
  at all =
  no 1 = nobody
  any 1 = anyone
  every 1 = everyone
  some 1 = someone
  years of age = years old
  by profession =
  by trade =
  learn how to = learn to
  learning how to = learning to
  work for = work at
  works for = works at
  working for = working at
  worked for = worked at
  not have = have no
  not have a = have no
  not have an = have no
  not have any = have no
  have not got = have no
  have not got a = have no
  have not got an = have no
  have not got any = have no
  not own = have no
  not own a = have no
  not own any = have no
  gave up = stopped
  passed away = died
  was raised in = grew up in
  was brought up in = grew up in
  got promoted = was promoted
  got fired = was fired
  got hired = was hired
  got diagnosed = was diagnosed
  got accepted = was accepted
  you can call me = call me
  weeks' time = weeks
  months' time = months
  e mail = email
  email address = email
  e mail address = email
  co worker = colleague
  square m = sqm
  united kingdom = uk
  united states = usa
  united states of america = usa
  whatsoever =
  as well =
  be located = be
  be situated = be
  at about = about
  at around = about
  at approximately = about
  at the moment =
  at present =
  right now =
  these days =
  close to = near
  nearby to = near
  be going to = will
  have got = have
  have got to = must
  have to = must
  need to = must
  not have to = neednot
  not need to = neednot
  ought to = should
  be able to = can
  not be able to = can not
  be not able to = can not
  be unable to = can not
  would like = want
  would love to = want to
  not like = dislike
  can not stand = hate
  can not bear = hate
  work as = be
  works as = be
  be working as = be
  worked as = was
  be employed as = be
  come from = be from
  comes from = be from
  owns = have
  i own = i have
  we own = we have
  you own = you have
  they own = they have
  have fear of = be afraid of
  have a fear of = be afraid of
  have an allergy to = be allergic to
  because of = due to
  in order to = to
  that is why = so
  all of = all
  the whole of = all
  the entire of = all
  entire of = all
  a lot of = many
  lots of = many
  loads of = many
  per cent = %
  phone number = number
  cell phone = phone
  a bit of = a little
  a little bit of = a little
  a little bit = a little
  a bit = a little
  every day = daily
  each day = daily
  every week = weekly
  each week = weekly
  every month = monthly
  each month = monthly
  every year = yearly
  each year = yearly
  all the time = always
  most of the time = mostly
  for instance = eg
  for example = eg
  next to = beside
  prior to = before
  weight be = weigh
  good at = good in
  new york city = newyork
  new york = newyork`

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
    .map((line): Equivalent => {
      const [from = '', to = ''] = line.split('=')
      return { from: words(from), to: words(to) }
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
  thanks so much|thank you so much|thank you very much|many thanks|thanks in advance|that is all|just saying`
    .split(/[|\n]/)
    .map((phrase) => words(phrase.trim()))
    .toSorted((a, b) => b.length - a.length)

/** Words that add nothing at the beginning of a text; elsewhere they may ("I sleep well"). */
const interjections: ReadonlySet<string> = new Set(
  words(
    'well oh hey hi hello ah ok okay yeah yep yes thanks cheers anyway so but right sure ugh wow yay um uh',
  ),
)

/** An opening aside consists of these words only and ends at a mark: "Hey, quick one:", "Good morning!". */
const openingWords: ReadonlySet<string> = new Set(
  list(`hey hi hello there again dear assistant good morning afternoon evening quick small short question note update info
    fun fact reminder confession important anyway anyways listen look ugh argh wow yay phew oops sorry alas sigh hmm oh ah
    well so and also okay ok yes yeah yep yup right sure thanks btw fyi tbh lol haha hahaha please just fwiw cheers honestly
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
