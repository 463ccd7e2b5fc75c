import type { EntityType } from '../../../memory/model.ts'
import type { ExtractedEntity, ExtractedFact } from '../../../memory/ports.ts'
import type { Tree } from '../grammar/tree.ts'
import type { Discourse } from './discourse.ts'
import { taggedNames } from './mentions.ts'
import { isRole, people } from './vocabulary.ts'

/** What a relation says about its object, or its subject. */
const objectTypes: Readonly<Record<string, EntityType>> = {
  lives_in: 'place',
  lived_in: 'place',
  moved_to: 'place',
  moved_from: 'place',
  born_in: 'place',
  grew_up_in: 'place',
  located_in: 'place',
  from: 'place',
  visited: 'place',
  headquartered_in: 'place',
  works_at: 'organization',
  worked_at: 'organization',
  studied_at: 'organization',
  studies_at: 'organization',
  graduated_from: 'organization',
  founded: 'organization',
  ceo_of: 'organization',
  born_on: 'date',
  has_birthday: 'date',
  has_age: 'thing',
  married_to: 'person',
  engaged_to: 'person',
  dates: 'person',
  reports_to: 'person',
  directed_by: 'person',
  founded_by: 'person',
  written_by: 'person',
  works_as: 'concept',
  is_a: 'concept',
  is: 'concept',
}

/** Every subject and object of the facts once, with its type and its other names, and the names beside them. */
export function collectEntities(
  facts: readonly ExtractedFact[],
  discourse: Discourse,
  trees: readonly Tree[],
): ExtractedEntity[] {
  const types = new Map<string, EntityType>()
  for (const { subject, object, relation } of facts) {
    if (!types.has(subject)) types.set(subject, discourse.types.get(subject) ?? ownType(subject))
    const byRelation = roleObject(relation) ?? objectTypes[relation]
    const known = discourse.types.get(object)
    if (!types.has(object))
      types.set(
        object,
        known && known !== 'thing' && known !== 'concept' ? known : (byRelation ?? known ?? 'concept'),
      )
  }
  for (const tree of trees)
    for (const [name, type] of taggedNames(tree)) if (!types.has(name)) types.set(name, type)
  const aliases = new Map<string, string[]>()
  for (const [alias, name] of discourse.aliases) aliases.set(name, [...(aliases.get(name) ?? []), alias])
  return [...types].map(([name, type]) => ({
    name,
    type,
    aliases: (aliases.get(name) ?? []).filter((alias) => alias !== name),
  }))
}

/** The user, and people and things that carry their owner in their name. */
function ownType(name: string): EntityType {
  if (name === 'user') return 'person'
  const noun =
    name
      .split(/[\s']+/)
      .at(-1)
      ?.toLowerCase() ?? ''
  return people.has(noun) ? 'person' : 'thing'
}

function roleObject(relation: string): EntityType | undefined {
  const noun = relation.startsWith('has_') ? relation.slice(4).replaceAll('_', '-') : ''
  if (!noun || !(isRole(noun) || noun === 'best-friend')) return undefined
  return people.has(noun) || noun === 'best-friend' ? 'person' : 'thing'
}
