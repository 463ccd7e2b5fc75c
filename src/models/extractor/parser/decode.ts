/** Scores of arcs: `at(dependent, head)`, both from 0, where 0 is the root of the sentence. */
export interface ArcScores {
  readonly size: number
  at(dependent: number, head: number): number
}

/** The head of every position: best heads first, then one root only, then cycles cut where it costs least. */
export function decodeTree(scores: ArcScores): Int32Array {
  const heads = new Int32Array(scores.size)
  for (let i = 1; i < scores.size; i++) heads[i] = bestHead(scores, i, 0)
  keepOneRoot(scores, heads)
  for (let round = 0; round < scores.size; round++) {
    const cycle = findCycle(heads)
    if (!cycle) break
    cutCycle(scores, heads, cycle)
  }
  return heads
}

function bestHead(scores: ArcScores, dependent: number, from: number): number {
  let best = from === dependent ? from + 1 : from
  for (let head = from; head < scores.size; head++) {
    if (head !== dependent && scores.at(dependent, head) > scores.at(dependent, best)) best = head
  }
  return best
}

function keepOneRoot(scores: ArcScores, heads: Int32Array): void {
  const words = Array.from({ length: scores.size - 1 }, (_, index) => index + 1)
  const roots = words.filter((word) => heads[word] === 0)
  if (roots.length === 1 || words.length === 0) return
  const gain = (word: number) => scores.at(word, 0) - scores.at(word, bestHead(scores, word, 1))
  const candidates = roots.length ? roots : words
  const chosen = candidates.reduce((a, b) => (gain(b) > gain(a) ? b : a))
  for (const root of roots) if (root !== chosen && words.length > 1) heads[root] = bestHead(scores, root, 1)
  heads[chosen] = 0
}

function findCycle(heads: Int32Array): number[] | null {
  const seen = new Int32Array(heads.length)
  for (let start = 1; start < heads.length; start++) {
    const path: number[] = []
    let at = start
    while (at !== 0 && seen[at] === 0) {
      seen[at] = start
      path.push(at)
      at = heads[at] ?? 0
    }
    if (at !== 0 && seen[at] === start) return path.slice(path.indexOf(at))
  }
  return null
}

function cutCycle(scores: ArcScores, heads: Int32Array, cycle: readonly number[]): void {
  const inside = new Set(cycle)
  const leadsInside = (from: number) => {
    for (let at = from, steps = 0; at !== 0 && steps <= heads.length; at = heads[at] ?? 0, steps++) {
      if (inside.has(at)) return true
    }
    return false
  }
  const outside = Array.from(heads.keys()).filter((word) => word > 0 && !leadsInside(word))
  let best = { loss: Number.POSITIVE_INFINITY, word: cycle[0] ?? 1, head: 0 }
  for (const word of cycle) {
    for (const head of outside) {
      const loss = scores.at(word, heads[word] ?? 0) - scores.at(word, head)
      if (loss < best.loss) best = { loss, word, head }
    }
  }
  heads[best.word] = best.head
}
