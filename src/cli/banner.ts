import path from 'node:path'
import { privateFiles } from '../secrets.ts'

export interface BannerFacts {
  readonly version: string
  readonly address: string
  /** Null when the first key's file is gone. */
  readonly key: string | null
  readonly seconds: number
  readonly dataDir: string
}

/** What a person sees when the server is ready: where it is, the key, and an example that works as pasted. */
export function banner({ version, address, key, seconds, dataDir }: BannerFacts): string {
  const folder = path.relative(process.cwd(), dataDir) || '.'
  const shown = folder.startsWith('..') ? dataDir : folder
  return [
    '',
    `  memoryd ${version} is ready (${seconds.toFixed(1)} s)`,
    '',
    `  address      ${address}`,
    `  key          ${key ?? 'none kept here; make one with: npm run -s memoryd -- keys create NAME'}`,
    `  reference    ${address}/docs`,
    `  data         ${shown} (key in ${privateFiles.defaultKey}, admin token in ${privateFiles.adminToken})`,
    '',
    ...(key === null ? [] : ['  Remember something, then ask:', '', ...example(address, key), '']),
  ].join('\n')
}

function example(address: string, key: string): string[] {
  const call = (path: string, body: object) => [
    `curl -s ${address}${path} -H 'x-api-key: ${key}' -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify(body)}'; echo`,
  ]
  return [
    ...call('/brain/ingest', { text: 'My sister Maria lives in Lisbon.' }),
    ...call('/brain/retrieve', { query: 'Where does Maria live?' }),
  ]
}
