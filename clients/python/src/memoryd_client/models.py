"""What memoryd answers, printed by `npm run build types`; not to be edited."""

from __future__ import annotations

from typing import Any, Dict, Literal

from pydantic import BaseModel, ConfigDict, Field


class ClaudeCodeHookRequest(BaseModel):
    hook_event_name: str
    """
    `UserPromptSubmit`: what is known comes back, and the prompt is remembered; `Stop`: the answer is remembered; every other event is answered with `{}`
    """
    session_id: str | None = None
    """
    a conversation, under a name of your own
    """
    prompt: str | None = ""
    """
    what the user wrote
    """
    last_assistant_message: str | None = ""
    """
    what the agent answered
    """


class ClientCalls(BaseModel):
    client: str
    """
    the program, by its own word
    """
    calls: int
    """
    how often it called
    """
    last_call_at: float
    """
    when it called last, in Unix seconds
    """


class ClosedFact(BaseModel):
    id: str
    """
    of the memory, for `/brain/memories/{id}`
    """
    fact: str
    """
    what it says, for people and prompts
    """


class CodexHookRequest(BaseModel):
    hook_event_name: str
    """
    `UserPromptSubmit`: what is known comes back, and the prompt is remembered; `Stop`: the answer is remembered; every other event is answered with `{}`
    """
    session_id: str | None = None
    """
    a conversation, under a name of your own
    """
    prompt: str | None = ""
    """
    what the user wrote
    """
    last_assistant_message: str | None = ""
    """
    what the agent answered
    """


class ConsolidateReply(BaseModel):
    memories_reinforced: int
    """
    relationships whose confidence rose since the last run
    """
    memories_decayed: int
    """
    relationships whose confidence was reduced
    """
    memories_pruned: int
    """
    relationships and chunks deleted
    """
    memories_compressed: int
    """
    facts merged into abstractions
    """
    abstractions_created: int
    """
    new summaries
    """
    latency_ms: float
    """
    total processing time in milliseconds
    """
    skipped: bool
    """
    it ran recently: nothing was done or charged
    """
    last_run_at: float | None
    """
    of the run before, in Unix seconds; null when there was none
    """
    warnings: list[str] | None = None
    """
    fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none
    """


class ConsolidateRequest(BaseModel):
    persona: str | None = None
    """
    that persona alone; null: every persona
    """
    force: bool | None = False
    """
    run even when a run was recent
    """


class CreateKeyRequest(BaseModel):
    account: str
    """
    the name of the account
    """
    tier: str | None = None
    """
    the plan: free, starter, pro, scale, enterprise
    """
    monthly_ops: int | None = None
    """
    operations a month, in place of those of the plan; null: those of the plan
    """


class DeleteDocumentReply(BaseModel):
    path: str
    """
    where it lay
    """
    memories: int
    """
    texts and facts that went with it
    """
    warnings: list[str] | None = None
    """
    fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none
    """


class Document(BaseModel):
    path: str
    """
    where it lies
    """
    content_type: str
    """
    of its content
    """
    metadata: dict[str, Any] | None
    """
    as it was sent
    """
    bytes: int
    """
    of its content in UTF-8
    """
    etag: str
    """
    changes with content, type and metadata
    """
    created_at: float
    """
    when its first version was written, or else came, in Unix seconds
    """
    updated_at: float
    """
    when this version was written, or else came, in Unix seconds
    """


class DuplicateText(BaseModel):
    id: str
    """
    of the memory, for `/brain/memories/{id}`
    """
    similarity: float
    """
    the cosine that was measured
    """
    upgrades: bool
    """
    true: the stored one would take the more trusted source
    """


class EraseAccountReply(BaseModel):
    account: str
    """
    the account
    """
    keys: int
    """
    keys removed
    """
    chunks: int
    """
    texts removed
    """
    relations: int
    """
    facts removed
    """
    entities: int
    """
    entities removed
    """
    remaining: int
    """
    memories that are left, counted again: 0 is the proof
    """


class Evidence(BaseModel):
    text: str
    """
    the words
    """
    start: int
    """
    where, in UTF-16 code units of the text
    """
    end: int
    """
    where, in UTF-16 code units of the text
    """


class ExplainMemory(BaseModel):
    id: str
    """
    of a memory
    """


class ExportAccountReply(BaseModel):
    lines: list[str]
    """
    one record each, as JSON
    """
    next_cursor: str | None
    """
    null on the last page
    """
    warnings: list[str] | None = None
    """
    fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none
    """


class ExportTextsReply(BaseModel):
    lines: list[str]
    """
    one record each, as JSON
    """
    next_cursor: str | None
    """
    null on the last page
    """
    warnings: list[str] | None = None
    """
    fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none
    """


