/** One question's candidates: a row of features each, and which of them are relevant. */
export interface Listing {
  readonly rows: readonly Float64Array[]
  readonly relevant: readonly boolean[]
  /** How much this question counts. */
  readonly weight: number
}

export interface Pull {
  readonly ridge: number
  /** Absent: to 0. */
  readonly to?: Float64Array
}

/**
 * Weights that make the relevant rows likely under a softmax over each list, pulled to others. From weights near the best
 * ones it takes fewer steps.
 */
export function fitListwise(
  listings: readonly Listing[],
  { ridge, to }: Pull,
  near: Float64Array | undefined = to,
): Float64Array {
  const usable = listings.filter(({ relevant }) => relevant.includes(true) && relevant.includes(false))
  const allRows = usable.flatMap(({ rows }) => rows)
  const dimensions = allRows[0]?.length ?? 0
  const scale = deviations(allRows, dimensions)
  const lists = usable.map((listing) => flatten(listing, scale))
  const pull = ridge * usable.reduce((sum, { weight }) => sum + weight, 0)
  const scaled = (some?: Float64Array) => scale.map((deviation, i) => (some?.[i] ?? 0) * deviation)
  const center = scaled(to)
  const weights = minimize(scaled(near), (point) => {
    const sums = emptySums(
      point.map((value, i) => value - (center[i] ?? 0)),
      pull,
    )
    for (const list of lists) addList(list, point, sums)
    mirror(sums.hessian)
    return sums
  })
  return weights.map((value, i) => value / (scale[i] ?? 1))
}

/** Newton's method; a step that does not go down is halved until it does. */
function minimize(start: Float64Array, measure: (point: Float64Array) => Sums): Float64Array {
  let point = start
  let here = measure(point)
  for (let round = 0; round < 15; round++) {
    const step = solve(here.hessian, here.gradient)
    let size = 1
    let next = measure(moved(point, step, size))
    while (next.loss > here.loss && size > 1e-4) {
      size /= 2
      next = measure(moved(point, step, size))
    }
    const gain = here.loss - next.loss
    if (gain <= 0) break
    point = moved(point, step, size)
    here = next
    if (gain < 1e-6 * here.loss) break
  }
  return point
}

function moved(point: Float64Array, step: Float64Array, size: number): Float64Array {
  return point.map((value, i) => value - size * (step[i] ?? 0))
}

/** Weights of a logistic regression; the caller adds a constant column when it wants an intercept. */
export function fitLogistic(
  rows: readonly Float64Array[],
  labels: readonly boolean[],
  ridge: number,
  weightOf: (at: number) => number = () => 1,
): Float64Array {
  return minimize(new Float64Array(rows[0]?.length ?? 0), (point) => {
    const sums = emptySums(point, ridge * rows.length)
    rows.forEach((row, at) => {
      const score = product(row, 0, point)
      const p = 1 / (1 + Math.exp(-score))
      const weight = weightOf(at)
      const loss = Math.log1p(Math.exp(-Math.abs(score))) + Math.max(0, labels[at] ? -score : score)
      sums.loss += weight * loss
      addRow(sums.gradient, row, 0, weight * (p - (labels[at] ? 1 : 0)))
      addOuter(sums.hessian, row, 0, weight * Math.max(1e-6, p * (1 - p)))
    })
    return sums
  })
}

interface FlatList {
  readonly values: Float64Array
  readonly targets: Float64Array
  readonly weight: number
}

interface Sums {
  loss: number
  readonly gradient: Float64Array
  readonly hessian: readonly Float64Array[]
}

function flatten({ rows, relevant, weight }: Listing, scale: Float64Array): FlatList {
  const values = new Float64Array(rows.length * scale.length)
  rows.forEach((row, at) => {
    for (let i = 0; i < scale.length; i++) values[at * scale.length + i] = (row[i] ?? 0) / (scale[i] ?? 1)
  })
  const share = 1 / relevant.filter(Boolean).length
  return { values, targets: Float64Array.from(relevant, (is) => (is ? share : 0)), weight }
}

/** Of weights that are so far from where they are pulled. */
function emptySums(away: Float64Array, ridge: number): Sums {
  const hessian = Array.from(away, (_, i) => {
    const line = new Float64Array(away.length)
    line[i] = ridge
    return line
  })
  const loss = (ridge / 2) * product(away, 0, away)
  return { loss, gradient: away.map((value) => value * ridge), hessian }
}

