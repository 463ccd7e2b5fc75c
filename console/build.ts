// Builds the console into console/dist, which is committed: memoryd serves it as it is, and nobody needs a build to run
// memoryd. A test compares the folder with what this makes.
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'

const folder = import.meta.dirname
export const distFolder = path.join(folder, 'dist')

/** Every file of the built console by name. */
export async function buildConsole(): Promise<ReadonlyMap<string, Uint8Array>> {
  const workers = globSync('src/**/*.worker.ts', { cwd: folder }).map((file) => path.join(folder, file))
  const { outputFiles } = await build({
    entryPoints: [
      { in: path.join(folder, 'src/main.tsx'), out: 'app' },
      ...workers.map((file) => ({ in: file, out: path.basename(file, '.ts') })),
    ],
    outdir: distFolder,
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
    charset: 'utf8',
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  })
  const files = new Map<string, Uint8Array>(
    outputFiles.map((file) => [path.basename(file.path), file.contents]),
  )
  files.set('icon.svg', readFileSync(path.join(folder, 'icon.svg')))
  const page = readFileSync(path.join(folder, 'index.html'), 'utf8')
  const versioned = page.replace(/\/console\/([\w.-]+)"/g, (_, name: string) => {
    const bytes = files.get(name)
    if (bytes === undefined) throw new Error(`the page asks for ${name}, which is not built`)
    return `/console/${name}?v=${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}"`
  })
  return files.set('index.html', Buffer.from(versioned))
}

if (import.meta.main) {
  const files = await buildConsole()
  rmSync(distFolder, { recursive: true, force: true })
  mkdirSync(distFolder)
  for (const [name, bytes] of files) writeFileSync(path.join(distFolder, name), bytes)
}
