import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

interface Entry {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly optional?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const file = path.resolve(import.meta.dirname, '..', 'package-lock.json')
const packages: Readonly<Record<string, Entry>> = JSON.parse(readFileSync(file, 'utf8')).packages

test('the lockfile has the binaries of every platform: npm ci refuses it otherwise', () => {
  for (const [name, { optionalDependencies = {} }] of Object.entries(packages)) {
    for (const needed of Object.keys(optionalDependencies)) {
      const places = [`node_modules/${needed}`, `${name}/node_modules/${needed}`]
      assert.ok(
        places.some((place) => packages[place] !== undefined),
        `${name} needs ${needed}`,
      )
    }
  }
})

test('the lockfile names no registry, and pins what is always installed', () => {
  for (const [name, entry] of Object.entries(packages)) {
    assert.equal(entry.resolved, undefined, name)
    if (name !== '' && entry.optional !== true) assert.match(entry.integrity ?? '', /^sha\d+-/, name)
  }
})
