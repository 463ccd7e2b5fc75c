import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/** The console runs its own script and talks to its own server. Text never becomes markup or code. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // One policy, made once by the page: the address of the worker that lays out the graph (console/src/graph/picture/layout.ts).
  'trusted-types layout-worker',
].join('; ')

const folder = new URL('../../console/dist/', import.meta.url)

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

interface BuiltFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly etag: string
  /** As console/build.ts names it. */
  readonly version: string
  readonly type: string
}

let built: ReadonlyMap<string, BuiltFile> | null = null

/** A file of the console as it was built; null: there is none of this name. */
export function consoleFile(name: string, request: Request): Response | null {
  built ??= readBuilt()
  const file = built.get(name)
  if (file === undefined) return null
  // The page asks for its parts with a hash of what they hold: those never change. Another hash is of a page of another
  // version, whose parts must not be kept in the place of its own.
  const isVersioned = new URL(request.url).searchParams.get('v') === file.version
  const headers = {
    'content-type': file.type,
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    etag: file.etag,
    'cache-control': isVersioned ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
  if (request.headers.get('if-none-match') === file.etag) return new Response(null, { status: 304, headers })
  return new Response(file.bytes, { headers })
}

function readBuilt(): ReadonlyMap<string, BuiltFile> {
  return new Map(
    readdirSync(folder).map((name) => {
      const bytes = new Uint8Array(readFileSync(new URL(name, folder)))
      const hash = createHash('sha256').update(bytes).digest('hex')
      const [etag, version] = [`"${hash.slice(0, 24)}"`, hash.slice(0, 12)]
      return [
        name,
        { bytes, etag, version, type: types[name.replace(/.*\./, '')] ?? 'application/octet-stream' },
      ]
    }),
  )
}
