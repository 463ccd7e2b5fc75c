import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

interface Entry {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly optional?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const root = path.resolve(import.meta.dirname, '..')
const exclude = ['**/node_modules', '**/.cache']

for (const file of globSync('**/package-lock.json', { cwd: root, exclude })) {
  const packages: Readonly<Record<string, Entry>> = JSON.parse(
    readFileSync(path.join(root, file), 'utf8'),
  ).packages

  test(`${file} has the binaries of every platform: npm ci refuses it otherwise`, () => {
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

  test(`${file} names no registry, and pins what is always installed`, () => {
    for (const [name, entry] of Object.entries(packages)) {
      assert.equal(entry.resolved, undefined, name)
      if (name !== '' && entry.optional !== true) assert.match(entry.integrity ?? '', /^sha\d+-/, name)
    }
  })
}
