const companySuffix =
  /[\s,]+(?:AG|Inc\.?|Corp\.?|Corporation|Ltd\.?|Limited|LLC|GmbH|SE|PLC|plc|Co\.|S\.A\.|N\.V\.|LLP|Pty)$/
const edges = /^[\s"'(),;:*_`-]+|[\s"'(),;:*_`]+$/g
const article =
  /^(?:(?:also|even|just|only|really|still|maybe|both|such)\s+)*(?:(?!a (?:positive|negative|plus|minus)\b)(?:the|a|an)\s+)?/i

/** Words before a name that only say where or when it is: `southern Columbia County`, `Charlotte-based Bank of America`. */
const outside =
  /^(?:(?:[\p{L}]+-based|(?:north|south)?(?:east|west)?ern|unincorporated|downtown|nearby|neighbou?ring|present-day|modern-day)\s+)+(?=\p{Lu})/u

/** `flying anymore`: adverbs that the parser takes for a part of the name before them. */
const adverbBehind =
  /(?<=\S)\s+(?:any ?more|any longer|after all|these days|nowadays|from now on|as well|either)$/

/** A name as an entity carries it: one line, without quotes, article and company suffix. Empty when nothing is left. */
export function cleanName(text: string): string {
  let name = withoutLoneQuote(text.replace(/\s+/g, ' ').replace(edges, ''))
  for (let before = ''; before !== name; ) {
    before = name
    name = name.replace(companySuffix, '').replace(edges, '')
  }
  const bare = name.replace(adverbBehind, '').replace(article, '').replace(outside, '')
  return balanced(bare)
}

/** `Daily Rhythm" idea`: a quotation mark whose partner lies outside. */
const withoutLoneQuote = (name: string) =>
  name.split('"').length === 2 ? name.replace('"', '') : name.replace(/["“”]{2,}/g, '')

/** A bracket without its partner is cut off with what follows. */
function balanced(name: string): string {
  const open = name.lastIndexOf('(')
  return open >= 0 && !name.includes(')', open) ? name.slice(0, open).trim() : name
}

/** The snake_case form of a phrase, for relations: `best friend` → `best_friend`. */
export function snakeCase(text: string): string {
  return text
    .toLowerCase()
    .replace(/['’]s\b|['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
}
