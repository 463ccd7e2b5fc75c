"""A store of LangGraph: `graph.compile(store=MemorydStore(client))`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timezone
from typing import Any
from urllib.parse import quote, unquote

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    get_text_at_path,
    tokenize_path,
    validate_op_namespace,
)

from .client import Memoryd
from .errors import BadRequest, NotFound
from .models import Document

#: As many as a retrieve gives.
MOST_FACTS = 20
#: Of the paths that a search has seen and asks no more for; a filter may have 8,192.
MOST_SEEN_CHARACTERS = 7_000


class MemorydStore(BaseStore):
    """Items as documents by key: what is put is read back exactly, and searched by what it says.

    Stores with different folders do not see each other. A value of more than 16 KiB, 64 keys or 4 levels
    costs a second request to read.
    """

    def __init__(self, client: Memoryd, *, persona: str | None = None, folder: str = "langgraph") -> None:
        self._client = client
        self._persona = persona or client.persona or "shared"
        self._folder = folder

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Reads see what was there before the writes of the batch; of two to one key the last counts."""
        results: list[Result] = []
        writes: dict[str, PutOp] = {}
        for op in ops:
            validate_op_namespace(op)
            result: Result = None
            if isinstance(op, PutOp):
                writes[self._path((*op.namespace, op.key))] = op
            elif isinstance(op, GetOp):
                result = self._item_at(self._path((*op.namespace, op.key)))
            elif isinstance(op, SearchOp):
                result = self._search(op)
            else:
                result = self._namespaces(op)
            results.append(result)
        for path, put in writes.items():
            self._put(path, put)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))

    def _put(self, path: str, op: PutOp) -> None:
        if op.value is None:
            try:
                self._client.delete_document(path, persona=self._persona)
            except NotFound:
                pass
            return
        text = _text_of(op.value, op.index)
        # Searches ask for one of these; without them it is out of every search.
        within = [self._mark(op.namespace[:depth]) for depth in range(len(op.namespace) + 1)]
        marks: dict[str, Any] = {} if op.index is False else {"within": within}
        try:
            self._client.put_document(
                path, text, metadata={**marks, "value": op.value}, persona=self._persona
            )
        except BadRequest:
            # Metadata is bounded, content hardly.
            content = f"{text}\n\n~~~json\n{json.dumps(op.value)}\n~~~\n"
            self._client.put_document(path, content, metadata=marks, persona=self._persona)

    def _search(self, op: SearchOp) -> list[SearchItem]:
        found = self._ranked(op) if op.query else self._listed(op)
        kept: list[SearchItem] = []
        wanted = op.offset + op.limit
        while len(kept) < wanted and (one := next(found, None)) is not None:
            if _matches(one.value, op.filter or {}):
                kept.append(one)
        return kept[op.offset : wanted]

    def _listed(self, op: SearchOp) -> Iterator[SearchItem]:
        for document in self._documents(op.namespace_prefix):
            if (item := self._item_of(document)) is not None:
                yield _scored(item, None)

    def _ranked(self, op: SearchOp) -> Iterator[SearchItem]:
        """The best, then the best of the rest, and so on."""
        seen: list[str] = []
        while len(json.dumps(seen)) < MOST_SEEN_CHARACTERS:
            rest = {"not": {"document": {"in": list(seen)}}} if seen else {}
            reply = self._client.recall(
                op.query or "",
                k=MOST_FACTS,
                min_score=0,
                persona=self._persona,
                include_semantic=False,
                include_working=False,
                filter={"within": self._mark(op.namespace_prefix), **rest},
            )
            scores: dict[str, float] = {}
            for fact in sorted(reply.facts, key=lambda fact: fact.rank):
                scores.setdefault(str((fact.metadata or {}).get("document")), fact.score)
            if not scores:
                return
            seen.extend(scores)
            for path, score in scores.items():
                if (item := self._item_at(path)) is not None:
                    yield _scored(item, score)

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        conditions = op.match_conditions or ()
        names = {self._names(document.path)[:-1] for document in self._documents(())}
        fitting = {one[: op.max_depth] for one in names if all(_fits(one, each) for each in conditions)}
        return sorted(fitting)[op.offset : op.offset + op.limit]

    def _documents(self, namespace: Sequence[str]) -> Iterator[Document]:
        return self._client.documents(prefix=f"{self._path(namespace)}/", persona=self._persona)

    def _item_at(self, path: str) -> Item | None:
        document = next(self._client.documents(prefix=path, persona=self._persona, limit=1), None)
        return self._item_of(document) if document is not None and document.path == path else None

    def _item_of(self, document: Document) -> Item | None:
        value = (document.metadata or {}).get("value")
        if value is None:
            try:
                content = self._client.document(document.path, persona=self._persona)
            except NotFound:
                return None
            value = json.loads(content.split("\n")[-3])
        *namespace, key = self._names(document.path)
        created, updated = (
            datetime.fromtimestamp(seconds, timezone.utc)
            for seconds in (document.created_at, document.updated_at)
        )
        return Item(value=value, key=key, namespace=tuple(namespace), created_at=created, updated_at=updated)

    def _path(self, names: Sequence[str]) -> str:
        """Any name can be a part of a path in this form."""
        return "/".join((self._folder, *(quote(name, safe="!~*'()").replace(".", "%2E") for name in names)))

    def _names(self, path: str) -> tuple[str, ...]:
        return tuple(unquote(name) for name in path[len(self._folder) + 1 :].split("/"))

    def _mark(self, namespace: Sequence[str]) -> str:
        """A search with a persona finds what is shared, too, which is another store."""
        return f"{self._persona}/{self._path(namespace)}"


