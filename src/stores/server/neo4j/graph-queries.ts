import { factColumns } from './rows.ts'
import { listConditions, retainedNow, selectionConditions } from './selections.ts'

const current = '(s:Entity)-[f:FACT {namespace: $namespace}]->(o:Entity)'
const ofPersona = '($persona IS NULL OR f.persona = $persona)'
const faded = `MATCH ()-[f:FACT {namespace: $namespace}]->() WHERE ${ofPersona} AND ${retainedNow('f')} < $threshold`

/** A change smaller than this, relatively, is rounding and counts as none. */
const roundingError = 1e-9

/** Takes the facts out of the counts of the chunks that mention them; those chunks are no twins of their text any more. */
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
  entitiesNamed: `
    UNWIND $names AS name MATCH (:EntityName {uid: name})-[:NAMES]->(e:Entity) WHERE e.namespace = $namespace
    WITH DISTINCT e RETURN e {.*} AS entity ORDER BY e.id`,
  byUids: `UNWIND $uids AS uid MATCH (s:Entity)-[f:FACT {uid: uid}]->(o:Entity) RETURN ${factColumns}`,
  expand: `
    UNWIND $ids AS id
    MATCH (e:Entity {id: id})-[f:FACT]-(:Entity)
    WHERE e.namespace = $namespace AND f.namespace = $namespace AND f.closed_at IS NULL
      AND ($personas IS NULL OR f.persona IN $personas)
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
    MATCH ${current} WHERE f.closed_at IS NULL AND ($relation IS NULL OR f.relation = $relation) AND ${listConditions('f')}
    RETURN ${factColumns} ORDER BY f.created_at DESC, f.id DESC LIMIT toInteger($limit)`,
  ofRelation: `
    MATCH (s:Entity {uid: $subject})-[f:FACT]->(o:Entity)
    WHERE f.namespace = $namespace AND f.persona = $persona AND f.slot STARTS WITH $slots AND f.closed_at IS NULL
    RETURN ${factColumns} ORDER BY f.created_at DESC, f.order DESC, f.id DESC LIMIT toInteger($limit)`,
  touch: `
    UNWIND $uids AS uid MATCH ()-[f:FACT {uid: uid}]->()
    SET f.access_count = f.access_count + 1,
        f.last_access_at = CASE WHEN f.last_access_at < $now THEN $now ELSE f.last_access_at END`,
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
  removeFaded: `${faded} ${removeFacts}`,
  remove: `MATCH ()-[f:FACT {namespace: $namespace}]->() WHERE ${selectionConditions('f')} ${removeFacts}`,
  removeFactsOfEntity: `
    MATCH (e:Entity {uid: $uid})-[f:FACT]-() WITH DISTINCT f ${removeFacts}`,
  removeEntity: `MATCH (e:Entity {uid: $uid}) ${removeEntities}`,
  countOrphans: `
    MATCH (e:Entity {namespace: $namespace}) WHERE NOT EXISTS { (e)-[:FACT]-() } RETURN count(e) AS count`,
  countOrphansSoon: `
    MATCH (e:Entity {namespace: $namespace})
    WHERE NOT EXISTS { MATCH (e)-[f:FACT]-() WHERE NOT (${ofPersona} AND ${retainedNow('f')} < $threshold) }
    RETURN count(e) AS count`,
  removeOrphans: `
    MATCH (e:Entity {namespace: $namespace}) WHERE NOT EXISTS { (e)-[:FACT]-() } ${removeEntities}`,
  namespaces: `
    MATCH (n:Namespace) WHERE EXISTS { (:Chunk {namespace: n.id}) } OR EXISTS { (:Entity {namespace: n.id}) }
    RETURN n.id AS namespace ORDER BY n.id`,
} as const
