// npm run suite servers: every test of server mode, on engines that are given by their URLs or started here.
import { spawn, spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import path from 'node:path'

const servers = path.resolve(import.meta.dirname, '../../scripts/servers')
const names = ['NEO4J_URL', 'QDRANT_URL', 'REDIS_URL'] as const
const started = performance.now()

const given = names.filter((name) => process.env[name])
if (given.length > 0 && given.length < names.length) {
  console.log(`Set all of ${names.join(', ')}, or none: only ${given.join(', ')} is set.`)
  process.exit(1)
}
const up = spawnSync(servers, ['up'], { stdio: 'inherit' })
if (up.status !== 0) {
  console.log('Server mode is tested on real engines, and one of them is missing.')
  process.exit(1)
}
const { stdout } = spawnSync(servers, ['env'], { encoding: 'utf8' })
const variables = Object.fromEntries(
  [...stdout.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
)

// One file at a time: they share the engines, and some of them break these.
const wanted = process.argv.slice(2)
const files = wanted.length > 0 ? wanted : globSync(path.join(import.meta.dirname, '*.test.ts')).sort()
const tests = spawn(process.execPath, ['--test', '--test-concurrency=1', ...files], {
  stdio: 'inherit',
  env: { ...process.env, ...variables },
})
tests.once('close', (code) => {
  if (given.length === 0) spawnSync(servers, ['down'], { stdio: 'inherit' })
  console.log(`suite servers took ${Math.round((performance.now() - started) / 1000)} s`)
  process.exit(code ?? 1)
})