class ExtractRequest(BaseModel):
    text: str
    """
    what would be remembered
    """
    persona: str | None = "shared"
    """
    the sub-namespace it would be stored in
    """
    source: Literal["user", "assistant", "document"] | None = "user"
    """
    who said it; the user is believed most
    """
    session_id: str | None = None
    """
    the conversation whose last texts say who `she` is
    """
    occurred_at: float | None = None
    """
    when it was said, in Unix seconds; null: now. Order in time and relative dates go by it. Not in the future
    """
    use_llm_extraction: bool | None = False
    """
    read facts with the LLM of the server, where it has one
    """


class ExtractedChunk(BaseModel):
    text: str
    """
    the piece
    """
    start: int
    """
    where, in UTF-16 code units of the text
    """
    end: int
    """
    where, in UTF-16 code units of the text
    """


class ExtractedEntity(BaseModel):
    id: str | None
    """
    of the entity that is meant; null: it would be a new one
    """
    name: str
    """
    its name, as it was told
    """
    type: Literal[
        "person", "organization", "place", "date", "thing", "concept", "abstraction"
    ]
    """
    what it is
    """
    aliases: list[str]
    """
    other names of it
    """


class FieldProblem(BaseModel):
    path: str
    """
    where in the request, as `items.3.text`
    """
    message: str
    """
    what is wrong there
    """


class ForgetRequest(BaseModel):
    ids: list[str] | None = None
    """
    these memories; the text that a fact was read from goes with it
    """
    entity: str | None = None
    """
    the facts about it, and the texts they were read from
    """
    session_id: str | None = None
    """
    what was told in that conversation
    """
    persona: str | None = None
    """
    everything of that persona
    """
    everything: bool | None = False
    """
    everything of the account
    """
    filter: dict[str, Any] | None = None
    """
    everything with such metadata, as `filter` of retrieve; with `session_id` or `persona`, or both, only what is theirs; a document keeps its content, and is deleted by its path
    """
    dry_run: bool | None = False
    """
    show what would go, and remove nothing
    """


class GraphEdge(BaseModel):
    id: str
    """
    of the memory, for `/brain/memories/{id}`
    """
    from_: str = Field(..., alias="from")
    """
    the subject
    """
    to: str
    """
    the object
    """
    relation: str
    """
    how the two stand to each other
    """
    negated: bool
    """
    true: it says that this does not hold
    """
    fact: str
    """
    what it says, for people and prompts
    """
    since: float
    """
    when it was told, in Unix seconds
    """
    until: float | None
    """
    when it stopped to hold; null while it does
    """


class GraphNode(BaseModel):
    id: str
    """
    of the entity
    """
    name: str
    """
    its name, as it was told
    """
    type: Literal[
        "person", "organization", "place", "date", "thing", "concept", "abstraction"
    ]
    """
    what it is
    """
    degree: int
    """
    facts that touch it
    """
    more: int
    """
    of these, not shown
    """
    seed: bool
    """
    it was asked around this one
    """


class GraphQaReply(BaseModel):
    answer: str
    """
    grounded in the facts, which it cites as `[n]`
    """
    facts_used: int
    """
    graph facts that the model was given
    """
    facts: list[str] | None = None
    """
    the numbered facts that the answer cites
    """
    error: str | None = None
    """
    `LLM not available` when the server has none
    """
    warnings: list[str] | None = None
    """
    fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none
    """


class GraphQaRequest(BaseModel):
    query: str
    """
    a question in plain language
    """
    max_hops: int | None = 3
    """
    how far to follow relationships
    """
    k: int | None = 10
    """
    how many facts the model is given at most
    """
    persona: str | None = None
    """
    that persona alone; null: every persona
    """


class GraphReply(BaseModel):
    nodes: list[GraphNode]
    """
    those it was asked around first, then by degree
    """
    edges: list[GraphEdge]
    """
    facts between them
    """
    truncated: bool
    """
    there is more than is shown
    """
    warnings: list[str] | None = None
    """
    fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none
    """


class HealthReply(BaseModel):
    ready: bool
    """
    models are loaded and every store is connected: it can be used
    """
    models_loaded: bool
    """
    whether the models are loaded
    """
    models: str
    """
    `loaded`, `loading`, or `error: <reason>`
    """
    neo4j: str
    """
    `connected`, or `error: <reason>`
    """
    redis: str
    """
    `connected`, or `error: <reason>`
    """
    qdrant: str
    """
    `connected`, or `error: <reason>`
    """
    version: str
    """
    of the service
    """
    embedder: str
    """
    the model that turns texts into vectors
    """
    mode: Literal["embedded", "server"]
    """
    where memories are kept: in a file of its own, or on servers
    """


class HookOutput(BaseModel):
    hookEventName: str
    """
    the event that was sent
    """
    additionalContext: str
    """
    what is known, in a marked block for the prompt
    """


class ItemFailure(BaseModel):
    error: str
    """
    a code for programs
    """
    detail: str
    """
    one sentence for a person
    """


class KnownReply(BaseModel):
    known: list[list[str] | None]
    """
    for each item the memories that hold it, in their order; null: it is not known
    """
    warnings: list[str] | None = None
    """
    fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none
    """


