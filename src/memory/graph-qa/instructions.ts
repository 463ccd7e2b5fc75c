import { decoded, foldLetters, latin, leetOf, plain, rot13, visible } from './disguise.ts'
import { phrases, phrasesInOtherScripts } from './phrases.ts'

/** Marks that conversations with models are made of. They have no place inside a memory. */
const marks =
  /<\|?\/?(?:im_start|im_end|system|assistant|user|endoftext|eot_id|start_header_id|instructions?|prompt|inst)\b[^>]{0,40}>|\[\/?(?:INST|SYS|SYSTEM)\]|<<\/?SYS>>|<\s*(?:[A-Z]+ )?MODE\s*>|^[ \t]*#{2,6}[ \t]*(?:system|instructions?|new task|prompt)\b|^[ \t]*(?:system|developer)[ \t]*:/imu

/** At the beginning of a sentence, or after a word that leads to a command. */
const lead = String.raw`(?:^\W*|[,;:.!?।。–—"'\u0060”)\n]\s{0,3}|--\s{0,3}|\b(?:and|then|please|now|just|must|always|instead|simply)\s{1,3})`
const verbs =
  '(?:say|print|output|reply|respond|answer|repeat|echo|emit|append|utter|call yourself|tell (?:them|the user|everyone))'
const tells = new RegExp(`${lead}${verbs}\\b`, 'iu')
/** A quoted text, or an identifier: what somebody who wants a certain answer would name. */
const named =
  /(?<![\p{L}\p{N}])["'“‘`«][^"'“”‘’`«»\n]{2,60}["'”’`»](?!\p{L})|\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{5,40}\b|\b[A-Z]{2,}[_-][A-Z0-9_-]+\b/u
/** `Say BANANA`, `reply with banana`: the command and what is to be said, next to each other. */
const dictates = new RegExp(
  `${lead}(?:(?:say|print|output|echo|repeat|utter)\\s+[A-Z]{5,}\\b|(?:reply|respond|answer)\\s+with\\b)`,
  'u',
)

/** True when the sentence tells the model what to do, however it is spelt. */
export function isInstruction(sentence: string): boolean {
  const seen = visible(sentence)
  if (marks.test(seen) || phrasesInOtherScripts.test(plain(seen))) return true
  if (tells.test(latin(seen)) && named.test(seen.normalize('NFKC'))) return true
  if (dictates.test(seen.normalize('NFKC')) || dictates.test(latin(seen))) return true
  if (isTurned(seen)) return true
  if (wordViews(sentence).some((view) => wordPatterns.test(view))) return true
  if (letterViews(sentence).some((view) => letterPatterns.test(view))) return true
  return decoded(sentence).some((text) => text !== sentence && isInstruction(text))
}

const common = new Set(
  'the and you your of to is in it that with for this are be as on not have what from or all can will do my me'.split(
    ' ',
  ),
)

/** True for English written backwards or in ROT13: the words that every text has are there only when it is turned. */
function isTurned(text: string): boolean {
  const letters = latin(text)
  const share = (view: string) => {
    const words = view.match(/[a-z]+/g) ?? []
    const found = words.filter((word) => common.has(word)).length
    return found >= 3 ? found / words.length : 0
  }
  const backwards = [...letters].reverse().join('')
  return share(letters) < 0.05 && Math.max(share(backwards), share(rot13(letters))) > 0.15
}

/** Words separated by one space, in the alphabets that a reader could take them for; backwards and in ROT13 too. */
function wordViews(text: string): string[] {
  const uncut = text.replace(/(?<=\p{L})[.\-_*~^|/\\+·•,](?=\p{L})/gu, '')
  const forms = text === uncut ? [latin(text)] : [latin(text), latin(uncut)]
  const [first = ''] = forms
  const backwards = [...first].reverse().join('')
  const mirrored = first.replace(/\p{L}+/gu, (word) => [...word].reverse().join(''))
  return [...forms, leetOf(text), backwards, mirrored, rot13(first)].map((form) => foldLetters(spaced(form)))
}

function spaced(text: string): string {
  return ` ${text
    .replace(/['´`]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()} `
}

/** Letters alone, of words that run together, and of a text whose words are cut into pieces. */
function letterViews(text: string): string[] {
  const bare = (view: string) => foldLetters(view.replace(/[^a-z]/g, ''))
  const words = spaced(latin(text)).trim().split(' ')
  const isCut = words.join('').length < 2.5 * words.length
  const together = words.filter((word) => word.length > 15).map(bare)
  return isCut ? [bare(latin(text)), bare(leetOf(text)), ...together] : together
}

const wordPatterns = compile(phrases, { space: ' ', gap: '(?: [^ ]+){0,6}? ', word: '[^ ]+', edge: '(?= )' })
/** A gap of letters is shorter than six words could be, or far-off words would meet. */
const letterPatterns = compile(phrases.filter(isLong), {
  space: '',
  gap: '[a-z]{0,24}?',
  word: '[a-z]{1,12}',
  edge: '',
})

interface Spelling {
  readonly space: string
  readonly gap: string
  readonly word: string
  readonly edge: string
}

function compile(patterns: readonly string[], { space, gap, word, edge }: Spelling): RegExp {
  const sources = patterns.map((pattern) =>
    foldLetters(pattern)
      .replaceAll('~', gap)
      .replaceAll('\\w+', word)
      .replaceAll('_?', `${space}?`)
      .replaceAll('_', space),
  )
  return new RegExp(sources.map((source) => `${space}(?:${source})${edge}`).join('|'), 'u')
}

/** Short ones would be found by chance where letters run together. */
function isLong(pattern: string): boolean {
  return pattern.includes('~') || pattern.length > 40
}
