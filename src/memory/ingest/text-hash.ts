import { createHash } from 'node:crypto'

/** The same for texts that differ in white space or Unicode form only. */
export function textHash(text: string): string {
  return createHash('sha256').update(text.normalize('NFC').replace(/\s+/g, ' ').trim()).digest('hex')
}
