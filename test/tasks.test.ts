import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
// Plain JavaScript, as it also has to speak where nothing is installed.
const { tasks } = (await import(path.join(root, 'scripts/tasks.mjs'))) as {
  tasks: Record<string, Record<string, readonly [command: string, about: string]>>
}
const groups = new Map(Object.entries(tasks).map(([group, names]) => [group, new Map(Object.entries(names))]))
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const run = (...words: string[]) =>
  spawnSync(process.execPath, ['scripts/tasks.mjs', ...words], { cwd: root, encoding: 'utf8' })

test('every task names files that are there', () => {
  for (const [group, names] of groups) {
    for (const [name, [command]] of names) {
      for (const [file] of command.matchAll(/(?:[\w*.-]+\/)+[\w*.-]+\.(?:ts|mjs)\b/g)) {
        assert.ok(globSync(file, { cwd: root }).length > 0, `${group} ${name}: ${file}`)
      }
    }
  }
})

test('a group without a name lists its tasks; a name that is not there fails and lists them', () => {
  for (const [group, names] of groups) {
    assert.ok(scripts[group]?.endsWith(` ${group}`), group)
    const [listed, unknown] = [run(group), run(group, 'nothing-like-it')]
    assert.equal(listed.status, 0)
    assert.equal(unknown.status, 2)
    for (const name of names.keys()) {
      assert.match(listed.stdout, new RegExp(`^  ${name} `, 'm'))
      assert.match(unknown.stderr, new RegExp(`^  ${name} `, 'm'))
    }
  }
})

test('every `npm run …` that is written somewhere can be run', () => {
  const places =
    '{.ci/run,*.{md,txt},{bench,bin,clients,console,deploy,docs,scripts,src,test}/**/*.{md,ts,tsx,mjs,py,yaml}}'
  const unknown = globSync(places, {
    cwd: root,
    exclude: ['**/node_modules', '**/dist', '**/.venv', '**/.cache'],
  }).flatMap((file) =>
    [...read(file).matchAll(/npm run (?:-s )?([a-z][\w:-]*)(?: --)?(?: ([a-z][\w-]*))?/g)]
      .filter(([, script = '', name = '']) => {
        const names = groups.get(script)
        return names === undefined ? scripts[script] === undefined : name !== '' && !names.has(name)
      })
      .map(([mention]) => `${file}: ${mention}`),
  )
  assert.deepEqual(unknown, [])
})
