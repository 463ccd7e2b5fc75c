import { factColumns } from './rows.ts'
import { plannedOnce } from './schema.ts'
import {
  isFaded,
  listConditions,
  mostFaded,
  retainedNow,
  selectionConditions,
  toldAgain,
} from './selections.ts'
import { isSeen, openThen } from './within.ts'

const current = '(s:Entity)-[f:FACT {namespace: $namespace}]->(o:Entity)'
const ofPersona = '($persona IS NULL OR f.persona = $persona)'
const faded = `MATCH ()-[f:FACT {namespace: $namespace}]->() WHERE ${isFaded('f')}`

const ofPlace = `${plannedOnce}
    MATCH (s:Entity {uid: $subject})-[f:FACT]->(o:Entity)
    WHERE f.namespace = $namespace AND f.persona = $persona AND NOT f.chunk_id IN $without
      AND (f.slot = $slot OR f.slot STARTS WITH $slot + '|')`

/** A change smaller than this, relatively, is rounding and counts as none. */
const roundingError = 1e-9

/** Takes the facts out of the counts of the chunks that mention them; those chunks are no duplicates of their text any more. */
const removeFacts = `
  WITH f, f.id AS id, f.mentions AS mentions, CASE WHEN f.outdated THEN 1 ELSE 0 END AS outdated
  DELETE f
  WITH id, mentions, outdated
  OPTIONAL MATCH ()-[successor:FACT {namespace: $namespace, closed_by: id}]->() SET successor.closed_by = null
  WITH DISTINCT id, mentions, outdated
  OPTIONAL MATCH (c:Chunk) WHERE c.uid IN mentions
  SET c.fact_count = c.fact_count - 1, c.closed_fact_count = c.closed_fact_count - outdated
  WITH id, c
  OPTIONAL MATCH (piece:Chunk {item_uid: c.item_uid}) SET piece.hash_key = null
  RETURN DISTINCT id, c.id AS chunk`

/** Names that nothing has any more go with the entity. */
const removeEntities = `
  OPTIONAL MATCH (n:EntityName)-[:NAMES]->(e) WHERE COUNT { (n)-[:NAMES]->() } = 1
  WITH e, e.id AS id, collect(n) AS names
  FOREACH (name IN names | DETACH DELETE name)
  DETACH DELETE e
  RETURN id`

