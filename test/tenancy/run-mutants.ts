// Takes one namespace filter after the other out of a copy of the source and runs a short tenancy run on it, then the tests
// that state the rule. Every mutant must be found out; the untouched copy must pass both. The run is random and may miss one:
// the tests must not. MUTANT=words runs only those whose description holds the words, MUTANTS=15 as many of them, by chance.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { announceSeed, createRandom, sizeFrom } from '../faults/support/random.ts'
import { type Mutant, mutants, mutated } from './mutants.ts'

const root = path.resolve(import.meta.dirname, '../..')
const seed = announceSeed('mutants')
const limitMs = 300_000

function copyTree(): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'memoryd-mutants-'))
  for (const part of ['src', 'test', 'package.json']) {
    cpSync(path.join(root, part), path.join(copy, part), { recursive: true })
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
  return copy
}

interface Check {
  readonly name: string
  readonly args: readonly string[]
}

const checks: readonly Check[] = [
  { name: 'tenancy run', args: ['test/tenancy/run.ts'] },
  {
    name: 'named tests',
    args: [
      '--test',
      'src/stores/embedded/memory/stores.test.ts',
      'src/stores/embedded/account-stores.test.ts',
      'src/memory/entities.test.ts',
      'src/memory/lifecycle/lifecycle.test.ts',
    ],
  },
]

/** What the check that found something out says; null when it passed. */
function finding({ name, args }: Check, copy: string): string | null {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: copy,
    encoding: 'utf8',
    timeout: limitMs,
    env: {
      ...{ PATH: process.env.PATH, NODE_COMPILE_CACHE: path.join(copy, 'compile-cache'), SEED: `${seed}` },
      ...{ TENANCY_CALLS: '1000', TENANCY_NAMESPACES: '12' },
    },
  })
  if (status === 0) return null
  const line = /VIOLATION .*|✖ .*|\w*Error: .*/.exec(`${stdout}\n${stderr}`)?.[0] ?? `exit ${status}`
  return `${name}: ${line.slice(0, 140)}`
}

/** The first thing that goes wrong; null when the mutant is not found out. */
function foundOut(copy: string): string | null {
  for (const check of checks) {
    const found = finding(check, copy)
    if (found !== null) return found
  }
  return null
}

function apply(copy: string, mutant: Mutant): () => void {
  const target = path.join(copy, mutant.file)
  const source = readFileSync(target, 'utf8')
  writeFileSync(target, mutated(source, mutant))
  return () => writeFileSync(target, source)
}

const random = createRandom(seed)
const chosen = mutants
  .filter(({ what }) => what.includes(process.env.MUTANT ?? ''))
  .map((mutant) => ({ mutant, place: random.next() }))
  .sort((a, b) => a.place - b.place)
  .slice(0, sizeFrom('MUTANTS', mutants.length))
  .map(({ mutant }) => mutant)
const copy = copyTree()
let missed = 0
try {
  const untouched = foundOut(copy)
  if (untouched !== null) throw new Error(`the untouched source fails: ${untouched}`)
  for (const mutant of chosen) {
    const restore = apply(copy, mutant)
    const found = foundOut(copy)
    restore()
    if (found === null) missed++
    console.log(
      `  ${found === null ? 'MISSED' : 'caught'} without the filter of ${mutant.what}: ${found ?? ''}`,
    )
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(`mutants: ${chosen.length - missed} of ${chosen.length} removed filters caught`)
process.exitCode = missed === 0 ? 0 : 1