class LifecycleRun(BaseModel):
    at: float
    """
    when it ended, in Unix seconds
    """
    automatic: bool
    """
    the hourly one; false: somebody asked for it
    """
    reinforced: int
    """
    relationships whose confidence rose since the run before
    """
    decayed: int
    """
    relationships whose confidence was reduced
    """
    pruned: int
    """
    relationships and chunks deleted
    """
    held_back: int
    """
    faded memories that it left for the runs after it
    """
    compressed: int
    """
    facts merged into abstractions
    """
    abstractions: int
    """
    new summaries
    """


class ListDocumentsReply(BaseModel):
    documents: list[Document]
    """
    by path, without their content
    """
    next_after: str | None
    """
    null on the last page
    """
    warnings: list[str] | None = None
    """
    fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none
    """


class Message(BaseModel):
    role: Literal["user", "assistant", "system"]
    """
    who said it: its source is user, assistant, or document for system
    """
    content: str
    """
    what was said
    """
    name: str | None = None
    """
    the name of who said it; `I` means that person then
    """
    occurred_at: float | None = None
    """
    when it was said, in Unix seconds; null: with the message before it
    """


class PatchAccountRequest(BaseModel):
    tier: str | None = None
    """
    the plan: free, starter, pro, scale, enterprise
    """
    monthly_ops: int | None = None
    """
    operations a month, in place of those of the plan; null: those of the plan
    """


class PatchMemoryRequest(BaseModel):
    text: str | None = None
    """
    what holds instead
    """
    pinned: bool | None = None
    """
    true: it neither fades nor is pruned
    """
    occurred_at: float | None = None
    """
    when `text` was said, in Unix seconds; null: now. Not in the future, nor before the memory was told
    """


class Problem(BaseModel):
    model_config = ConfigDict(
        extra="allow",
    )
    __annotations__ = {
        "__pydantic_extra__": Dict[str, Any],
    }
    detail: str
    """
    one sentence for a person
    """
    error: str | None = None
    """
    a code for programs
    """
    errors: list[FieldProblem] | None = None
    """
    every field that is wrong
    """
    tier: str | None = None
    """
    the plan of the account, where a plan is the reason
    """
    required_tier: str | None = None
    """
    the least plan that may do this
    """
    limit: int | None = None
    """
    requests per minute of the plan
    """
    retry_after_seconds: int | None = None
    """
    how long to wait, as in `Retry-After`
    """
    upgrade: str | None = None
    """
    where a larger plan is found
    """
    request_id: str | None = None
    """
    of a failure of ours: the log has the rest under it
    """


class PruneRequest(BaseModel):
    threshold: float | None = 0.05
    """
    what has less confidence goes
    """
    dry_run: bool | None = True
    """
    count alone; false: remove
    """
    persona: str | None = None
    """
    that persona alone; null: every persona
    """
    in_days: float | None = 0
    """
    of a dry run: as it would be in so many days
    """
    limit: int | None = 0
    """
    of a dry run: so many of those that would go are shown
    """


class PutDocumentRequest(BaseModel):
    content: str
    """
    the document, at most 1 MiB in UTF-8
    """
    content_type: Literal["text/markdown", "text/plain"] | None = "text/markdown"
    """
    of the content; it is sent with it when the document is read
    """
    metadata: dict[str, Any] | None = None
    """
    kept with the document and its memories
    """
    occurred_at: float | None = None
    """
    when this version was written, in Unix seconds; null: now. Not in the future
    """


class RateState(BaseModel):
    limit: int
    """
    requests per minute
    """
    remaining: int
    """
    calls that would be admitted now
    """
    reset_seconds: int
    """
    whole seconds until it is more
    """


class ReasoningStep(BaseModel):
    hop: int
    """
    how many steps from the question
    """
    from_: str = Field(..., alias="from")
    """
    the entity it starts at
    """
    relation: str
    """
    the relation followed
    """
    to: str
    """
    the entity it leads to
    """
    fact: str
    """
    what it says, for people and prompts
    """
    confidence: float
    """
    1 for what the user said; less for documents and the assistant
    """


class ReplacedFact(BaseModel):
    id: str
    """
    of the memory, for `/brain/memories/{id}`
    """
    fact: str
    """
    what it says, for people and prompts
    """
    kind: Literal["replaces", "ends"]
    """
    it says what holds instead, or only that it no longer does
    """
    probability: float
    """
    how sure that is
    """


class ReplacedMemory(BaseModel):
    id: str
    """
    the memory that is history now
    """
    fact: str
    """
    what it says
    """
    kind: Literal["replaces", "ends"]
    """
    the text says what holds instead, or only that it no longer does
    """
    probability: float
    """
    how sure that is
    """


