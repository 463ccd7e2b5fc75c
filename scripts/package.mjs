// Run by `npm pack` and `npm publish`, before (`--carry`) and after (`--restore`).
//
// Some dependencies need settings of package.json that count in a checkout alone: `allowScripts` keeps onnxruntime-node
// from fetching GPU libraries of another host, `overrides` gives the Qdrant client an undici that works. An installed
// memoryd therefore carries these packages itself, in src/node_modules, and does not depend on them any more.
//
// The package is for one platform, as it brings onnxruntime's binaries for it: this one, or that of MEMORYD_PLATFORM
// (linux-x64, linux-arm64, darwin-arm64, win32-x64). Node is no part of it: bin/memoryd.mjs fetches it where it is missing.
//
// Some models were trained from others (src/models/reader/descent.json): as their difference from these, byte by byte, they
// compress to three quarters and less, some 7 MB less to download, each compared from that byte of its parent on where the same
// layers stand. src/models/reader/model-files.ts adds it up again.
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runtimePackage } from '../bin/runtime.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const manifest = join(root, 'package.json')
const kept = join(root, 'package.json.checkout')
const carriedFolder = join(root, 'src', 'node_modules')

const weights = 'src/models/reader/weights'
const parents = Object.entries(JSON.parse(readFileSync(join(root, 'src/models/reader/descent.json'), 'utf8')))
const differenceOf = (file) => join(root, weights, `${file}.difference`)

/** Each with what it needs; nothing of them has an install script once it is carried. */
const carried = [
  'onnxruntime-node',
  'onnxruntime-common',
  '@qdrant/js-client-rest',
  '@qdrant/openapi-typescript-fetch',
  'undici',
]

const [platform, arch] = (process.env.MEMORYD_PLATFORM || `${process.platform}-${process.arch}`).split('-')
const binaries = `onnxruntime-node/bin/napi-v6/${platform}/${arch}`

/** What no process loads: types, maps, a second copy of a library, what onnxruntime needs for GPUs on Windows. */
const unused = /\.(d\.[cm]?ts|map)$|libonnxruntime\.1\.\d+\.\d+\.dylib$|(DirectML|dxcompiler|dxil)\.dll$/
const unusedFolders =
  /^(onnxruntime-node\/(lib|script)|onnxruntime-common\/lib|undici\/(docs|types|scripts))(\/|$)/
const isForeign = (place) =>
  /\/napi-v6\/\w+\/\w+/.test(place) && !place.startsWith(`${binaries}/`) && place !== binaries

if (process.argv[2] === '--carry') carry()
else restore()

function carry() {
  restore()
  const packages = join(root, 'node_modules')
  const { optionalDependencies, ...published } = JSON.parse(readFileSync(manifest, 'utf8'))
  const node = runtimePackage(platform, arch)
  if (!existsSync(join(packages, binaries)) || !(node in optionalDependencies))
    throw new Error(
      `memoryd cannot be packed for ${platform}-${arch}: onnxruntime or Node has no binaries for it.`,
    )
  for (const name of carried) {
    cpSync(join(packages, name), join(carriedFolder, name), {
      recursive: true,
      filter: (file) => {
        const place = relative(packages, file).split('\\').join('/')
        return !unused.test(place) && !unusedFolders.test(place) && !isForeign(place)
      },
    })
  }
  for (const [file, { parent, from }] of parents) {
    const before = readFileSync(join(root, weights, parent)).subarray(from)
    const bytes = readFileSync(join(root, weights, file)).map((byte, at) => byte - (before[at] ?? 0))
    writeFileSync(differenceOf(file), bytes)
    published.files.push(`!${weights}/${file}`)
  }
  for (const name of carried) delete published.dependencies[name]
  for (const field of ['scripts', 'allowScripts', 'overrides', 'devDependencies']) delete published[field]
  Object.assign(published, {
    os: [platform],
    cpu: [arch],
    nodePackages: { [node]: optionalDependencies[node] },
  })
  renameSync(manifest, kept)
  writeFileSync(manifest, `${JSON.stringify(published, null, 2)}\n`)
}

function restore() {
  rmSync(carriedFolder, { recursive: true, force: true })
  for (const [file] of parents) rmSync(differenceOf(file), { force: true })
  if (existsSync(kept)) renameSync(kept, manifest)
}
