// Run by `npm pack` and `npm publish`, before (`--carry`) and after (`--restore`).
//
// Some dependencies need settings of package.json that count in a checkout alone: `allowScripts` keeps onnxruntime-node
// from fetching GPU libraries of another host, `overrides` gives the Qdrant client an undici that works. An installed
// memoryd therefore carries these packages itself, in src/node_modules, and does not depend on them any more.
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const manifest = join(root, 'package.json')
const kept = join(root, 'package.json.checkout')
const carriedFolder = join(root, 'src', 'node_modules')

/** Each with what it needs; nothing of them has an install script once it is carried. */
const carried = [
  'onnxruntime-node',
  'onnxruntime-common',
  '@qdrant/js-client-rest',
  '@qdrant/openapi-typescript-fetch',
  'undici',
]

/** What no process loads: types, maps, sources, a second copy of a library, binaries of a platform without a Node. */
const unused = /\.(d\.[cm]?ts|map)$|libonnxruntime\.1\.\d+\.\d+\.dylib$/
const unusedFolders =
  /^(onnxruntime-node\/(lib|script|bin\/napi-v6\/win32\/arm64)|onnxruntime-common\/lib|undici\/(docs|types|scripts))(\/|$)/

if (process.argv[2] === '--carry') carry()
else restore()

function carry() {
  restore()
  const packages = join(root, 'node_modules')
  for (const name of carried) {
    cpSync(join(packages, name), join(carriedFolder, name), {
      recursive: true,
      filter: (file) => {
        const place = relative(packages, file).split('\\').join('/')
        return !unused.test(place) && !unusedFolders.test(place)
      },
    })
  }
  const published = JSON.parse(readFileSync(manifest, 'utf8'))
  for (const name of carried) delete published.dependencies[name]
  for (const field of ['scripts', 'allowScripts', 'overrides', 'devDependencies']) delete published[field]
  renameSync(manifest, kept)
  writeFileSync(manifest, `${JSON.stringify(published, null, 2)}\n`)
}

function restore() {
  rmSync(carriedFolder, { recursive: true, force: true })
  if (existsSync(kept)) renameSync(kept, manifest)
}
