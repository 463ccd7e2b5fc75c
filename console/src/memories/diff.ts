export interface Piece {
  readonly text: string
  readonly isNew: boolean
}

/** Texts longer than this are shown as they are: the table of the comparison grows with the square. */
const mostWords = 400

/** The newer text in pieces, those marked that the older one does not have at their place. */
export function changedWords(older: string, newer: string): Piece[] {
  const [a, b] = [split(older), split(newer)]
  if (a.length > mostWords || b.length > mostWords) return [{ text: newer, isNew: false }]
  // The length of the longest common row of words from (i, j) on.
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  const at = (i: number, j: number) => common[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    const row = common[i]
    if (row === undefined) continue
    for (let j = b.length - 1; j >= 0; j--)
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  }
  const pieces: { text: string; isNew: boolean }[] = []
  const add = (text: string, isNew: boolean) => {
    const last = pieces.at(-1)
    if (last?.isNew === isNew) last.text += text
    else pieces.push({ text, isNew })
  }
  for (let i = 0, j = 0; j < b.length; ) {
    if (i < a.length && a[i] === b[j]) {
      add(b[j] ?? '', false)
      i++
      j++
    } else if (i < a.length && at(i + 1, j) >= at(i, j + 1)) i++
    else add(b[j++] ?? '', true)
  }
  return pieces
}

/** Words and what stands between them. */
const split = (text: string) => text.split(/(\s+)/).filter((part) => part !== '')
