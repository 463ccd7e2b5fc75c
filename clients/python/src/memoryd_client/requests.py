"""What the calls take beside their first argument. The server's reference says what each field means."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import NotRequired, TypedDict

Source = Literal["user", "assistant", "document"]


class Message(TypedDict):
    role: Literal["user", "assistant", "system"]
    content: str
    name: NotRequired[str | None]
    occurred_at: NotRequired[float | None]


class RememberOptions(TypedDict, total=False):
    messages: list[Message] | None
    persona: str | None
    source: Source | None
    session_id: str | None
    use_llm_extraction: bool | None
    metadata: dict[str, Any] | None
    external_id: str | None
    occurred_at: float | None


class IngestItem(RememberOptions, total=False):
    text: str | None


class RecallOptions(TypedDict, total=False):
    k: int | None
    persona: str | None
    session_id: str | None
    include_episodic: bool | None
    include_semantic: bool | None
    include_working: bool | None
    max_hops: int | None
    min_score: float | None
    use_compression: bool | None
    since: float | None
    until: float | None
    as_of: float | None
    filter: dict[str, Any] | None
    max_tokens: int | None
    explain: bool | dict[str, str] | None


class AskOptions(TypedDict, total=False):
    max_hops: int | None
    k: int | None
    persona: str | None


class DocumentOptions(TypedDict, total=False):
    content_type: Literal["text/markdown", "text/plain"] | None
    metadata: dict[str, Any] | None
    occurred_at: float | None
    persona: str | None


class ForgetOptions(TypedDict, total=False):
    ids: list[str] | None
    entity: str | None
    session_id: str | None
    persona: str | None
    everything: bool | None
    filter: dict[str, Any] | None
    dry_run: bool | None


class ListOptions(TypedDict, total=False):
    persona: str | None
    type: Literal["episodic", "semantic"] | None
    session_id: str | None
    source: Source | None
    since: float | None
    until: float | None
    text: str | None
    pinned: bool | None
    superseded: bool | None
    filter: dict[str, Any] | None
    limit: int | None


class ExtractOptions(TypedDict, total=False):
    persona: str | None
    source: Source | None
    session_id: str | None
    occurred_at: float | None
    use_llm_extraction: bool | None


class GraphOptions(TypedDict, total=False):
    entity: str | None
    query: str | None
    hops: int | None
    limit: int | None
    include_superseded: bool | None
    persona: str | None


class EntityOptions(TypedDict, total=False):
    prefix: str | None
    text: str | None
    type: str | None
    limit: int | None


class ProfileOptions(TypedDict, total=False):
    persona: str | None
    max_tokens: int | None


class ConsolidateOptions(TypedDict, total=False):
    persona: str | None
    force: bool | None


class PruneOptions(TypedDict, total=False):
    threshold: float | None
    dry_run: bool | None
    persona: str | None
    in_days: float | None
    limit: int | None
