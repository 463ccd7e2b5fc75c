import path from 'node:path'
import type { Config } from '../config.ts'
import { privateFiles } from '../secrets.ts'

export interface BannerFacts {
  readonly version: string
  readonly address: string
  readonly seconds: number
  readonly config: Pick<Config, 'dataDir' | 'adminToken'>
  /** Whether the first key's file is there. */
  readonly hasKeyFile: boolean
  /** The key itself, where it may be shown; null otherwise. */
  readonly shownKey: string | null
  /** Signs a browser in once, where it may be shown; null otherwise. */
  readonly link: string | null
}

/** What a person sees when the server is ready: where it is, where the key is, and an example that works as pasted. */
export function banner(facts: BannerFacts): string {
  const { version, address, seconds, config, hasKeyFile, shownKey, link } = facts
  const folder = shown(config.dataDir)
  const keyFile = path.join(folder, privateFiles.defaultKey)
  const key = hasKeyFile ? `in ${keyFile}` : 'none kept here; make one with: memoryd keys create NAME'
  const token =
    config.adminToken === null ? `in ${path.join(folder, privateFiles.adminToken)}` : 'ADMIN_TOKEN'
  return [
    '',
    `  memoryd ${version} is ready (${seconds.toFixed(1)} s)`,
    '',
    `  address      ${address}`,
    `  key          ${shownKey === null ? key : `${shownKey} (shown this once; ${key})`}`,
    `  admin token  ${token}`,
    `  console      ${address}/console${link === null ? '' : `#link=${link} (opens once, for 15 minutes)`}`,
    `  reference    ${address}/docs`,
    `  data         ${folder}`,
    '',
    ...(hasKeyFile ? ['  Remember something, then ask:', '', ...example(address, keyFile), ''] : []),
  ].join('\n')
}

/** As short as it can be from where the server was started. */
function shown(directory: string): string {
  const relative = path.relative(process.cwd(), directory) || '.'
  return relative.startsWith('..') ? directory : relative
}

function example(address: string, keyFile: string): string[] {
  const call = (route: string, body: object) => [
    `curl -s ${address}${route} -H "x-api-key: $(cat '${keyFile}')" -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify(body)}'; echo`,
  ]
  return [
    ...call('/brain/ingest', { text: 'My sister Maria lives in Lisbon.' }),
    ...call('/brain/retrieve', { query: 'Where does Maria live?' }),
  ]
}
