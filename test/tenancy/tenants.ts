import { ServiceError } from '../../src/core/errors.ts'
import type { ExtractedEntity, Extractor, Llm } from '../../src/memory/ports.ts'
import type { Random } from '../faults/support/random.ts'
import { threeWordExtractor } from '../harness.ts'

/** Names that every tenant uses: what belongs to whom must not depend on them. */
export const personas = ['shared', 'work', 'home'] as const
export const sessions = ['today', 'yesterday', 'chat'] as const
export const commonNames = ['Everybody', 'Nobody', 'Somebody', 'Anna', 'Lisbon', 'Tea'] as const

/** Texts that several tenants tell word for word. */
export const commonTexts = [
  'Anna likes Tea. The kettle sings in the morning.',
  'Everybody visits Lisbon. Trams climb the hills there.',
  'Nobody knows Anna. She moved here in spring.',
  'Somebody paints Lisbon. The river is wide and blue.',
  'Anna visits Lisbon. The old lift is closed.',
  'Tea warms Everybody. Rain falls on the roof.',
] as const

/** One account, and what it must find: written only when the answer was a success. */
export interface Tenant {
  readonly index: number
  readonly key: string
  /** Stands in this tenant's texts, names and metadata, and in nobody else's. */
  readonly canary: string
  /** Ids of this tenant's memories that a reply has shown. Others ask for them too. */
  readonly ids: string[]
  /** Common texts that it has told, as persona and text. */
  readonly told: Set<string>
  readonly idempotencyKeys: Set<string>
  /** Persona, or null for the whole account, to the time of its last consolidation. */
  readonly runs: Map<string | null, number>
}

export function tenantOf(index: number, key: string): Tenant {
  const canary = `Canary${index.toString(36).padStart(3, '0')}zq`
  return { index, key, canary, ids: [], told: new Set(), idempotencyKeys: new Set(), runs: new Map() }
}

const canaryPattern = /canary[0-9a-z]{3}zq/gi

/** Canaries in a reply that are not the tenant's own. */
export function foreignCanaries(text: string, { canary }: Tenant): string[] {
  const own = canary.toLowerCase()
  return (text.match(canaryPattern) ?? []).filter((found) => found.toLowerCase() !== own)
}

/** The canaries in a prompt: more than one tenant's is a leak. */
const canariesIn = (text: string) =>
  new Set((text.match(canaryPattern) ?? []).map((one) => one.toLowerCase()))

/** Told first: from now on the nickname that all tenants use means this one's canary. */
export function introduction({ canary }: Tenant): string {
  return `${canary} alias Nickname. ${canary} knows Anna.`
}

/** A text of the tenant: its canary is the subject, the object, the name behind a common name, or a mere word. */
export function ownText({ canary }: Tenant, random: Random): string {
  const number = random.below(100_000)
  return random.pick([
    `${canary} likes Tea. It was number ${number}.`,
    `Anna visits ${canary}. The ticket has number ${number}.`,
    `Nickname paints N${number}. They say it was fun.`,
    `Nickname visits N${number}. They say ${canary} helped.`,
    `N${number} knows ${canary}. N${number} likes Lisbon.`,
    `I wrote ${canary} on page ${number} of the blue book.`,
  ])
}

/** Reads three-word sentences; `X alias Y.` makes Y another name of X. */
export const aliasExtractor: Extractor = {
  extract: async (inputs, signal) => {
    const read = await threeWordExtractor.extract(inputs, signal)
    return read.map((extraction) => {
      const aliases = extraction.facts.filter(({ relation }) => relation === 'alias')
      const named = (entity: ExtractedEntity): ExtractedEntity => ({
        ...entity,
        aliases: aliases.filter(({ subject }) => subject === entity.name).map(({ object }) => object),
      })
      const facts = extraction.facts.filter(({ relation }) => relation !== 'alias')
      const others = extraction.entities.filter(({ name }) => !aliases.some(({ object }) => object === name))
      return { ...extraction, facts, entities: others.map(named) }
    })
  },
}

/** Looks at every prompt, and repeats it, so that what reached it reaches the reply. */
export function createWatchingLlm(leaks: string[]): Llm {
  const watch = (prompt: string) => {
    const found = [...canariesIn(prompt)]
    if (found.length > 1) leaks.push(`a prompt holds ${found.join(' and ')}`)
  }
  return {
    text: async ({ prompt }) => {
      watch(prompt)
      return `It is so [1]. ${prompt.slice(0, 4_000)}`
    },
    object: async (schema, { prompt }) => {
      watch(prompt)
      const { success, data } = schema.safeParse({})
      if (!success) throw new ServiceError('llm_unavailable')
      return data
    },
  }
}
