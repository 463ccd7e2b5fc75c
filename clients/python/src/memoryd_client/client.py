"""Two clients with the same calls: one that waits, one that awaits. Fields are named as in the HTTP API."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar

import httpx
from pydantic import BaseModel
from typing_extensions import Self, Unpack

from . import models
from ._transport import Call, Settings, document_path, failure_of, memory_path, read_answer, wait_for, write
from .errors import MemorydError
from .requests import (
    AskOptions,
    ConsolidateOptions,
    DocumentOptions,
    EntityOptions,
    ExtractOptions,
    ForgetOptions,
    GraphOptions,
    IngestItem,
    ListOptions,
    ProfileOptions,
    PruneOptions,
    RecallOptions,
    RememberOptions,
)

Reply = TypeVar("Reply", bound=BaseModel)
#: Texts of one batch request unless told otherwise; a plan sets the most.
BATCH_SIZE = 20
#: A batch of long texts takes this many times as long as a text.
BATCH_PATIENCE = 10


def _portions(settings: Settings, items: Sequence[str | IngestItem], batch_size: int) -> Iterator[Call]:
    for start in range(0, len(items), batch_size):
        portion = items[start : start + batch_size]
        bodies = [settings.with_persona({"text": one} if isinstance(one, str) else one) for one in portion]
        call = write("POST", "/brain/ingest/batch", {"items": bodies})
        patience = settings.timeout * BATCH_PATIENCE
        yield Call(call.method, call.path, call.body, idempotency_key=call.idempotency_key, timeout=patience)


def _page(path: str, query: Mapping[str, Any], cursor: str | None) -> Call:
    return Call("GET", path, query={**query, "cursor": cursor})


def _put_document(settings: Settings, path: str, content: str, options: DocumentOptions) -> Call:
    body: dict[str, Any] = {**options, "content": content}
    call = write("PUT", document_path(path), body)
    query = _of_persona(settings, body.pop("persona", None))
    return Call(call.method, call.path, body, query, idempotency_key=call.idempotency_key)


def _of_persona(settings: Settings, persona: str | None) -> dict[str, Any]:
    return settings.with_persona({} if persona is None else {"persona": persona})


class Memoryd:
    """A memoryd server, as one account sees it.

    `url` and `key` come from MEMORYD_URL and MEMORYD_API_KEY unless given; `persona` is for every call that
    stores or looks up and is given none; `timeout` is in seconds for each try.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        persona: str | None = None,
        timeout: float = 30.0,
        max_retries: int = 2,
        http: httpx.Client | None = None,
    ) -> None:
        self._settings = Settings.read(url, key, persona, timeout, max_retries)
        self._http = http or httpx.Client()

    @property
    def persona(self) -> str | None:
        """Of every call that stores or looks up and is given none."""
        return self._settings.persona

    def remember(
        self,
        text: str | None = None,
        *,
        idempotency_key: str | None = None,
        **options: Unpack[RememberOptions],
    ) -> models.IngestReply:
        """Stores a text, or the `messages` of a conversation: what they say can be recalled from then on."""
        body = self._settings.with_persona({**({} if text is None else {"text": text}), **options})
        return self.call(write("POST", "/brain/ingest", body, idempotency_key), models.IngestReply)

    def remember_all(
        self, items: Sequence[str | IngestItem], *, batch_size: int = BATCH_SIZE
    ) -> list[models.IngestBatchReply]:
        """Stores many texts, in portions. A text that fails is named; the others are stored."""
        return [
            self.call(call, models.IngestBatchReply) for call in _portions(self._settings, items, batch_size)
        ]

    def recall(self, query: str, **options: Unpack[RecallOptions]) -> models.RetrieveReply:
        """What is known about a question: ranked facts, and `context` for a prompt."""
        body = self._settings.with_persona({"query": query, **options})
        return self.call(Call("POST", "/brain/retrieve", body), models.RetrieveReply)

    def ask(self, query: str, **options: Unpack[AskOptions]) -> models.GraphQaReply:
        """An answer in words. The server needs an LLM for it."""
        body = self._settings.with_persona({"query": query, **options})
        return self.call(Call("POST", "/brain/retrieve/graph-qa", body), models.GraphQaReply)

    def forget(self, **what: Unpack[ForgetOptions]) -> models.ForgetReply:
        """Forgets by entity, session, persona or ids; `dry_run` only shows what would go."""
        return self.call(Call("POST", "/brain/forget", dict(what)), models.ForgetReply)

    def memories(self, **query: Unpack[ListOptions]) -> Iterator[models.Memory]:
        """All stored memories, newest first."""
        scoped = self._settings.with_persona(query)
        cursor: str | None = None
        while True:
            page = self.call(_page("/brain/memories", scoped, cursor), models.ListMemoriesReply)
            yield from page.memories
            cursor = page.next_cursor
            if cursor is None:
                return

    def memory(self, memory_id: str) -> models.Memory:
        return self.call(Call("GET", memory_path(memory_id)), models.Memory)

    def update(
        self, memory_id: str, *, text: str | None = None, pinned: bool | None = None
    ) -> models.PatchMemoryReply:
        """Corrects a memory as the user's word, or pins it against fading."""
        change = {name: value for name, value in (("text", text), ("pinned", pinned)) if value is not None}
        return self.call(write("PATCH", memory_path(memory_id), change), models.PatchMemoryReply)

    def delete(self, memory_id: str) -> models.ForgetReply:
        return self.call(Call("DELETE", memory_path(memory_id)), models.ForgetReply)

    def history(self, memory_id: str) -> models.MemoryHistoryReply:
        return self.call(Call("GET", f"{memory_path(memory_id)}/history"), models.MemoryHistoryReply)

    def put_document(
        self, path: str, content: str, **options: Unpack[DocumentOptions]
    ) -> models.PutDocumentReply:
        """Stores a document, or a new version of it, which takes the place of the one before."""
        return self.call(_put_document(self._settings, path, content, options), models.PutDocumentReply)

    def document(self, path: str, *, persona: str | None = None) -> str:
        """The text as it was stored."""
        query = _of_persona(self._settings, persona)
        return str(self._send(Call("GET", document_path(path), query=query, as_text=True)))

    def delete_document(self, path: str, *, persona: str | None = None) -> models.DeleteDocumentReply:
        query = _of_persona(self._settings, persona)
        return self.call(Call("DELETE", document_path(path), query=query), models.DeleteDocumentReply)

    def documents(
        self, *, prefix: str | None = None, persona: str | None = None, limit: int = 100
    ) -> Iterator[models.Document]:
        """All stored documents by path, without their text; `limit` is for each page."""
        query = {**_of_persona(self._settings, persona), "prefix": prefix, "limit": limit}
        after: str | None = None
        while True:
            call = Call("GET", "/brain/documents", query={**query, "after": after})
            page = self.call(call, models.ListDocumentsReply)
            yield from page.documents
            after = page.next_after
            if after is None:
                return

    def profile(self, **query: Unpack[ProfileOptions]) -> models.ProfileReply:
        """What is known of the user, for the start of a prompt."""
        call = Call("GET", "/brain/profile", query=self._settings.with_persona(query))
        return self.call(call, models.ProfileReply)

    def extract(self, text: str, **options: Unpack[ExtractOptions]) -> models.ExtractReply:
        """What `remember` would make of a text, and what that would replace; nothing is stored."""
        body = self._settings.with_persona({"text": text, **options})
        return self.call(Call("POST", "/brain/extract", body), models.ExtractReply)

    def graph(self, **query: Unpack[GraphOptions]) -> models.GraphReply:
        """Entities and facts around an `entity` or a `query`."""
        call = Call("GET", "/brain/graph", query=self._settings.with_persona(query))
        return self.call(call, models.GraphReply)

    def entities(self, **query: Unpack[EntityOptions]) -> Iterator[models.Entity]:
        """All entities by name."""
        cursor: str | None = None
        while True:
            page = self.call(_page("/brain/entities", query, cursor), models.ListEntitiesReply)
            yield from page.entities
            cursor = page.next_cursor
            if cursor is None:
                return

    def stats(self, *, persona: str | None = None) -> models.StatsReply:
        """How much is stored; of every persona with `persona="*"`."""
        body = {"user_id": "me", "persona": persona}
        return self.call(Call("POST", "/brain/stats", body), models.StatsReply)

    def consolidate(self, **options: Unpack[ConsolidateOptions]) -> models.ConsolidateReply:
        return self.call(Call("POST", "/brain/consolidate", dict(options)), models.ConsolidateReply)

    def prune(self, **options: Unpack[PruneOptions]) -> models.PruneReply:
        """Counts what has faded; removes it with `dry_run=False`."""
        return self.call(Call("POST", "/brain/prune", dict(options)), models.PruneReply)

    def lifecycle(self, *, persona: str | None = None) -> models.LifecycleReply:
        """How memories fade, and what the last runs did."""
        return self.call(Call("GET", "/brain/lifecycle", query={"persona": persona}), models.LifecycleReply)

    def usage(self) -> models.UsageReply:
        """Operations and rate of this month, and who called last."""
        return self.call(Call("GET", "/brain/usage"), models.UsageReply)

    def with_options(self, *, timeout: float | None = None, max_retries: int | None = None) -> Memoryd:
        """The same client with other limits: `client.with_options(timeout=5).recall(…)`."""
        return Memoryd(**self._settings.changed(timeout, max_retries), http=self._http)

    def health(self) -> models.HealthReply:
        return self.call(Call("GET", "/brain/health"), models.HealthReply)

    def call(self, call: Call, reply: type[Reply]) -> Reply:
        """Any route of the server, with the same retries and errors."""
        return reply.model_validate(self._send(call))

    def _send(self, call: Call) -> object:
        attempt = 0
        while True:
            try:
                return self._once(call)
            except MemorydError as error:
                wait = wait_for(error, attempt) if attempt < self._settings.max_retries else None
                if wait is None:
                    raise
                time.sleep(wait)
                attempt += 1

    def _once(self, call: Call) -> object:
        try:
            response = self._http.send(call.request(self._http, self._settings))
        except httpx.HTTPError as error:
            raise failure_of(error, self._settings) from error
        return read_answer(response, call.as_text)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncMemoryd:
    """The same server, for code that awaits."""

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        persona: str | None = None,
        timeout: float = 30.0,
        max_retries: int = 2,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self._settings = Settings.read(url, key, persona, timeout, max_retries)
        self._http = http or httpx.AsyncClient()

    @property
    def persona(self) -> str | None:
        """Of every call that stores or looks up and is given none."""
        return self._settings.persona

    async def remember(
        self,
        text: str | None = None,
        *,
        idempotency_key: str | None = None,
        **options: Unpack[RememberOptions],
    ) -> models.IngestReply:
        """Stores a text, or the `messages` of a conversation: what they say can be recalled from then on."""
        body = self._settings.with_persona({**({} if text is None else {"text": text}), **options})
        return await self.call(write("POST", "/brain/ingest", body, idempotency_key), models.IngestReply)

    async def remember_all(
        self, items: Sequence[str | IngestItem], *, batch_size: int = BATCH_SIZE
    ) -> list[models.IngestBatchReply]:
        """Stores many texts, in portions. A text that fails is named; the others are stored."""
        portions = _portions(self._settings, items, batch_size)
        return [await self.call(call, models.IngestBatchReply) for call in portions]

    async def recall(self, query: str, **options: Unpack[RecallOptions]) -> models.RetrieveReply:
        """What is known about a question: ranked facts, and `context` for a prompt."""
        body = self._settings.with_persona({"query": query, **options})
        return await self.call(Call("POST", "/brain/retrieve", body), models.RetrieveReply)

    async def ask(self, query: str, **options: Unpack[AskOptions]) -> models.GraphQaReply:
        """An answer in words. The server needs an LLM for it."""
        body = self._settings.with_persona({"query": query, **options})
        return await self.call(Call("POST", "/brain/retrieve/graph-qa", body), models.GraphQaReply)

    async def forget(self, **what: Unpack[ForgetOptions]) -> models.ForgetReply:
        """Forgets by entity, session, persona or ids; `dry_run` only shows what would go."""
        return await self.call(Call("POST", "/brain/forget", dict(what)), models.ForgetReply)

    async def memories(self, **query: Unpack[ListOptions]) -> AsyncIterator[models.Memory]:
        """All stored memories, newest first."""
        scoped = self._settings.with_persona(query)
        cursor: str | None = None
        while True:
            page = await self.call(_page("/brain/memories", scoped, cursor), models.ListMemoriesReply)
            for memory in page.memories:
                yield memory
            cursor = page.next_cursor
            if cursor is None:
                return

    async def memory(self, memory_id: str) -> models.Memory:
        return await self.call(Call("GET", memory_path(memory_id)), models.Memory)

    async def update(
        self, memory_id: str, *, text: str | None = None, pinned: bool | None = None
    ) -> models.PatchMemoryReply:
        """Corrects a memory as the user's word, or pins it against fading."""
        change = {name: value for name, value in (("text", text), ("pinned", pinned)) if value is not None}
        return await self.call(write("PATCH", memory_path(memory_id), change), models.PatchMemoryReply)

    async def delete(self, memory_id: str) -> models.ForgetReply:
        return await self.call(Call("DELETE", memory_path(memory_id)), models.ForgetReply)

    async def history(self, memory_id: str) -> models.MemoryHistoryReply:
        return await self.call(Call("GET", f"{memory_path(memory_id)}/history"), models.MemoryHistoryReply)

    async def put_document(
        self, path: str, content: str, **options: Unpack[DocumentOptions]
    ) -> models.PutDocumentReply:
        """Stores a document, or a new version of it, which takes the place of the one before."""
        return await self.call(_put_document(self._settings, path, content, options), models.PutDocumentReply)

    async def document(self, path: str, *, persona: str | None = None) -> str:
        """The text as it was stored."""
        query = _of_persona(self._settings, persona)
        return str(await self._send(Call("GET", document_path(path), query=query, as_text=True)))

    async def delete_document(self, path: str, *, persona: str | None = None) -> models.DeleteDocumentReply:
        query = _of_persona(self._settings, persona)
        return await self.call(Call("DELETE", document_path(path), query=query), models.DeleteDocumentReply)

    async def documents(
        self, *, prefix: str | None = None, persona: str | None = None, limit: int = 100
    ) -> AsyncIterator[models.Document]:
        """All stored documents by path, without their text; `limit` is for each page."""
        query = {**_of_persona(self._settings, persona), "prefix": prefix, "limit": limit}
        after: str | None = None
        while True:
            call = Call("GET", "/brain/documents", query={**query, "after": after})
            page = await self.call(call, models.ListDocumentsReply)
            for document in page.documents:
                yield document
            after = page.next_after
            if after is None:
                return

    async def profile(self, **query: Unpack[ProfileOptions]) -> models.ProfileReply:
        """What is known of the user, for the start of a prompt."""
        call = Call("GET", "/brain/profile", query=self._settings.with_persona(query))
        return await self.call(call, models.ProfileReply)

    async def extract(self, text: str, **options: Unpack[ExtractOptions]) -> models.ExtractReply:
        """What `remember` would make of a text, and what that would replace; nothing is stored."""
        body = self._settings.with_persona({"text": text, **options})
        return await self.call(Call("POST", "/brain/extract", body), models.ExtractReply)

    async def graph(self, **query: Unpack[GraphOptions]) -> models.GraphReply:
        """Entities and facts around an `entity` or a `query`."""
        call = Call("GET", "/brain/graph", query=self._settings.with_persona(query))
        return await self.call(call, models.GraphReply)

    async def entities(self, **query: Unpack[EntityOptions]) -> AsyncIterator[models.Entity]:
        """All entities by name."""
        cursor: str | None = None
        while True:
            page = await self.call(_page("/brain/entities", query, cursor), models.ListEntitiesReply)
            for entity in page.entities:
                yield entity
            cursor = page.next_cursor
            if cursor is None:
                return

    async def stats(self, *, persona: str | None = None) -> models.StatsReply:
        """How much is stored; of every persona with `persona="*"`."""
        body = {"user_id": "me", "persona": persona}
        return await self.call(Call("POST", "/brain/stats", body), models.StatsReply)

    async def consolidate(self, **options: Unpack[ConsolidateOptions]) -> models.ConsolidateReply:
        return await self.call(Call("POST", "/brain/consolidate", dict(options)), models.ConsolidateReply)

    async def prune(self, **options: Unpack[PruneOptions]) -> models.PruneReply:
        """Counts what has faded; removes it with `dry_run=False`."""
        return await self.call(Call("POST", "/brain/prune", dict(options)), models.PruneReply)

    async def lifecycle(self, *, persona: str | None = None) -> models.LifecycleReply:
        """How memories fade, and what the last runs did."""
        return await self.call(
            Call("GET", "/brain/lifecycle", query={"persona": persona}), models.LifecycleReply
        )

    async def usage(self) -> models.UsageReply:
        """Operations and rate of this month, and who called last."""
        return await self.call(Call("GET", "/brain/usage"), models.UsageReply)

    def with_options(self, *, timeout: float | None = None, max_retries: int | None = None) -> AsyncMemoryd:
        """The same client with other limits: `await client.with_options(timeout=5).recall(…)`."""
        return AsyncMemoryd(**self._settings.changed(timeout, max_retries), http=self._http)

    async def health(self) -> models.HealthReply:
        return await self.call(Call("GET", "/brain/health"), models.HealthReply)

    async def call(self, call: Call, reply: type[Reply]) -> Reply:
        """Any route of the server, with the same retries and errors."""
        return reply.model_validate(await self._send(call))

    async def _send(self, call: Call) -> object:
        attempt = 0
        while True:
            try:
                return await self._once(call)
            except MemorydError as error:
                wait = wait_for(error, attempt) if attempt < self._settings.max_retries else None
                if wait is None:
                    raise
                await asyncio.sleep(wait)
                attempt += 1

    async def _once(self, call: Call) -> object:
        try:
            response = await self._http.send(call.request(self._http, self._settings))
        except httpx.HTTPError as error:
            raise failure_of(error, self._settings) from error
        return read_answer(response, call.as_text)

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
