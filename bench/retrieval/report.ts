import { scoreRows, type Weights } from '../../src/memory/retrieve/rank.ts'
import type { Asked, StoreKind } from './ask.ts'
import { areaUnderCurve, mean, qualityOf } from './metrics.ts'

export interface Judged {
  readonly one: Asked
  readonly weights: Weights
}

interface Listed {
  readonly one: Asked
  /** One result a text, best first. */
  readonly results: readonly { readonly score: number; readonly relevant: boolean }[]
  readonly answerable: number
  /** The score of the first, also where something later replaced it. */
  readonly top: number
}

/** The most results that a caller can ask for, and where two of the bands begin. */
const largestK = 20
const floor = 0.2
const probable = 0.4

/** Prints quality per set, what the floor costs, how questions without an answer score, and what a band is worth. */
export function printReport(judged: readonly Judged[]): void {
  const listed = judged.map(listOf)
  const columns = ['R@5', 'R@10', 'nDCG@10', 'all@5', 'first', 'R@10 without the floor']
  console.log(`\n| set | questions | ${columns.join(' | ')} |`)
  console.log(`|${'---|'.repeat(columns.length + 2)}`)
  const full = listed.filter(({ one }) => one.store === 'full')
  for (const [set, members] of Map.groupBy(full, ({ one }) => one.set)) printSet(set, members)
  const inSession = listed.filter(({ one }) => one.store === 'session')
  for (const [set, members] of Map.groupBy(inSession, ({ one }) => one.set))
    printSet(`${set}, with a session`, members)
  printAnswerable(listed)
  printBands(listed)
}

function listOf({ one, weights }: Judged): Listed {
  const { scores, answerable } = scoreRows(one.rows, one.whole, weights)
  const best = new Map<string, { score: number; relevant: boolean }>()
  for (const [at, { score }] of scores.entries()) {
    const item = one.items[at] ?? ''
    if (one.outdated.includes(item)) continue
    if (score > (best.get(item)?.score ?? -1)) best.set(item, { score, relevant: one.relevant[at] ?? false })
  }
  const results = [...best.values()].toSorted((a, b) => b.score - a.score).slice(0, largestK)
  const top = scores.reduce((most, { score }) => Math.max(most, score), 0)
  return { one, results, answerable, top }
}

function printSet(set: string, members: readonly Listed[]): void {
  const answerable = members.filter(({ one }) => one.answerable)
  const quality = (least: number) =>
    answerable.map(({ one, results }) =>
      qualityOf(
        results.filter(({ score }) => score >= least).map(({ relevant }) => relevant),
        one.goldCount,
      ),
    )
  const shown = quality(floor)
  const cells = [
    mean(shown.map(({ recall5 }) => recall5)),
    mean(shown.map(({ recall10 }) => recall10)),
    mean(shown.map(({ ndcg10 }) => ndcg10)),
    mean(shown.map(({ all5 }) => all5)),
    mean(shown.map(({ first }) => first)),
    mean(quality(0).map(({ recall10 }) => recall10)),
  ]
  console.log(`| ${[set, answerable.length, ...cells.map((value) => value.toFixed(3))].join(' | ')} |`)
}

/** How the top scores of questions with and without an answer are told apart. */
function printAnswerable(listed: readonly Listed[]): void {
  const share = (list: readonly boolean[]) => mean(list.map((is) => (is ? 1 : 0))).toFixed(3)
  const isAnswered = ({ one }: Listed) => one.answerable && one.relevant.includes(true)
  const pairs: readonly (readonly [yes: StoreKind, no: StoreKind])[] = [
    ['full', 'full'],
    ['full', 'without'],
    ['few', 'fewWithout'],
    ['full', 'foreign'],
    ['echo', 'echo'],
  ]
  console.log(
    '\n| set | with an answer | without | at 0.4 or more | below 0.4 | AUC score | AUC answerable |',
  )
  console.log('|---|---|---|---|---|---|---|')
  for (const [set, members] of Map.groupBy(listed, ({ one }) => one.set)) {
    for (const [yes, no] of pairs) {
      const having = members.filter((one) => one.one.store === yes && isAnswered(one))
      const lacking = members.filter(({ one }) => one.store === no && !one.answerable)
      if (having.length === 0 || lacking.length === 0) continue
      const cells = [
        share(having.map(({ top }) => top >= probable)),
        share(lacking.map(({ top }) => top < probable)),
        areaUnderCurve(
          having.map(({ top }) => top),
          lacking.map(({ top }) => top),
        ).toFixed(3),
        areaUnderCurve(
          having.map(({ answerable }) => answerable),
          lacking.map(({ answerable }) => answerable),
        ).toFixed(3),
      ]
      const counts = [`${having.length} ${yes}`, `${lacking.length} ${no}`]
      console.log(`| ${[set, ...counts, ...cells].join(' | ')} |`)
    }
  }
}

/** The share of relevant results in each band. */
function printBands(listed: readonly Listed[]): void {
  console.log('\n| score | results | relevant |\n|---|---|---|')
  const results = listed.filter(({ one }) => one.store === 'full').flatMap((one) => one.results)
  for (const [low, high] of [
    [0.7, 1.01],
    [0.4, 0.7],
    [0.2, 0.4],
    [0, 0.2],
  ] as const) {
    const inside = results.filter(({ score }) => score >= low && score < high)
    const share = mean(inside.map(({ relevant }) => (relevant ? 1 : 0)))
    console.log(`| ${low} to ${Math.min(1, high)} | ${inside.length} | ${share.toFixed(3)} |`)
  }
}
