import { aliasKey, userKey } from './entities.ts'

/** A name has at most so many words, and a question is read so far. */
const longestName = 4
const wordsRead = 128

const firstPerson = new Set([
  'i',
  'me',
  'my',
  'mine',
  'myself',
  "i'm",
  "i've",
  "i'd",
  "i'll",
  'we',
  'our',
  'us',
])

/** Words that are no name by themselves, whatever the graph holds. */
const plainWords = new Set(
  `what which who whom whose when where why how is are was were be been do does did has have had the a an of in on
   at to for and or with by from that this it its he she they his her their not no can could will would should`.split(
    /\s+/,
  ),
)

/** The canonical keys that a question may name: every run of up to four words (`my sister` is the user's), and the user. */
export function namedKeys(query: string): readonly string[] {
  const words = query
    .split(/[^\p{L}\p{M}\p{N}'’.&+-]+/u)
    .filter((word) => word !== '')
    .slice(0, wordsRead)
  const keys = new Set<string>()
  for (let start = 0; start < words.length; start++) {
    for (let length = 1; length <= longestName && start + length <= words.length; length++) {
      const run = words.slice(start, start + length).join(' ')
      const key = aliasKey(run.replace(/['’]s$/, ''), null)
      if (key.length > 1 && !plainWords.has(key)) keys.add(key)
    }
    if (firstPerson.has((words[start] ?? '').toLowerCase().replace('’', "'"))) keys.add(userKey)
  }
  return [...keys]
}
