import type { EntityType } from './model.ts'

/** How much a type says. */
const precision: Record<EntityType, number> = {
  concept: 0,
  thing: 1,
  date: 2,
  place: 2,
  organization: 2,
  person: 2,
  abstraction: 3,
}

/** The type of an entity that is seen again: a vaguer one gives way to a more precise one, never the other way round. */
export function refinedType(known: EntityType, seen: EntityType): EntityType {
  return precision[seen] > precision[known] ? seen : known
}
