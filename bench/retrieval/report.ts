import { scoreChunks } from '../../src/memory/retrieve/fuse.ts'
import { mergeCandidates } from '../../src/memory/retrieve/merge.ts'
import type { Weights } from '../../src/memory/retrieve/weights.ts'
import { areaUnderCurve, mean, qualityOf } from './metrics.ts'
import type { Asked } from './questions.ts'

export interface Judged {
  readonly one: Asked
  readonly weights: Weights
}

interface Listed {
  readonly one: Asked
  readonly results: readonly { readonly itemId: string; readonly score: number }[]
}

/** The most results that a caller can ask for, and the floor below which none is returned. */
const largestK = 20
const floor = 0.2

/** Prints quality per set, what the floor costs, how unanswerable questions score, and what a band is worth. */
export function printReport(judged: readonly Judged[]): void {
  const listed = judged.map(rank)
  console.log('\n| set | questions | R@5 | R@10 | nDCG@10 | R@10 without the floor | AUC unanswerable |')
  console.log('|---|---|---|---|---|---|---|')
  const full = listed.filter(({ one }) => one.store === 'full')
  for (const [set, members] of Map.groupBy(full, ({ one }) => one.set)) printSet(set, members)
  printBands(listed)
}

function rank({ one, weights }: Judged): Listed {
  const scored = scoreChunks(one.question, one.matches, weights).map(({ hit, score }) => ({
    id: hit.chunk.id,
    itemId: hit.chunk.itemId,
    score,
    isFact: false,
    createdAt: hit.chunk.createdAt,
  }))
  return { one, results: mergeCandidates(scored).slice(0, largestK) }
}

function printSet(set: string, members: readonly Listed[]): void {
  const answerable = members.filter(({ one }) => one.query.answerable)
  const quality = (least: number) =>
    answerable.map(({ one, results }) =>
      qualityOf(
        results.filter(({ score }) => score >= least).map(({ itemId }) => itemId),
        one.query.gold,
      ),
    )
  const shown = quality(floor)
  const tops = (list: readonly Listed[]) => list.map(({ results }) => results[0]?.score ?? 0)
  const silent = members.filter(({ one }) => !one.query.answerable)
  const cells = [
    mean(shown.map(({ recall5 }) => recall5)),
    mean(shown.map(({ recall10 }) => recall10)),
    mean(shown.map(({ ndcg10 }) => ndcg10)),
    mean(quality(0).map(({ recall10 }) => recall10)),
    ...(silent.length > 0 ? [areaUnderCurve(tops(answerable), tops(silent))] : []),
  ]
  console.log(`| ${[set, answerable.length, ...cells.map((value) => value.toFixed(3))].join(' | ')} |`)
}

/** The share of relevant results in each band, in full, tiny and foreign stores. */
function printBands(listed: readonly Listed[]): void {
  console.log('\n| store | score | results | relevant |\n|---|---|---|---|')
  for (const store of ['full', 'tiny', 'foreign'] as const) {
    const results = listed
      .filter(({ one }) => one.store === store)
      .flatMap(({ one, results }) =>
        results.map(({ itemId, score }) => ({ score, relevant: one.query.gold.includes(itemId) })),
      )
    for (const [low, high] of [
      [0.7, 1.01],
      [0.4, 0.7],
      [0.2, 0.4],
      [0, 0.2],
    ] as const) {
      const inside = results.filter(({ score }) => score >= low && score < high)
      const share = mean(inside.map(({ relevant }) => (relevant ? 1 : 0)))
      console.log(`| ${store} | ${low} to ${Math.min(1, high)} | ${inside.length} | ${share.toFixed(3)} |`)
    }
  }
}
