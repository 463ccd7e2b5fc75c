/** Keeps the largest `limit` numbers that it is shown; `floor` is the smallest of them once it is full. */
export interface Best {
  readonly floor: number
  add(value: number): void
}

/** A heap with the smallest on top: most numbers are turned away by one comparison. */
export function createBest(limit: number): Best {
  const heap = new Float64Array(Math.max(1, limit))
  let size = 0
  let floor = limit === 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY

  const sink = (value: number) => {
    let at = 0
    for (;;) {
      let child = at * 2 + 1
      if (child >= size) break
      if (child + 1 < size && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child++
      if ((heap[child] ?? 0) >= value) break
      heap[at] = heap[child] ?? 0
      at = child
    }
    heap[at] = value
  }
  const rise = (value: number) => {
    let at = size++
    while (at > 0) {
      const parent = (at - 1) >> 1
      if ((heap[parent] ?? 0) <= value) break
      heap[at] = heap[parent] ?? 0
      at = parent
    }
    heap[at] = value
  }
  return {
    get floor() {
      return floor
    },
    add: (value) => {
      if (value <= floor) return
      if (size < limit) rise(value)
      else sink(value)
      if (size === limit) floor = heap[0] ?? floor
    },
  }
}
