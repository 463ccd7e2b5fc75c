import { createHash } from 'node:crypto'

/** `size` bytes that nobody can guess. */
export type RandomBytes = (size: number) => Uint8Array

const prefix = 'mem_'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 26 base62 characters are 154 bits: not to be guessed, even by trying for ever. */
const randomLength = 26
const checksumLength = 6
const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`)

/** A new key: `mem_`, 26 random characters, 6 of checksum. */
export function newKey(random: RandomBytes): string {
  let secret = ''
  while (secret.length < randomLength) {
    for (const byte of random(randomLength)) {
      // 248 is the largest multiple of 62 in a byte: above it some characters would be likelier than others.
      if (byte < 248 && secret.length < randomLength) secret += alphabet[byte % 62]
    }
  }
  return prefix + secret + checksum(secret)
}

/** Whether a text can be a key at all. A mistyped one is told apart without asking the store. */
export function isWellFormedKey(text: string): boolean {
  if (!shape.test(text)) return false
  const secret = text.slice(prefix.length, prefix.length + randomLength)
  return text.endsWith(checksum(secret))
}

/** What is stored in place of the key. */
export function hashOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

function checksum(secret: string): string {
  let rest = createHash('sha256').update(secret).digest().readUIntBE(0, 6)
  let text = ''
  for (let place = 0; place < checksumLength; place++) {
    text += alphabet[rest % 62]
    rest = Math.floor(rest / 62)
  }
  return text
}
