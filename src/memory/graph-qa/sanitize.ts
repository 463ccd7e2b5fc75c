import { visible, withoutEncoded } from './disguise.ts'
import { isInstruction } from './instructions.ts'
import { isDisguised } from './shape.ts'

/** After an instruction, what speaks to the model belongs to it: commands, questions, code, anything about "you". */
const addressed =
  /\b(?:you|your|yours|yourself|u)\b|\?\s*$|^\s*(?:now|then|also|next|finally|please|do not|don't|always|never|only|instead|```)/iu

/** A text with so many instructions, which are most of it, is an attack as a whole. */
const manyInstructions = 3

/**
 * The text without passages that tell a model what to do, whatever they are disguised as; what is left stands as
 * it was. What follows an instruction counts as part of it where it speaks to the model, and goes as a whole when
 * most of it does. A text without such passages comes back unchanged.
 */
export function stripInstructions(text: string): string {
  const readable = withoutEncoded(text)
  if (isDisguised(readable)) return ''
  const parts = split(readable)
  const instructs = isInstruction(readable)
  const suspect = parts.map((part) => isDisguised(part) || (instructs && isInstruction(part)))
  const first = suspect.indexOf(true)
  if (first < 0) return instructs ? '' : readable === text ? visible(text) : visible(readable).trim()

  const following = parts.slice(first + 1)
  const harmless = following
    .filter((part, index) => !suspect[first + 1 + index] && !addressed.test(part))
    .join('')
  const isMostlyHarmless = letters(harmless) * 2 >= letters(following.join(''))
  const rest = `${parts.slice(0, first).join('')}${isMostlyHarmless ? harmless : ''}`.trim()
  const isOneAttack =
    suspect.filter(Boolean).length >= manyInstructions && letters(rest) * 2 < letters(readable)
  return isOneAttack || isInstruction(rest) ? '' : visible(rest)
}

/** Sentences, lines and blocks of code with the space after them: joined again they are the text. */
function split(text: string): string[] {
  return text
    .split(/(```[^`]*(?:```|$)\s*)/u)
    .flatMap((block) => (block.startsWith('```') ? [block] : sentences(block)))
}

/** The sentences of a text; an abbreviation may cut one in two, which harms nothing here. */
export function sentences(text: string): string[] {
  return text.split(/(?<=[.!?]["'”’)\]]{0,3}\s)|(?<=[。！？؟।\n])/u).filter((part) => part !== '')
}

function letters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
}