/** Every query text of the graph. Nothing of a request is ever part of one. */
export const graphQueries = {
  entitiesById:
    'UNWIND $ids AS id MATCH (e:Entity {id: id}) WHERE e.namespace = $namespace RETURN e {.*} AS entity',
  entitiesNamed: `${plannedOnce}
    UNWIND $asked.names AS name MATCH (:EntityName {uid: name})-[:NAMES]->(e:Entity) WHERE e.namespace = $namespace
    WITH DISTINCT e RETURN e {.*} AS entity ORDER BY e.id`,
  byUids: `${plannedOnce} UNWIND $asked.uids AS uid MATCH (s:Entity)-[f:FACT {uid: uid}]->(o:Entity) RETURN ${factColumns}`,
  expand: `
    UNWIND $ids AS id
    MATCH (e:Entity {id: id})-[f:FACT]-(:Entity)
    WHERE e.namespace = $namespace AND f.namespace = $namespace AND ${openThen} AND ${isSeen('f')}
      AND ($personas IS NULL OR f.persona IN $personas) AND NOT f.id IN $without
    WITH DISTINCT f ORDER BY f.confidence DESC, f.id LIMIT toInteger($limit)
    WITH f, startNode(f) AS s, endNode(f) AS o
    RETURN ${factColumns} ORDER BY f.confidence DESC, f.id`,
  slotHistory: `
    MATCH (s:Entity)-[known:FACT {uid: $uid}]->()
    MATCH (s)-[f:FACT]->(o:Entity)
    WHERE f.slot = known.slot AND f.persona = known.persona AND f.namespace = known.namespace
    RETURN ${factColumns} ORDER BY f.created_at, f.order, f.id`,
  factsOf: `
    MATCH ${current} WHERE f.chunk_id IN $chunks RETURN ${factColumns} ORDER BY f.created_at, f.order, f.id`,
  list: `
    MATCH ${current} WHERE ($relation IS NULL OR f.relation = $relation) AND ${listConditions('f')}
    RETURN ${factColumns} ORDER BY f.created_at DESC, f.id DESC LIMIT toInteger($limit)`,
  seen: `MATCH ()-[f:FACT {namespace: $namespace}]->() WHERE f.closed_at IS NULL AND ${isSeen('f')} RETURN f.id AS id`,
  rivals: `${ofPlace} AND f.created_at <= $at
      AND (f.closed_at IS NULL OR f.closed_at > $at OR f.closer IN $without)
    RETURN ${factColumns} ORDER BY f.created_at DESC, f.order DESC, f.id DESC LIMIT toInteger($limit)`,
  // What a more trusted fact held back from the first has a closer, an end has none.
  laterRivals: `${ofPlace} AND f.created_at > $at
      AND (f.closed_at IS NULL OR f.closed_at > f.created_at OR f.closer IS NULL)
    RETURN ${factColumns} ORDER BY f.created_at, f.order, f.id LIMIT toInteger($limit)`,
  touch: `
    UNWIND $uids AS uid WITH uid, count(*) AS times MATCH ()-[f:FACT {uid: uid}]->()
    SET f.access_count = f.access_count + times,
        f.last_access_at = CASE WHEN f.last_access_at < $now THEN $now ELSE f.last_access_at END`,
  toldAgain: `UNWIND $uids AS uid MATCH ()-[f:FACT {uid: uid}]->() SET ${toldAgain('f', '$told')}`,
  pin: `
    MATCH ()-[f:FACT {uid: $uid}]->() WHERE f.namespace = $namespace SET f.pinned = $pinned RETURN f.id AS id`,
  decay: `
    MATCH ()-[f:FACT {namespace: $namespace}]->() WHERE f.closed_at IS NULL AND ${ofPersona}
    WITH f, f.confidence AS before, ${retainedNow('f')} AS fresh
    SET f.confidence = fresh
    RETURN sum(CASE WHEN fresh < before * ${1 - roundingError} THEN 1 ELSE 0 END) AS decayed,
      sum(CASE WHEN fresh > before * ${1 + roundingError} THEN 1 ELSE 0 END) AS reinforced`,
  countRelationships: `
    MATCH ()-[f:FACT {namespace: $namespace}]->() WHERE f.closed_at IS NULL AND ${ofPersona} RETURN count(f) AS count`,
  countEntities: 'MATCH (e:Entity {namespace: $namespace}) RETURN count(e) AS count',
  countEntitiesOfPersona: `
    MATCH ${current} WHERE f.closed_at IS NULL AND f.persona = $persona
    UNWIND [s, o] AS e RETURN count(DISTINCT e) AS count`,
  countFaded: `${faded} RETURN count(f) AS count`,
  faded: `${faded} ${mostFaded('f')} RETURN f.id AS id`,
  removeFaded: `${faded} ${mostFaded('f')} ${removeFacts}`,
  remove: `MATCH ()-[f:FACT {namespace: $namespace}]->() WHERE ${selectionConditions('f')} ${removeFacts}`,
  selected: `MATCH ()-[f:FACT {namespace: $namespace}]->() WHERE ${selectionConditions('f')} RETURN f.id AS id`,
  count: `MATCH ()-[f:FACT {namespace: $namespace}]->() WHERE ${selectionConditions('f')} RETURN count(f) AS count`,
  linkedTo: `
    MATCH (e:Entity {uid: $uid})-[f:FACT]-() WITH DISTINCT f
    OPTIONAL MATCH (c:Chunk) WHERE c.uid IN f.mentions
    RETURN f.id AS id, c.id AS chunk ORDER BY id, chunk`,
  dropEvidence: 'UNWIND $uids AS uid MATCH ()-[f:FACT {uid: uid}]->() SET f.evidence = f.fact',
  countOrphans: `
    MATCH (e:Entity {namespace: $namespace}) WHERE NOT EXISTS { (e)-[:FACT]-() } RETURN count(e) AS count`,
  countOrphansFaded: `
    MATCH (e:Entity {namespace: $namespace})
    WHERE NOT EXISTS { MATCH (e)-[f:FACT]-() WHERE NOT (${isFaded('f')}) }
    RETURN count(e) AS count`,
  countOrphansSelected: `
    MATCH (e:Entity {namespace: $namespace})
    WHERE NOT EXISTS { MATCH (e)-[f:FACT]-() WHERE NOT coalesce(${selectionConditions('f')}, false) }
    RETURN count(e) AS count`,
  removeOrphans: `
    MATCH (e:Entity {namespace: $namespace}) WHERE NOT EXISTS { (e)-[:FACT]-() } ${removeEntities}`,
  /** `user's sister` of whom no current fact of the user says `has_sister`. */
  untoldRoles: `
    MATCH (e:Entity {namespace: $namespace}) WHERE any(alias IN e.aliases WHERE alias CONTAINS "'s ")
    UNWIND e.aliases AS alias
    WITH e, alias, split(alias, "'s ")[-1] AS role WHERE alias CONTAINS "'s "
    WITH e, alias, role, left(alias, size(alias) - size(role) - 3) AS owner
    WHERE NOT EXISTS {
      MATCH (o:Entity)-[f:FACT]->(e)
      WHERE f.closed_at IS NULL AND f.relation CONTAINS replace(role, ' ', '_')
        AND (o.key = owner OR owner IN [name IN o.aliases | toLower(name)])
    }
    RETURN e.uid AS uid, collect(alias) AS aliases`,
  dropRoles: `
    UNWIND $dropped AS one MATCH (e:Entity {uid: one.uid})
    SET e.aliases = [alias IN e.aliases WHERE NOT alias IN one.aliases]
    WITH e, one UNWIND one.names AS name
    MATCH (n:EntityName {uid: name})-[named:NAMES]->(e) DELETE named
    WITH DISTINCT n WHERE NOT EXISTS { (n)-[:NAMES]->() }
    DELETE n`,
  namespaces: `
    MATCH (n:Namespace) WHERE EXISTS { (:Chunk {namespace: n.id}) } OR EXISTS { (:Entity {namespace: n.id}) }
    RETURN n.id AS namespace ORDER BY n.id`,
} as const
