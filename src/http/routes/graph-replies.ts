import { z } from 'zod'
import {
  confidence,
  count,
  factText,
  memoryId,
  memoryType,
  milliseconds,
  ownPersona,
  source,
  unit,
  unixSeconds,
} from './replies.ts'

export const entityTypes = [
  'person',
  'organization',
  'place',
  'date',
  'thing',
  'concept',
  'abstraction',
] as const

const entityType = z.enum(entityTypes).meta({ id: 'EntityType' }).describe('what it is')
const entityName = z.string().describe('its name, as it was told')
const offset = count.describe('where, in UTF-16 code units of the text')
const linkKind = z
  .enum(['replaces', 'ends'])
  .describe('it says what holds instead, or only that it no longer does')
const certainty = unit.describe(
  'how sure the extractor is; what is below 0.61, or 0.66 in a document, is not stored',
)
const probability = unit.describe('how sure that is')

const evidence = z
  .object({ text: z.string().describe('the words'), start: offset, end: offset })
  .meta({ id: 'Evidence' })

const replacedFact = z
  .object({ id: memoryId, fact: factText, kind: linkKind, probability })
  .meta({ id: 'ReplacedFact' })

const closedFact = z.object({ id: memoryId, fact: factText }).meta({ id: 'ClosedFact' })

const replacedText = z
  .object({
    id: memoryId,
    fact: factText,
    kind: linkKind,
    probability: probability.describe('how sure that is; below 0.99 the older text stays current'),
    closes: z.array(closedFact).describe('facts that are out of date with it'),
  })
  .meta({ id: 'ReplacedText' })

const extractedFact = z
  .object({
    fact: factText,
    subject: z.string().describe('whom or what it is about'),
    relation: z.string().describe('how the two stand to each other'),
    object: z.string().describe('what is said of the subject'),
    negated: z.boolean().describe('true: it says that this does not hold'),
    ended: z.boolean().describe('true: it says that this no longer holds'),
    when: z.string().nullable().describe('when it holds, as the text says it'),
    certainty,
    confidence,
    evidence: evidence.describe('the words it was read from'),
    outcome: z
      .enum(['new', 'known', 'history'])
      .describe(
        '`new`: it would hold; `known`: it holds already; `history`: it tells of an end, or something more trusted or told later holds',
      ),
    replaces: z.array(replacedFact).describe('facts that it would make out of date'),
  })
  .meta({ id: 'ExtractedFact' })

const extractedEntity = z
  .object({
    id: z.string().nullable().describe('of the entity that is meant; null: it would be a new one'),
    name: entityName,
    type: entityType,
    aliases: z.array(z.string()).describe('other names of it'),
  })
  .meta({ id: 'ExtractedEntity' })

const duplicate = z
  .object({
    id: memoryId,
    similarity: unit.describe('the cosine that was measured'),
    upgrades: z.boolean().describe('true: the stored one would take the more trusted source'),
  })
  .meta({ id: 'DuplicateText' })

const previewedChunk = z
  .object({ text: z.string().describe('the piece'), start: offset, end: offset })
  .meta({ id: 'ExtractedChunk' })

export const extractReply = z.object({
  duplicate: duplicate.nullable().describe('the stored text that it repeats: ingest would skip it'),
  chunks: z.array(previewedChunk).describe('the pieces that would be stored'),
  entities: z.array(extractedEntity).describe('what the facts speak of'),
  facts: z.array(extractedFact).describe('the facts that would be stored'),
  replaces: z.array(replacedText).describe('stored texts that it is likely to make out of date'),
  notice: z.string().nullable().describe('for example that there is no LLM; mostly null'),
  latency_ms: milliseconds,
})

const entityId = z.string().describe('of the entity')

const listedEntity = z
  .object({
    id: entityId,
    name: entityName,
    type: entityType,
    aliases: z.array(z.string()).describe('other names of it, lower case'),
    facts: count.describe('facts that hold and touch it'),
    created_at: unixSeconds.describe('when it was first told of, in Unix seconds'),
  })
  .meta({ id: 'Entity' })

export const entitiesReply = z.object({
  entities: z.array(listedEntity).describe('by name'),
  next_cursor: z.string().nullable().describe('null on the last page'),
})

const graphNode = z
  .object({
    id: entityId,
    name: entityName,
    type: entityType,
    degree: count.describe('facts that touch it'),
    more: count.describe('of these, not shown'),
    seed: z.boolean().describe('it was asked around this one'),
  })
  .meta({ id: 'GraphNode' })

const graphEdge = z
  .object({
    id: memoryId,
    from: entityId.describe('the subject'),
    to: entityId.describe('the object'),
    relation: z.string().describe('how the two stand to each other'),
    negated: z.boolean().describe('true: it says that this does not hold'),
    fact: factText,
    since: unixSeconds.describe('when it was told, in Unix seconds'),
    until: unixSeconds.nullable().describe('when it stopped to hold; null while it does'),
  })
  .meta({ id: 'GraphEdge' })

export const graphReply = z.object({
  nodes: z.array(graphNode).describe('those it was asked around first, then by degree'),
  edges: z.array(graphEdge).describe('facts between them'),
  truncated: z.boolean().describe('there is more than is shown'),
})

const profileEntry = z
  .object({
    id: memoryId,
    section: z
      .enum(['pinned', 'lasting', 'recent'])
      .describe('`pinned`; `lasting`: there is one of it; `recent`: the newest of the rest'),
    type: memoryType,
    fact: factText,
    persona: ownPersona,
    source,
    created_at: unixSeconds.describe('when it was told, in Unix seconds'),
  })
  .meta({ id: 'ProfileEntry' })

export const profileReply = z.object({
  text: z
    .string()
    .describe('for the start of a prompt: one line each under a title; empty when nothing is known'),
  memories: z.array(profileEntry).describe('what the text is made of, in its order'),
  truncated: z.boolean().describe('something did not fit'),
})
