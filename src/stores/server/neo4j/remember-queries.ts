import { showSurestLink } from './links.ts'
import { plannedOnce } from './schema.ts'
import { toldAgain } from './selections.ts'

/**
 * The two statements of a journalled write. What would be many round trips is one each: a subquery per question or
 * change, all in the order in which they stand. All values come in one map: Neo4j keeps a plan for every combination
 * of the sizes of its list parameters, and making one takes long.
 */
export const rememberQueries = {
  // Writing to the namespace's node takes its lock first: items of one namespace are settled one after the other.
  begin: `${plannedOnce}
    MERGE (n:Namespace {id: $item.namespace})
    SET n.sequence = coalesce(n.sequence, 0.0) + $item.count
    WITH n.sequence AS last
    RETURN last,
      COLLECT {
        MATCH (c:Chunk {hash_key: $item.hashKey})
        WHERE NOT EXISTS { MATCH (other:Chunk {item_uid: c.item_uid})
          WHERE other.closed_fact_count > 0 OR other.replaced_by IS NOT NULL }
        OPTIONAL MATCH (p:Pending {uid: c.item_uid})
        WITH c, p ORDER BY c.order LIMIT 1
        RETURN {id: c.id, marker: p.uid}
      } AS duplicates,
      COLLECT {
        UNWIND $item.uids AS uid MATCH (e:Entity {uid: uid})
        RETURN {key: e.key, type: e.type, aliases: e.aliases}
      } AS entities,
      COLLECT {
        UNWIND $item.slots AS slot
        MATCH (s:Entity {uid: slot.subject})-[f:FACT]->(o:Entity)
        WHERE f.slot = slot.slot AND f.persona = $item.persona AND (f.closed_at IS NULL
          OR (f.closed_at > $item.told AND (f.closed_at > f.created_at OR f.closer IS NULL)))
        WITH slot, f, o ORDER BY f.order, f.id
        RETURN {subject: slot.subject, slot: f.slot, id: f.id, relation: f.relation, objectKey: o.key,
          negated: f.negated, source: f.source, base: f.base, extraction: f.extraction, mentions: f.mentions,
          createdAt: f.created_at, toldAt: coalesce(f.told_at, f.created_at), isOpen: f.closed_at IS NULL,
          ended: f.closer IS NULL AND coalesce(f.closed_at = f.created_at, false)}
      } AS facts,
      COLLECT {
        UNWIND $item.closes AS close MATCH ()-[f:FACT {uid: close.uid}]->()
        WHERE f.closed_at IS NULL OR f.closed_at > close.at
        RETURN {id: f.id, mentions: f.mentions}
      } AS closable`,
  write: `${plannedOnce}
    CALL () {
      UNWIND $item.entities AS entity
      MERGE (e:Entity {uid: entity.uid})
      ON CREATE SET e.id = entity.id, e.namespace = $item.namespace, e.key = entity.key, e.name = entity.name,
        e.created_at = $item.now, e.vector = entity.vector
      SET e.type = entity.type, e.aliases = entity.aliases
      WITH e, entity UNWIND entity.names AS name
      MERGE (n:EntityName {uid: name})
      MERGE (n)-[:NAMES]->(e)
    }
    CALL () { UNWIND $item.chunks AS chunk CREATE (c:Chunk) SET c = chunk }
    CALL () {
      UNWIND $item.facts AS fact
      MATCH (s:Entity {uid: fact.subjectUid}) MATCH (o:Entity {uid: fact.objectUid})
      CREATE (s)-[f:FACT]->(o) SET f = fact.properties
      WITH fact MATCH (c:Chunk {uid: fact.chunkUid})
      SET c.fact_count = c.fact_count + 1, c.closed_fact_count = c.closed_fact_count + fact.outdated
    }
    CALL () {
      UNWIND $item.confirmed AS confirmed
      MATCH ()-[f:FACT {uid: confirmed.uid}]->()
      SET f.last_access_at =
            CASE WHEN f.last_access_at < $item.storedAt THEN $item.storedAt ELSE f.last_access_at END,
          ${toldAgain('f', '$item.now')}, f.source = confirmed.source, f.base = confirmed.base, f.extraction = confirmed.extraction
      WITH f, confirmed WHERE NOT confirmed.chunk IN f.mentions
      SET f.mentions = f.mentions + confirmed.chunk
      WITH confirmed MATCH (c:Chunk {uid: confirmed.chunk})
      SET c.fact_count = c.fact_count + 1, c.closed_fact_count = c.closed_fact_count + confirmed.outdated
    }
    CALL () {
      UNWIND $item.closings AS closing
      MATCH ()-[f:FACT {uid: closing.uid}]->()
      WITH f, closing, coalesce(f.outdated, false) AS before
      SET f.closed_at = closing.at, f.closed_by = closing.by, f.closer = closing.closer,
          f.outdated = before OR f.item_id <> $item.id
      WITH f WHERE NOT before UNWIND f.mentions AS mention
      MATCH (c:Chunk {uid: mention}) WHERE c.item_uid <> $item.uid SET c.closed_fact_count = c.closed_fact_count + 1
    }
    CALL () {
      UNWIND $item.links AS link
      MATCH (older:Chunk {uid: link.olderUid})
      MERGE (l:Link {uid: link.properties.uid}) ON CREATE SET l = link.properties
      WITH DISTINCT older ${showSurestLink}
    }
    CALL () {
      UNWIND $item.links AS link WITH link WHERE link.properties.probability >= $item.certain
      MATCH (l:Link {namespace: $item.namespace, older: link.properties.older}) WHERE l.at > link.properties.at
        AND NOT EXISTS {
          MATCH ()-[f:FACT {chunk_id: l.older}]->() WHERE f.namespace = $item.namespace AND (f.closer = l.newer OR EXISTS {
            MATCH ()-[by:FACT {chunk_id: l.newer}]->() WHERE by.namespace = $item.namespace AND by.id = f.closer
          })
        }
      WITH DISTINCT l, l.older AS id DELETE l
      WITH DISTINCT id MATCH (older:Chunk {namespace: $item.namespace, id: id}) ${showSurestLink}
    }
    MERGE (p:Pending {uid: $item.uid})
    SET p.namespace = $item.namespace, p.marked = $item.marked, p.at = timestamp()
    WITH p
    RETURN COLLECT { UNWIND $item.chunkUids AS uid MATCH (c:Chunk {uid: uid}) RETURN c {.*} } AS chunks`,
} as const