class ReplacedText(BaseModel):
    id: str
    """
    of the memory, for `/brain/memories/{id}`
    """
    fact: str
    """
    what it says, for people and prompts
    """
    kind: Literal["replaces", "ends"]
    """
    it says what holds instead, or only that it no longer does
    """
    probability: float
    """
    how sure that is; below 0.99 the older text stays current
    """
    closes: list[ClosedFact]
    """
    facts that are out of date with it
    """


class RetrieveRequest(BaseModel):
    query: str
    """
    a question in plain language
    """
    k: int | None = 5
    """
    how many facts at most
    """
    persona: str | None = None
    """
    that persona and `shared`; null: every persona
    """
    session_id: str | None = None
    """
    the conversation whose topic and facts come along
    """
    include_episodic: bool | None = True
    """
    search the texts
    """
    include_semantic: bool | None = True
    """
    search the facts of the graph
    """
    include_working: bool | None = True
    """
    add the facts of the session
    """
    max_hops: int | None = None
    """
    how far to follow relationships; null and 1: not at all
    """
    min_score: float | None = None
    """
    what scores less is left out; null: 0.2
    """
    use_compression: bool | None = False
    """
    let the LLM of the server shorten the texts to what matters, where it has one
    """
    since: float | None = None
    """
    only what was told then or later, in Unix seconds
    """
    until: float | None = None
    """
    only what was told before then, in Unix seconds
    """
    as_of: float | None = None
    """
    the memory as it stood then, in Unix seconds: nothing that was told later, and what was replaced later still holds. Without the session’s working memory, which is about now
    """
    filter: dict[str, Any] | None = None
    """
    only texts with such metadata, and the facts read from them. `{"field": value}`, `{"field": {"in": [value, …]}}`, `{"field": {"exists": true}}`, `{"and": [filter, …]}`, `{"or": [filter, …]}`, `{"not": filter}`. Several fields in one object must all be so. A value is a string, a number, true, false or null, and equals nothing of another type; a list equals what one of its entries is. `a.b` is the field `b` inside `a`, unless there is one of the name `a.b`. At most 4 levels of and, or, not, 64 conditions and 8,192 characters as JSON
    """
    max_tokens: int | None = None
    """
    how long `context` may be. It is filled in the order of rank; what does not fit is still in `facts`. Tokens are estimated, rather too many than too few: a token is three letters of an ASCII word or two capitals, a digit, a sign or a line break; any other character is one less than its UTF-8 bytes
    """
    explain: bool | ExplainMemory | None = Field(False, validate_default=True)
    """
    true: how every score came about; `{"id": …}`: why that memory came back, or did not
    """


class RevokeKeyReply(BaseModel):
    id: str
    """
    of the key, for `/admin/keys/{id}`; not the key itself
    """
    revoked: bool
    """
    always true: it is not valid any more
    """


class RotateKeyRequest(BaseModel):
    grace_seconds: int | None = 86400
    """
    how long the old key stays valid
    """


class ScoreFeature(BaseModel):
    name: str
    """
    the feature
    """
    value: float
    """
    its value for this memory
    """
    weight: float
    """
    its fitted weight
    """
    contribution: float
    """
    value times weight
    """


class ScoreRule(BaseModel):
    rule: Literal[
        "replaced",
        "replaces",
        "text",
        "folded",
        "session",
        "path",
        "contradicted",
        "copy",
        "floor",
        "k",
    ]
    """
    the rule
    """
    by: str | None
    """
    the id of the memory that the rule is about
    """


class Statement(BaseModel):
    id: str
    """
    of the memory, for `/brain/memories/{id}`
    """
    fact: str | None
    """
    what it says; null when it has faded since
    """


class StatsReply(BaseModel):
    episodic_count: int
    """
    chunks stored
    """
    semantic_entities: int
    """
    entities in the graph
    """
    semantic_relations: int
    """
    relationships in the graph
    """
    models_loaded: bool
    """
    whether the models are loaded
    """
    warnings: list[str] | None = None
    """
    fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none
    """


class StatsRequest(BaseModel):
    user_id: str
    """
    required and ignored: the key decides
    """
    persona: str | None = "shared"
    """
    that persona alone; `*`: the whole namespace
    """


class Triple(BaseModel):
    subject: str
    """
    whom or what it is about
    """
    relation: str
    """
    how the two stand to each other
    """
    object: str
    """
    what is said of the subject
    """
    negated: bool
    """
    true: it says that this does not hold
    """


class UsageReply(BaseModel):
    account: str
    """
    the account of the key
    """
    tier: Literal["free", "starter", "pro", "scale", "enterprise"]
    """
    the plan of the account
    """
    month: str
    """
    the UTC month, as `2026-11`
    """
    ops_used: int
    """
    operations used in it
    """
    ops_limit: int | None
    """
    operations that the month has; null: no limit
    """
    ops_remaining: int | None
    """
    operations that are left; null: no limit
    """
    resets_at: float
    """
    when the next month begins, in Unix seconds
    """
    batch_items: int
    """
    items that one batch may have
    """
    rate: RateState | None
    """
    of this key, with this call counted; null: no limit
    """
    clients: list[ClientCalls]
    """
    the 20 last callers, the last one first
    """


