import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { featureNames } from '../../src/memory/retrieve/feature-rows.ts'
import type { Row } from '../../src/memory/retrieve/rank.ts'
import type { Asked } from './ask.ts'

const width = featureNames.length

/** What every question of a set found, read once for a state of the code that finds and reads it. */
export async function rowsOfSet(
  directory: string,
  set: string,
  ask: () => Promise<readonly Asked[]>,
): Promise<readonly Asked[]> {
  const path = join(directory, `${set}-${codeHash()}`)
  if (!existsSync(`${path}.json`)) {
    mkdirSync(directory, { recursive: true })
    write(path, await ask())
  }
  return read(path)
}

function codeHash(): string {
  const root = new URL('../../', import.meta.url).pathname
  const files = globSync(
    ['src/memory/retrieve/*.ts', 'src/stores/embedded/memory/**/*.ts', 'bench/retrieval/ask.ts'],
    {
      cwd: root,
      exclude: ['**/*.test.ts', '**/{rank,settle,replacements,explain,retrieve,context,access,compress}.ts'],
    },
  )
  const hash = createHash('sha256')
  for (const file of files.toSorted()) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 12)
}

function write(path: string, asked: readonly Asked[]): void {
  const count = asked.reduce((sum, { rows }) => sum + rows.length, 0)
  const values = new Float32Array(count * width)
  let at = 0
  for (const { rows } of asked) {
    for (const { features } of rows) {
      values.set(features, at)
      at += width
    }
  }
  writeFileSync(`${path}.rows`, values)
  const lines = asked.map(({ rows, ...rest }) => ({
    ...rest,
    facts: rows.map(({ isFact }) => (isFact ? 1 : 0)),
    people: rows.map(({ isByPerson }) => (isByPerson ? 1 : 0)),
  }))
  writeFileSync(`${path}.json`, JSON.stringify(lines))
}

function read(path: string): readonly Asked[] {
  const bytes = readFileSync(`${path}.rows`)
  const values = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
  let at = 0
  const lines: (Omit<Asked, 'rows'> & { facts: number[]; people: number[] })[] = JSON.parse(
    readFileSync(`${path}.json`, 'utf8'),
  )
  return lines.map(({ facts, people, ...rest }) => ({
    ...rest,
    rows: facts.map((isFact, index): Row => {
      const features = Float64Array.from(values.subarray(at, at + width))
      at += width
      return { features, isFact: isFact === 1, isByPerson: people[index] === 1 }
    }),
  }))
}