def _scored(item: Item, score: float | None) -> SearchItem:
    return SearchItem(item.namespace, item.key, item.value, item.created_at, item.updated_at, score)


def _text_of(value: Mapping[str, Any], index: bool | list[str] | None) -> str:
    """What a value says: its texts as they are, what is no text by its name."""
    if not isinstance(index, list):
        return "\n\n".join([] if index is False else _lines_of(value, ""))
    return "\n\n".join(text for path in index for text in get_text_at_path(value, tokenize_path(path)))


def _lines_of(value: Any, name: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        for field, inner in value.items():
            yield from _lines_of(inner, field)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _lines_of(inner, name)
    elif value is not None:
        text = str(value)
        yield text if name == "" or len(text.split()) > 1 else f"{name}: {text}"


_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda held, asked: bool(held == asked),
    "$ne": lambda held, asked: bool(held != asked),
    "$gt": lambda held, asked: held is not None and float(held) > float(asked),
    "$gte": lambda held, asked: held is not None and float(held) >= float(asked),
    "$lt": lambda held, asked: held is not None and float(held) < float(asked),
    "$lte": lambda held, asked: held is not None and float(held) <= float(asked),
}


def _matches(held: Any, asked: Any) -> bool:
    """Filters of LangGraph: the fields of a value and what they must be."""
    if not isinstance(asked, Mapping):
        return bool(held == asked)
    if any(name.startswith("$") for name in asked):
        unknown = set(asked) - set(_COMPARISONS)
        if unknown:
            raise ValueError(f"Unsupported operator: {', '.join(sorted(unknown))}")
        return all(_COMPARISONS[name](held, operand) for name, operand in asked.items())
    return isinstance(held, Mapping) and all(_matches(held.get(name), one) for name, one in asked.items())


def _fits(namespace: tuple[str, ...], condition: MatchCondition) -> bool:
    path = tuple(condition.path)
    if len(path) > len(namespace):
        return False
    start = 0 if condition.match_type == "prefix" else len(namespace) - len(path)
    return all(name in ("*", own) for name, own in zip(path, namespace[start:], strict=False))
