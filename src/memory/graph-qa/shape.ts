/** What a character is, as one letter of a text's shape. The first that fits counts. */
const classes: readonly (readonly [string, RegExp])[] = [
  // Latin, and alphabets with letters that look Latin.
  ['a', /[A-Za-z\u00aa\u00b5\u00c0-\u024f]/],
  ['c', /[\u0370-\u03ff\u0400-\u052f\u0531-\u0587\u13a0-\u13ff\u0250-\u02af]/],
  // Latin in other forms: full-width, mathematical, circled, squared, small capitals, raised.
  [
    'w',
    /[\uff21-\uff3a\uff41-\uff5a\u24b6-\u24e9\u1d00-\u1d2b\u02b0-\u02b8]|[\u{1d400}-\u{1d7ff}\u{1f130}-\u{1f189}]/u,
  ],
  ['1', /\d/],
  ['$', /[@$!|]/],
  // Signs that words are cut with.
  ['s', /[.*~^+·•_`\\-]/],
  [' ', /\s/],
  ['m', /[\u0300-\u036f]/],
  // Joiners have their place in Indic and Arabic words; other invisible characters have none in any.
  ['j', /[\u200c\u200d]/],
  ['z', /\p{Default_Ignorable_Code_Point}/u],
  // Written without spaces, so one by one says nothing.
  ['k', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u],
  ['o', /\p{L}/u],
]

/** The classes of a text's characters, one letter each: small patterns can then be laid over it. */
function shapeOf(text: string): string {
  const known = new Map<string, string>()
  let shape = ''
  for (const character of text) {
    let found = known.get(character)
    if (found === undefined) {
      found = classes.find(([, pattern]) => pattern.test(character))?.[0] ?? '.'
      known.set(character, found)
    }
    shape += found
  }
  return shape
}

interface Disguise {
  /** Over the shape. */
  readonly pattern: RegExp
  /** How much of the text must be written so, as a share and as a number of letters. */
  readonly share: number
  readonly least: number
}

/**
 * Ways of writing that hide words from a filter and not from a model. Ordinary texts know none of them. Each pattern
 * can begin only where a run begins, so that a long run is read once.
 */
const disguises: readonly Disguise[] = [
  // Letters one by one: "i g n o r e", "i.g.n.o.r.e".
  { pattern: /(?<![acow])[acow](?:[ .szjm$]{1,5}[acow](?![acow])){4,}/g, share: 0.3, least: 8 },
  // Words cut by signs: "ig.no.re", "pre*vi*ous".
  { pattern: /(?<![acow1s$.])a{1,4}(?:sa{1,4}){2,}(?![acow1$.])/g, share: 0.3, least: 16 },
  // Invisible characters inside words.
  { pattern: /(?<![acow1])[acow1]+(?:z+[acow1]+)+|(?<![acw])[acw]+(?:[zj]+[acw]+)+/g, share: 0.2, least: 8 },
  // Letters of two alphabets in one word.
  { pattern: /(?<![ac])(?:a+c|c+a)[ac]*/g, share: 0.15, least: 8 },
  // Digits and signs for letters, inside words.
  {
    pattern: /(?<![aco1$s])(?:a+[1$]+a[a1$]*|[1$]+a+[1$][a1$]*|1a{2,}|\$a{2,}|a{2,}1)(?![acos])/g,
    share: 0.3,
    least: 12,
  },
  { pattern: /w+/g, share: 0.25, least: 8 },
  // Marks stacked on letters.
  { pattern: /am{2,}/g, share: 0.1, least: 4 },
]

/** True when so much of the text is written to be misread that it cannot be taken for a memory. */
export function isDisguised(text: string): boolean {
  const shape = shapeOf(text)
  const all = letters(shape)
  return disguises.some(({ pattern, share, least }) => {
    const hidden = (shape.match(pattern) ?? []).reduce((sum, match) => sum + letters(match), 0)
    return hidden >= least && hidden >= share * all
  })
}

function letters(shape: string): number {
  return shape.length - shape.replace(/[acowk1]/g, '').length
}
