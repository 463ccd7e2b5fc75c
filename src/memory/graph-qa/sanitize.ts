import { visible, withoutEncoded } from './disguise.ts'
import { isInstruction } from './instructions.ts'
import { isDisguised } from './shape.ts'

/** After an instruction, what speaks to the model belongs to it: commands, questions, code, anything about "you". */
const addressed =
  /\b(?:you|your|yours|yourself|u)\b|\?\s*$|^\s*(?:now|then|also|next|finally|please|do not|don't|always|never|only|instead|```)/iu

/**
 * The text without passages that tell a model what to do, whatever they are disguised as; what is left stands as
 * it was. Empty when little else was in it. A text without such passages comes back unchanged.
 */
export function stripInstructions(text: string): string {
  const readable = withoutEncoded(text)
  if (isDisguised(readable)) return ''
  const parts = split(readable)
  const instructs = isInstruction(readable)
  const suspect = parts.map((part) => isDisguised(part) || (instructs && isInstruction(part)))
  const first = suspect.indexOf(true)
  if (first < 0) return instructs ? '' : readable === text ? visible(text) : visible(readable).trim()

  const kept = parts.filter((part, index) => !suspect[index] && !(index > first && addressed.test(part)))
  const rest = kept.join('').trim()
  const isMostlyInstructions = letters(rest) * 2 < letters(readable)
  return isMostlyInstructions || isInstruction(rest) ? '' : visible(rest)
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
