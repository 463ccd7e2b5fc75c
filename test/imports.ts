import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** One import as written: from which file, what, and whether only its types are used. */
export interface Import {
  readonly from: string
  /** A path from the repository's root for our own files, else the package's name or `node:…`. */
  readonly to: string
  readonly typeOnly: boolean
}

export interface Sources {
  readonly files: readonly string[]
  readonly imports: readonly Import[]
}

const statements = [
  /^\s*(?:import|export)\b(?<type>\s+type\b)?[^;'"`]*?\bfrom\s+['"](?<target>[^'"]+)['"]/gm,
  /^\s*import\s+['"](?<target>[^'"]+)['"]/gm,
  /\bimport\(\s*['"](?<target>[^'"]+)['"]\s*\)/g,
  // Worker threads are started by address.
  /\bnew URL\(\s*['"](?<target>\.[^'"]+\.ts)['"]\s*,\s*import\.meta\.url\s*\)/g,
]

/** The imports that a file's text states, types included: type-stripping tools would not see those. */
export function importsOf(file: string, text: string): Import[] {
  return statements.flatMap((statement) =>
    [...text.matchAll(statement)].map(({ groups }) => ({
      from: file,
      to: resolved(file, groups?.target ?? ''),
      typeOnly: groups?.type !== undefined,
    })),
  )
}

/** Every TypeScript file below a folder of the repository, tests left out, with what it imports. */
export function readSources(root: string, folder: string): Sources {
  const files = globSync(`${folder}/**/*.ts`, { cwd: root })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => !file.endsWith('.test.ts') && !file.endsWith('.kernel.ts'))
    .sort()
  return {
    files,
    imports: files.flatMap((file) => importsOf(file, readFileSync(path.join(root, file), 'utf8'))),
  }
}

function resolved(from: string, target: string): string {
  if (target.startsWith('.')) return path.posix.normalize(path.posix.join(path.posix.dirname(from), target))
  if (target.startsWith('node:')) return target
  const parts = target.split('/')
  return parts.slice(0, target.startsWith('@') ? 2 : 1).join('/')
}
