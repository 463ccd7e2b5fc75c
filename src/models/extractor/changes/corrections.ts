/** Openings that take back what was said last. */
const opening =
  /^(?:(?:oh|ah|hm+|um+|er+|well|ok|okay|hang on|hold on|no|wait|oops|whoops|sorry|actually|correction|scratch that|my (?:mistake|bad)|(?:that was a )?typo|to correct myself|let me correct that|i (?:was wrong|misspoke|made a mistake|got that wrong|mixed (?:that|it) up))[\s,.;:!–—-]*)+/i
const pointing =
  /^(?:i (?:meant|mean)(?: to say)?|make (?:that|it)|it(?:'s| is| was| should be| should have been)|that(?:'s| is| should be| was)|he(?:'s| is)|she(?:'s| is)|they(?:'re| are)|(?:his|her|its|their) (?:real |actual |full )?name(?:'s| is)|should be|it's actually|it is actually|(?:he|she|it|they) \p{L}+s?(?: (?:in|at|on|to|for|as|from))?)\s+(?:actually |really |now |supposed to be )?/iu
const tail =
  /\s*(?:[,;:](?=\s)|\s[–—-]\s|[.!?]+(?=\s|$)|\s(?:not|with|instead|rather|because|but|and my|and i)\b).*$/i
const longestValue = 6

/** Whether a sentence opens by taking something back. */
export const isCorrection = (text: string): boolean => opening.test(text.trim())

/**
 * The value of `actually it's May 4`, `make that four tickets`, `sorry, I meant Tuesday`; null for a sentence that does
 * not correct, or that says itself what it speaks of.
 */
export function correctedValue(text: string): string | null {
  const opened = opening.exec(text.trim())?.[0] ?? ''
  const rest = text.trim().slice(opened.length)
  const pointed = pointing.exec(rest)?.[0] ?? ''
  const corrects = /^(?:i meant|make that|make it)|^(?:it|he|she|that)(?:'s| is) actually $/i
  if (opened === '' && !corrects.test(pointed)) return null
  if (pointed === '') return null
  const value = rest
    .slice(pointed.length)
    .replace(tail, '')
    .replace(/^(?:on|at|in|the|an?) (?=\S)/i, '')
    .trim()
  const words = value.split(/\s+/)
  const isValue =
    value !== '' &&
    words.length <= longestValue &&
    !/^(?:to|that|so|too|very|really|just|not|about|ok|okay|fine|good|true|great|nice)\b/i.test(value)
  return isValue ? value : null
}