class WholeDocument(BaseModel):
    path: str
    """
    where it lies
    """
    content_type: str
    """
    of its content
    """
    metadata: dict[str, Any] | None
    """
    as it was sent
    """
    bytes: int
    """
    of its content in UTF-8
    """
    etag: str
    """
    changes with content, type and metadata
    """
    created_at: float
    """
    when its first version was written, or else came, in Unix seconds
    """
    updated_at: float
    """
    when this version was written, or else came, in Unix seconds
    """
    content: str
    """
    as it was sent
    """
    warnings: list[str] | None = None
    """
    fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none
    """


class Account(BaseModel):
    account: str
    """
    the account
    """
    tier: Literal["free", "starter", "pro", "scale", "enterprise"]
    """
    the plan of the account
    """
    monthly_ops: int | None
    """
    replaces the budget of the tier; null: the own one of the tier
    """
    warnings: list[str] | None = None
    """
    fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none
    """


class ClaudeCodeHookReply(BaseModel):
    hookSpecificOutput: HookOutput | None = None
    """
    absent when nothing is known, and for events that only tell something
    """


class CodexHookReply(BaseModel):
    hookSpecificOutput: HookOutput | None = None
    """
    absent when nothing is known, and for events that only tell something
    """


class CutMemory(BaseModel):
    id: str
    """
    of the memory, for `/brain/memories/{id}`
    """
    fact: str
    """
    what it says, for people and prompts
    """
    score: float
    """
    what it scored
    """
    rule: Literal[
        "replaced",
        "replaces",
        "text",
        "folded",
        "session",
        "path",
        "contradicted",
        "copy",
        "floor",
        "k",
    ]
    """
    the rule that left it out
    """
    by: str | None
    """
    the id of the memory that the rule is about
    """


class Entity(BaseModel):
    id: str
    """
    of the entity
    """
    name: str
    """
    its name, as it was told
    """
    type: Literal[
        "person", "organization", "place", "date", "thing", "concept", "abstraction"
    ]
    """
    what it is
    """
    aliases: list[str]
    """
    other names of it, lower case
    """
    facts: int
    """
    facts that hold and touch it
    """
    created_at: float
    """
    when it was first told of, in Unix seconds
    """


class ExtractedFact(BaseModel):
    fact: str
    """
    what it says, for people and prompts
    """
    subject: str
    """
    whom or what it is about
    """
    relation: str
    """
    how the two stand to each other
    """
    object: str
    """
    what is said of the subject
    """
    negated: bool
    """
    true: it says that this does not hold
    """
    ended: bool
    """
    true: it says that this no longer holds
    """
    when: str | None
    """
    when it holds, as the text says it
    """
    certainty: float
    """
    how sure the extractor is; what is below 0.61, or 0.66 in a document, is not stored
    """
    confidence: float
    """
    1 for what the user said; less for documents and the assistant
    """
    evidence: Evidence
    """
    the words it was read from
    """
    outcome: Literal["new", "known", "history"]
    """
    `new`: it would hold; `known`: it holds already; `history`: it tells of an end, or something more trusted or told later holds
    """
    replaces: list[ReplacedFact]
    """
    facts that it would make out of date
    """


class ForgottenMemory(BaseModel):
    id: str
    """
    of the memory, for `/brain/memories/{id}`
    """
    type: Literal["episodic", "semantic"]
    """
    `episodic`: a text as it was told; `semantic`: a fact read from one
    """
    fact: str
    """
    what it says, for people and prompts
    """


class HistoryEntry(BaseModel):
    id: str
    """
    of the memory, for `/brain/memories/{id}`
    """
    fact: str
    """
    what it says, for people and prompts
    """
    source: Literal["user", "assistant", "document"]
    """
    who said it; the user is believed most
    """
    created_at: float
    """
    when it was told, in Unix seconds
    """
    closed_at: float | None
    """
    when it stopped to hold; null while it does
    """
    replaces: list[str]
    """
    ids in this history whose place it took
    """
    replaced_by: str | None
    """
    the id that took its place; null while it holds
    """
    evidence: str
    """
    the sentence it was read from
    """
    current: bool
    """
    it holds
    """


class HistoryLink(BaseModel):
    newer: Statement
    """
    the statement that makes the older one out of date
    """
    older: Statement
    """
    the statement that is out of date
    """
    kind: Literal["replaces", "ends"]
    """
    it says what holds instead, or only that it no longer does
    """
    probability: float
    """
    how sure that is; 1 for a correction
    """
    at: float
    """
    when the newer one was told, in Unix seconds
    """


