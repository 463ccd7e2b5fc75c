/**
 * The two statements of a journalled write. What would be many round trips is one each: a subquery per question or
 * change, all in the order in which they stand. All values come in one map: Neo4j keeps a plan for every combination
 * of the sizes of its list parameters, and making one takes long.
 */
export const rememberQueries = {
  // Writing to the namespace's node takes its lock first: items of one namespace are settled one after the other.
  begin: `
    MERGE (n:Namespace {id: $item.namespace})
    SET n.sequence = coalesce(n.sequence, 0.0) + $item.count
    WITH n.sequence AS last
    RETURN last,
      COLLECT {
        MATCH (c:Chunk {hash_key: $item.hashKey})
        WHERE NOT EXISTS { MATCH (other:Chunk {item_uid: c.item_uid}) WHERE other.closed_fact_count > 0 }
        OPTIONAL MATCH (p:Pending {uid: c.item_uid})
        WITH c, p ORDER BY c.order LIMIT 1
        RETURN {id: c.id, marker: p.uid}
      } AS twins,
      COLLECT {
        UNWIND $item.uids AS uid MATCH (e:Entity {uid: uid})
        RETURN {key: e.key, type: e.type, aliases: e.aliases}
      } AS entities,
      COLLECT {
        UNWIND $item.slots AS slot
        MATCH (s:Entity {uid: slot.subject})-[f:FACT]->(o:Entity)
        WHERE f.slot = slot.slot AND f.persona = $item.persona AND f.closed_at IS NULL
        WITH slot, f, o ORDER BY f.order, f.id
        RETURN {subject: slot.subject, slot: f.slot, id: f.id, relation: f.relation, objectKey: o.key,
          negated: f.negated, source: f.source, base: f.base, extraction: f.extraction, mentions: f.mentions}
      } AS facts`,
  write: `
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
      SET f.last_access_at = CASE WHEN f.last_access_at < $item.now THEN $item.now ELSE f.last_access_at END,
          f.source = confirmed.source, f.base = confirmed.base, f.extraction = confirmed.extraction
      WITH f, confirmed WHERE NOT confirmed.chunk IN f.mentions
      SET f.mentions = f.mentions + confirmed.chunk
      WITH confirmed MATCH (c:Chunk {uid: confirmed.chunk}) SET c.fact_count = c.fact_count + 1
    }
    CALL () {
      UNWIND $item.closings AS closing
      MATCH ()-[f:FACT {uid: closing.uid}]->()
      SET f.closed_at = $item.now, f.closed_by = closing.by, f.outdated = f.item_id <> $item.id
      WITH f UNWIND f.mentions AS mention
      MATCH (c:Chunk {uid: mention}) WHERE c.item_uid <> $item.uid SET c.closed_fact_count = c.closed_fact_count + 1
    }
    MERGE (p:Pending {uid: $item.uid})
    SET p.namespace = $item.namespace, p.marked = $item.marked, p.at = timestamp()
    WITH p
    RETURN COLLECT { UNWIND $item.chunkUids AS uid MATCH (c:Chunk {uid: uid}) RETURN c {.*} } AS chunks`,
} as const
