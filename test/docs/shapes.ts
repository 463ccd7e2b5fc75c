import assert from 'node:assert/strict'

/** Lines of output without what differs from run to run: figures, times, ids, keys, widths, progress. */
export function shapeOf(output: string): string[] {
  return output
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replace(/mem_\w+|…\w{4}\b/g, 'KEY')
    .replace(/\b\d{4}-\d\d-\d\d(T[\d:.]+Z?)?/g, 'DATE')
    .replace(/\d[\d,.]*\d|\d/g, '#')
    .split('\n')
    .map((line) => line.replace(/ +/g, ' ').trim())
    .filter((line) => line !== '' && !/^# of # (\(# %\)|records \w+$)/.test(line))
}

/** The same fields with values of the same kind; texts are the same apart from what `shapeOf` takes away. */
export function sameJson(actual: unknown, shown: unknown, place = 'reply'): void {
  if (typeof actual === 'string' && typeof shown === 'string') {
    assert.deepEqual(shapeOf(actual), shapeOf(shown), place)
  } else if (Array.isArray(actual) && Array.isArray(shown)) {
    assert.equal(actual.length, shown.length, place)
    for (const [at, item] of actual.entries()) sameJson(item, shown[at], `${place}[${at}]`)
  } else if (typeof actual === 'object' && typeof shown === 'object' && actual !== null && shown !== null) {
    assert.deepEqual(Object.keys(actual).sort(), Object.keys(shown).sort(), place)
    for (const [name, item] of Object.entries(actual)) {
      sameJson(item, (shown as Record<string, unknown>)[name], `${place}.${name}`)
    }
  } else assert.equal(actual === null ? 'null' : typeof actual, shown === null ? 'null' : typeof shown, place)
}