class IngestItem(BaseModel):
    text: str | None = None
    """
    what to remember; this or `messages`
    """
    messages: list[Message] | None = None
    """
    instead of `text`: what was said in a conversation, in its order. Each message is a text of its own with its own source and costs as much as one
    """
    persona: str | None = "shared"
    """
    the sub-namespace to store it in
    """
    source: Literal["user", "assistant", "document"] | None = "user"
    """
    who said it; the user is believed most
    """
    session_id: str | None = None
    """
    a conversation, under a name of your own
    """
    use_llm_extraction: bool | None = False
    """
    read facts with the LLM of the server, where it has one
    """
    metadata: dict[str, Any] | None = None
    """
    key/value pairs of your own, kept with the memory
    """
    external_id: str | None = None
    """
    your own name for it: another text under the same name and persona takes its place, the same one again changes nothing
    """
    occurred_at: float | None = None
    """
    when it was said, in Unix seconds; null: now. Order in time and relative dates go by it. Not in the future
    """


class IngestRequest(BaseModel):
    text: str | None = None
    """
    what to remember; this or `messages`
    """
    messages: list[Message] | None = None
    """
    instead of `text`: what was said in a conversation, in its order. Each message is a text of its own with its own source and costs as much as one
    """
    persona: str | None = "shared"
    """
    the sub-namespace to store it in
    """
    source: Literal["user", "assistant", "document"] | None = "user"
    """
    who said it; the user is believed most
    """
    session_id: str | None = None
    """
    a conversation, under a name of your own
    """
    use_llm_extraction: bool | None = False
    """
    read facts with the LLM of the server, where it has one
    """
    metadata: dict[str, Any] | None = None
    """
    key/value pairs of your own, kept with the memory
    """
    external_id: str | None = None
    """
    your own name for it: another text under the same name and persona takes its place, the same one again changes nothing
    """
    occurred_at: float | None = None
    """
    when it was said, in Unix seconds; null: now. Order in time and relative dates go by it. Not in the future
    """


class IssuedKey(BaseModel):
    key: str
    """
    shown once: only its hash is kept
    """
    id: str
    """
    of the key, for `/admin/keys/{id}`; not the key itself
    """
    account: str
    """
    the account
    """
    tier: Literal["free", "starter", "pro", "scale", "enterprise"]
    """
    the plan of the account
    """
    warnings: list[str] | None = None
    """
    fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none
    """


class Key(BaseModel):
    id: str
    """
    of the key, for `/admin/keys/{id}`; not the key itself
    """
    account: str
    """
    the account
    """
    tier: Literal["free", "starter", "pro", "scale", "enterprise"]
    """
    the plan of the account
    """
    last_four: str
    """
    the last four characters, to tell keys apart
    """
    created_at: float
    """
    when it was issued, in Unix seconds
    """
    expires_at: float | None
    """
    not valid from then on; null: no end
    """
    active: bool
    """
    it opens the account
    """


class KnownRequest(BaseModel):
    items: list[IngestItem]
    """
    what to remember; how many a call takes depends on the plan
    """


class LearnedFact(BaseModel):
    id: str
    """
    the memory of this fact
    """
    fact: str
    """
    the fact as a sentence
    """
    triple: Triple
    """
    the fact as an edge of the graph
    """
    certainty: float
    """
    how sure the extractor is
    """


class LifecycleReply(BaseModel):
    half_life_days: float
    """
    confidence halves in so many days without an access
    """
    prune_threshold: float
    """
    what has less confidence is deleted by the next run; 0: nothing is
    """
    runs: list[LifecycleRun]
    """
    the last 20, newest first
    """
    warnings: list[str] | None = None
    """
    fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none
    """


class ListEntitiesReply(BaseModel):
    entities: list[Entity]
    """
    by name
    """
    next_cursor: str | None
    """
    null on the last page
    """
    warnings: list[str] | None = None
    """
    fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none
    """


class ListKeysReply(BaseModel):
    keys: list[Key]
    """
    of every account, ended ones too
    """
    accounts: list[Account]
    """
    every account
    """


class Memory(BaseModel):
    id: str
    """
    of the memory, for `/brain/memories/{id}`
    """
    type: Literal["episodic", "semantic"]
    """
    `episodic`: a text as it was told; `semantic`: a fact read from one
    """
    fact: str
    """
    what it says, for people and prompts
    """
    persona: str
    """
    the sub-namespace it belongs to
    """
    session_id: str | None
    """
    the conversation it was told in
    """
    source: Literal["user", "assistant", "document"]
    """
    who said it; the user is believed most
    """
    confidence: float
    """
    1 for what the user said; less for documents and the assistant
    """
    retention: float
    """
    confidence after decay
    """
    access_count: int
    """
    how often it was returned
    """
    created_at: float
    """
    when it was told, in Unix seconds
    """
    last_access_at: float
    """
    when it was returned last, in Unix seconds
    """
    metadata: dict[str, Any] | None
    """
    as it was sent with the text
    """
    superseded: bool
    """
    something told later took its place
    """
    pinned: bool
    """
    it neither fades nor is pruned
    """
    replaced_by: str | None
    """
    the memory that took its place or said that it ended; null while it holds
    """
    replaced_at: float | None
    """
    when that was said, in Unix seconds
    """
    triple: Triple | None
    """
    of a fact; null for a text
    """


