import { isGivenName } from '../rules/given-names.ts'
import type { Token } from './tokens.ts'

const quote = /^(?:"|``|'')$/
/** Words that may stand in lower case inside a title. */
const small = /^(?:of|the|a|an|in|on|for|and|or|to|at|by|with|from|&|,|'s|-|:|!|\?|\.)$/
const longestTitle = 10

/** Quoted titles and the text's own title become one word each, so that the parser does not look into them. */
export function joinTitles(tokens: readonly Token[], text: string, title: readonly string[]): Token[] {
  const result: Token[] = []
  for (let i = 0; i < tokens.length; i++) {
    const length = titleLength(tokens, i, title) || quotedLength(tokens, i)
    const first = tokens[i]
    const last = tokens[i + Math.max(0, length - 1)]
    if (!first || !last) continue
    if (length <= 1) {
      result.push(first)
      continue
    }
    const quoted = quote.test(first.form)
    const from = quoted ? (tokens[i + 1]?.start ?? first.start) : first.start
    const to = quoted ? (tokens[i + length - 2]?.end ?? last.end) : last.end
    result.push({ form: text.slice(from, to), start: from, end: to })
    i += length - 1
  }
  return result
}

/** How many words from `i` on are the title, when it has more than one. */
function titleLength(tokens: readonly Token[], i: number, title: readonly string[]): number {
  if (title.length < 2 || title.length > longestTitle) return 0
  return title.every((word, k) => tokens[i + k]?.form === word) ? title.length : 0
}

/** The length of `" A Fool for Luck "` at `i`, marks included; 0 when what is quoted is no title. */
function quotedLength(tokens: readonly Token[], i: number): number {
  if (!quote.test(tokens[i]?.form ?? '')) return 0
  for (let k = i + 1; k < tokens.length && k - i <= longestTitle + 1; k++) {
    const form = tokens[k]?.form ?? ''
    if (quote.test(form)) return k - i >= 2 && startsUpper(tokens[i + 1]) ? k - i + 1 : 0
    if (!small.test(form) && !/^[\p{Lu}\p{N}]/u.test(form)) return 0
  }
  return 0
}

const startsUpper = (token: Token | undefined) => /^[\p{Lu}\p{N}]/u.test(token?.form ?? '')

/** `comedy- drama`, as some texts space it, is one word. */
export function joinHyphens(tokens: readonly Token[]): Token[] {
  const result: Token[] = []
  for (const token of tokens) {
    const before = result.at(-1)
    const joins =
      before && /^\p{L}+-$/u.test(before.form) && before.end + 1 === token.start && /^\p{L}/u.test(token.form)
    if (joins)
      result[result.length - 1] = { form: before.form + token.form, start: before.start, end: token.end }
    else result.push(token)
  }
  return result
}

/** Brackets and what is in them are left out: what they add is read apart. */
export function withoutBrackets(tokens: readonly Token[]): Token[] {
  const result: Token[] = []
  let depth = 0
  for (const token of tokens) {
    if (/^[([]$/.test(token.form)) depth++
    else if (/^[)\]]$/.test(token.form)) depth = Math.max(0, depth - 1)
    else if (depth === 0) result.push(token)
  }
  return depth === 0 ? result : [...tokens]
}

/** A plain name in the place of a joined one. */
export function plainName(form: string): string {
  return isGivenName(form.split(' ')[0] ?? '') ? 'Robert' : 'Toyota'
}

/** Openings that say nothing and confuse the parser. */
const opening =
  /^(?:by the way|btw|on the other hand|on the one hand|in the meantime|at the end of the day|to be honest|in my opinion|for example|of course|in general|fyi|just so you know|for the record|just a reminder|quick update|small correction|oh|hey|hi|hello|well|okay|ok|yeah|yes|also|so|anyway|honestly|fun fact|good news|bad news|guess what|update|turns out|it turns out|false alarm|long story short|in the end|as it turns out|(?:correction|actually|sorry|no wait|wait|oops)(?![,:!-]?\s+(?:it|he|she|that|they|i|make)\b))\s*[,:!-]?\s+/i

/** Greetings and thanks to somebody: `Hey Dave,`, `Thanks, Melanie!`, `My guy,`. */
const address =
  /^(?:(?:hey|hi|hello|thanks|thank you|thx|yeah|yes|yep|no|nope|wow|oh|cool|congrats|sure|absolutely|definitely|exactly|awesome|great|nice|sorry|morning|good (?:morning|evening|to (?:see|hear from) you))[,!]?\s+(?:there|guys|folks|everyone|all|team|mate|buddy|man|\p{Lu}\p{Ll}+)|(?:my|our) (?:guy|man|friend|dear|love)|mate|dude|bro|buddy|guys|folks|honey|sweetie)\s*[,!]\s+/iu

/** Leaves out such an opening, when something is left. */
export function withoutOpening(tokens: readonly Token[], text: string): Token[] {
  const [first] = tokens
  if (!first) return []
  const start = text.slice(first.start, first.start + 60)
  const match = address.exec(start) ?? opening.exec(start)
  if (!match || !/[,:!-]\s+$|^(?:fyi|btw)/i.test(match[0])) return [...tokens]
  const rest = tokens.filter(({ start }) => start >= first.start + match[0].length)
  return rest.length >= 3 ? rest : [...tokens]
}