function addList({ values, targets, weight }: FlatList, weights: Float64Array, sums: Sums): void {
  const width = weights.length
  const scores = targets.map((_, at) => product(values, at * width, weights))
  const top = scores.reduce((best, score) => Math.max(best, score), Number.NEGATIVE_INFINITY)
  const powers = scores.map((score) => Math.exp(score - top))
  const sum = powers.reduce((a, c) => a + c, 0)
  const mean = new Float64Array(width)
  for (let at = 0; at < targets.length; at++) {
    const p = (powers[at] ?? 0) / sum
    sums.loss -= weight * (targets[at] ?? 0) * ((scores[at] ?? 0) - top - Math.log(sum))
    addRow(sums.gradient, values, at * width, weight * (p - (targets[at] ?? 0)))
    // What is hardly likely bends nothing.
    if (p < 1e-4) continue
    addRow(mean, values, at * width, p)
    addUpper(sums.hessian, values, at * width, weight * p)
  }
  addUpper(sums.hessian, mean, 0, -weight)
}

/** The half of the outer product on and above the diagonal. */
function addUpper(
  matrix: readonly Float64Array[],
  values: Float64Array,
  start: number,
  factor: number,
): void {
  const width = matrix.length
  for (let i = 0; i < width; i++) {
    const line = matrix[i]
    const own = factor * (values[start + i] ?? 0)
    if (line === undefined || own === 0) continue
    for (let j = i; j < width; j++) line[j] = (line[j] ?? 0) + own * (values[start + j] ?? 0)
  }
}

function mirror(matrix: readonly Float64Array[]): void {
  for (const [i, line] of matrix.entries()) {
    for (let j = 0; j < i; j++) line[j] = matrix[j]?.[i] ?? 0
  }
}

function product(values: Float64Array, start: number, weights: Float64Array): number {
  let sum = 0
  for (let i = 0; i < weights.length; i++) sum += (values[start + i] ?? 0) * (weights[i] ?? 0)
  return sum
}

function addRow(target: Float64Array, values: Float64Array, start: number, factor: number): void {
  for (let i = 0; i < target.length; i++) target[i] = (target[i] ?? 0) + factor * (values[start + i] ?? 0)
}

function addOuter(
  matrix: readonly Float64Array[],
  values: Float64Array,
  start: number,
  factor: number,
): void {
  for (const [i, line] of matrix.entries()) addRow(line, values, start, factor * (values[start + i] ?? 0))
}

function deviations(rows: readonly Float64Array[], dimensions: number): Float64Array {
  const sums = new Float64Array(dimensions)
  const squares = new Float64Array(dimensions)
  for (const row of rows) {
    for (let i = 0; i < dimensions; i++) {
      const x = row[i] ?? 0
      sums[i] = (sums[i] ?? 0) + x
      squares[i] = (squares[i] ?? 0) + x * x
    }
  }
  const count = Math.max(1, rows.length)
  return sums.map((sum, i) => Math.sqrt(Math.max(0, (squares[i] ?? 0) / count - (sum / count) ** 2)) || 1)
}

/** Solves `matrix · x = right` by elimination with pivoting. */
function solve(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const size = right.length
  const lines = matrix.map((line, i) => Float64Array.from([...line, right[i] ?? 0]))
  const at = (i: number, j: number) => lines[i]?.[j] ?? 0
  for (let i = 0; i < size; i++) {
    let pivot = i
    for (let j = i + 1; j < size; j++) if (Math.abs(at(j, i)) > Math.abs(at(pivot, i))) pivot = j
    const chosen = lines[pivot] ?? new Float64Array(size + 1)
    lines[pivot] = lines[i] ?? chosen
    lines[i] = chosen
    for (let j = i + 1; j < size; j++) {
      const line = lines[j] ?? chosen
      addRow(line, chosen, 0, -at(j, i) / (chosen[i] || 1e-12))
    }
  }
  const result = new Float64Array(size)
  for (let i = size - 1; i >= 0; i--) {
    let sum = at(i, size)
    for (let j = i + 1; j < size; j++) sum -= at(i, j) * (result[j] ?? 0)
    result[i] = sum / (at(i, i) || 1e-12)
  }
  return result
}