class MemoryHistoryReply(BaseModel):
    id: str
    """
    of the memory, for `/brain/memories/{id}`
    """
    history: list[HistoryEntry]
    """
    oldest first
    """
    links: list[HistoryLink]
    """
    newer and older statements that this text is linked with, oldest first
    """


class PatchMemoryReply(BaseModel):
    id: str
    """
    the memory that holds now: the new one after a correction
    """
    replaced: str | None
    """
    the memory that was corrected and is history now; null without `text`
    """
    memory: Memory
    """
    the memory that holds now
    """
    warnings: list[str] | None = None
    """
    fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none
    """


class ProfileEntry(BaseModel):
    id: str
    """
    of the memory, for `/brain/memories/{id}`
    """
    section: Literal["pinned", "lasting", "recent"]
    """
    `pinned`; `lasting`: there is one of it; `recent`: the newest of the rest
    """
    type: Literal["episodic", "semantic"]
    """
    `episodic`: a text as it was told; `semantic`: a fact read from one
    """
    fact: str
    """
    what it says, for people and prompts
    """
    persona: str
    """
    the sub-namespace it belongs to
    """
    source: Literal["user", "assistant", "document"]
    """
    who said it; the user is believed most
    """
    created_at: float
    """
    when it was told, in Unix seconds
    """


class ProfileReply(BaseModel):
    text: str
    """
    for the start of a prompt: one line each under a title; empty when nothing is known
    """
    memories: list[ProfileEntry]
    """
    what the text is made of, in its order
    """
    truncated: bool
    """
    something did not fit
    """
    warnings: list[str] | None = None
    """
    fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none
    """


class PruneReply(BaseModel):
    candidates: int
    """
    relationships and chunks below the threshold
    """
    pruned: int
    """
    of these, removed
    """
    threshold: float
    """
    as asked for
    """
    dry_run: bool
    """
    true: counted, nothing removed
    """
    relations: int
    """
    relationships among them
    """
    chunks: int
    """
    chunks among them
    """
    orphaned_entities: int
    """
    entities that lose their last relationship
    """
    memories: list[Memory]
    """
    of a dry run: what would go, the most faded first, at most `limit`; `retention` is that of now
    """
    warnings: list[str] | None = None
    """
    fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none
    """


class ScoreExplanation(BaseModel):
    features: list[ScoreFeature]
    """
    those that are not 0; the contributions add up to `linear`
    """
    linear: float
    """
    the sum of the contributions
    """
    answerable: float
    """
    the chance that the memory holds an answer
    """
    probability: float
    """
    that chance times the chance that it is this one over that of the best candidate
    """
    calibrated: float
    """
    the probability on the scale of scores
    """
    rules: list[ScoreRule]
    """
    what changed the score or the place afterwards, in order
    """
    score: float
    """
    the score in the reply
    """


class ExtractReply(BaseModel):
    duplicate: DuplicateText | None
    """
    the stored text that it repeats: ingest would skip it
    """
    chunks: list[ExtractedChunk]
    """
    the pieces that would be stored
    """
    entities: list[ExtractedEntity]
    """
    what the facts speak of
    """
    facts: list[ExtractedFact]
    """
    the facts that would be stored
    """
    replaces: list[ReplacedText]
    """
    stored texts that it is likely to make out of date
    """
    notice: str | None
    """
    for example that there is no LLM; mostly null
    """
    latency_ms: float
    """
    total processing time in milliseconds
    """
    warnings: list[str] | None = None
    """
    fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none
    """


class ForgetReply(BaseModel):
    chunks: int
    """
    texts removed
    """
    relations: int
    """
    facts removed
    """
    entities: int
    """
    entities of which nothing is left
    """
    sessions: int | None
    """
    sessions that were cleared; null in a dry run
    """
    remaining: int | None
    """
    counted again after the removal: 0 is the proof; null in a dry run
    """
    dry_run: bool
    """
    true: nothing was removed
    """
    memories: list[ForgottenMemory] | None
    """
    what a dry run would remove, at most 100 texts and 100 facts; null when it was removed
    """
    latency_ms: float
    """
    total processing time in milliseconds
    """
    warnings: list[str] | None = None
    """
    fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none
    """


class IngestBatchRequest(BaseModel):
    items: list[IngestItem]
    """
    what to remember; how many a call takes depends on the plan
    """


class IngestReply(BaseModel):
    facts_ingested: int
    """
    graph relationships stored
    """
    episodic_chunks: int
    """
    vector chunks stored
    """
    entities_extracted: int
    """
    entity nodes created or updated
    """
    triples_extracted: int
    """
    equal to facts_ingested
    """
    working_memory_updated: bool
    """
    whether the session was updated
    """
    msg: str
    """
    the counts as a sentence
    """
    latency_ms: float
    """
    total processing time in milliseconds
    """
    deduplicated: bool
    """
    the text was already known
    """
    ids: list[str] | None = None
    """
    the memories that hold the text, in its order
    """
    facts: list[LearnedFact] | None = None
    """
    the facts that the text tells, new or known already
    """
    replaced: list[ReplacedMemory] | None = None
    """
    what the text made out of date
    """
    warnings: list[str] | None = None
    """
    fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none
    """


class ListMemoriesReply(BaseModel):
    memories: list[Memory]
    """
    newest first
    """
    next_cursor: str | None
    """
    null on the last page
    """
    warnings: list[str] | None = None
    """
    fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none
    """


class MemoryExplanation(BaseModel):
    id: str
    """
    of the memory, for `/brain/memories/{id}`
    """
    outcome: Literal[
        "returned",
        "replaced",
        "replaces",
        "text",
        "folded",
        "session",
        "path",
        "contradicted",
        "copy",
        "floor",
        "k",
        "unknown",
        "persona",
        "outside",
        "closed",
        "not_found",
    ]
    """
    `returned`, the rule that left it out, or why it was not looked at: `unknown` id, other `persona`, `outside` of the times or the filter, `closed` fact, `not_found` near the question by words or meaning
    """
    by: str | None
    """
    the id of the memory that the rule is about
    """
    explanation: ScoreExplanation | None
    """
    null when it was not scored
    """


class PutDocumentReply(BaseModel):
    document: Document
    """
    the document as it is now
    """
    created: bool
    """
    there was none at this path
    """
    indexed: IngestReply
    """
    what was remembered of it; `deduplicated`: it is the same as before
    """
    warnings: list[str] | None = None
    """
    fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none
    """


class RetrieveExplanation(BaseModel):
    cut: list[CutMemory]
    """
    what was found and left out, best first
    """
    memory: MemoryExplanation | None
    """
    with `explain: {"id": …}`
    """


class RetrievedFact(BaseModel):
    id: str
    """
    of the memory, for `/brain/memories/{id}`
    """
    fact: str
    """
    what it says, for people and prompts
    """
    score: float
    """
    0.7 and more: directly relevant; 0.4: probably; 0.2: tangential
    """
    source_type: Literal["episodic", "semantic", "working"]
    """
    the memory it came from: a text, a fact, or the session
    """
    created_at: float
    """
    when it was told, in Unix seconds
    """
    access_count: int
    """
    how often it was returned
    """
    confidence: float
    """
    1 for what the user said; less for documents and the assistant
    """
    metadata: dict[str, Any] | None
    """
    as it was sent with the text
    """
    persona: str
    """
    the sub-namespace it belongs to
    """
    rank: int
    """
    1 is the best, whatever the place in the list
    """
    retention: float
    """
    confidence after decay
    """
    superseded: bool
    """
    something told later took its place
    """
    until: float | None
    """
    when it stopped to hold; null while it does, or when that is not known
    """
    changed_at: float | None
    """
    when a part of a text stopped to hold, while the rest does; null otherwise
    """
    certainty: float
    """
    how sure the extractor was of a fact; 1 for a text
    """
    explanation: ScoreExplanation | None = None
    """
    with `explain: true`
    """


class IngestBatchReply(BaseModel):
    facts_ingested: int
    """
    graph relationships stored
    """
    episodic_chunks: int
    """
    vector chunks stored
    """
    entities_extracted: int
    """
    entity nodes created or updated
    """
    triples_extracted: int
    """
    equal to facts_ingested
    """
    working_memory_updated: bool
    """
    whether the session was updated
    """
    msg: str
    """
    the counts as a sentence
    """
    latency_ms: float
    """
    total processing time in milliseconds
    """
    deduplicated: bool
    """
    the text was already known
    """
    results: list[IngestReply | ItemFailure]
    """
    one per item, in order
    """
    succeeded: int
    """
    items that were stored or known
    """
    failed: int
    """
    items that could not be stored, for a cause on the side of the server
    """
    warnings: list[str] | None = None
    """
    fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none
    """


class RetrieveReply(BaseModel):
    context: str
    """
    one line per fact, ready for a system prompt
    """
    facts: list[RetrievedFact]
    """
    best at both ends: models read the middle worst
    """
    episodic_count: int
    """
    facts from the texts
    """
    semantic_count: int
    """
    facts from the graph
    """
    working_count: int
    """
    facts from the session
    """
    reasoning_chain: list[ReasoningStep] | None
    """
    the steps of the traversal with `max_hops` above 1; null otherwise
    """
    truncated: bool
    """
    a cap was reached: the traversal is partial
    """
    degraded: list[Literal["neo4j", "qdrant", "redis"]]
    """
    stores that could not answer; mostly empty
    """
    latency_ms: float
    """
    total processing time in milliseconds
    """
    answerable: float
    """
    the chance that the memory holds the answer
    """
    explanation: RetrieveExplanation | None = None
    """
    with `explain`
    """
    warnings: list[str] | None = None
    """
    fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none
    """
