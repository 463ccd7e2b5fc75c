from __future__ import annotations

import uuid

import httpx
import pytest
import respx

from conftest import Server
from memoryd_client import (
    AsyncMemoryd,
    BadRequest,
    ConnectionFailed,
    Memoryd,
    NotAuthenticated,
    NotFound,
    RateLimited,
    ServerError,
    TimedOut,
    Unprocessable,
)
from memoryd_client.requests import IngestItem

SOON = {"retry-after": "0"}
URL = "http://memoryd.test"


def test_what_is_remembered_is_recalled_in_the_persona_of_the_client(server: Server) -> None:
    with Memoryd(server.url, server.key, persona="work") as client:
        assert client.remember("Our staging database listens on port 5433.").episodic_chunks == 1
        reply = client.recall("Which port has the staging database?")
        assert reply.facts[0].persona == "work"
        assert "5433" in reply.context
        assert client.recall("staging database", persona="home").facts == []


async def test_the_same_for_code_that_awaits(server: Server) -> None:
    async with AsyncMemoryd(server.url, server.key, persona="await") as client:
        await client.remember("The greenhouse opens at 5:40.")
        assert "5:40" in (await client.recall("When does the greenhouse open?")).context
        memories = [memory async for memory in client.memories(persona="await", type="episodic")]
        assert [memory.fact for memory in memories] == ["The greenhouse opens at 5:40."]
        await client.update(memories[0].id, text="The greenhouse opens at 6:10.")
        assert "6:10" in (await client.recall("When does the greenhouse open?")).context.split("\n")[0]


def test_what_the_server_shows_of_a_memory(server: Server) -> None:
    with Memoryd(server.url, server.key, persona="views") as client:
        client.remember("Maria lives in Ghent.")
        client.remember("Ben lives in Bruges.", persona="other")
        assert [memory.fact for memory in client.memories(type="episodic")] == ["Maria lives in Ghent."]
        assert len(list(client.memories(type="episodic", persona=None))) > 1
        assert client.extract("My brother lives in Bruges.").facts
        client.remember("I live in Ghent, too.")
        assert "Ghent" in client.profile(max_tokens=200).text
        assert client.graph(entity="Maria").nodes
        assert "Maria" in [entity.name for entity in client.entities(prefix="Mar", limit=1)]
        assert client.stats(persona="*").episodic_count > 1
        assert client.prune(threshold=0).dry_run
        assert client.consolidate(persona="views")
        assert client.lifecycle().half_life_days > 0
        assert client.usage().ops_used > 0


async def test_the_server_shows_the_same_to_code_that_awaits(server: Server) -> None:
    async with AsyncMemoryd(server.url, server.key, persona="shown") as client:
        await client.remember("Zanele lives in Durban.")
        assert [entity.name async for entity in client.entities(prefix="Zane")] == ["Zanele"]
        assert (await client.graph(query="Where does Zanele live?")).nodes
        assert (await client.usage()).ops_used > 0


def test_other_limits_for_one_call() -> None:
    with respx.mock, Memoryd(URL, "k", max_retries=2) as client:
        route = respx.get(f"{URL}/brain/usage").respond(503, headers=SOON)
        with pytest.raises(ServerError):
            client.with_options(max_retries=0).usage()
        assert route.call_count == 1
        assert client.with_options(timeout=5)._settings.max_retries == 2


def test_many_texts_go_in_portions_and_come_back_page_by_page_each_once(server: Server) -> None:
    with Memoryd(server.url, server.key) as client:
        texts = [f"Locker {at} belongs to team {at * 7}." for at in range(45)]
        items: list[str | IngestItem] = [{"text": text, "persona": "lockers"} for text in texts]
        assert [len(reply.results) for reply in client.remember_all(items)] == [20, 20, 5]
        found = [memory.fact for memory in client.memories(persona="lockers", type="episodic", limit=10)]
        assert sorted(found) == sorted(texts)


def test_a_memory_is_read_corrected_told_by_its_history_and_deleted(server: Server) -> None:
    with Memoryd(server.url, server.key) as client:
        client.remember("The bins go out on Monday.", persona="bins")
        [memory] = client.memories(persona="bins", type="episodic")
        assert client.memory(memory.id).fact == "The bins go out on Monday."
        client.update(memory.id, text="The bins go out on Tuesday.")
        context = client.recall("When do the bins go out?", persona="bins").context
        assert "Tuesday" in context.split("\n")[0]
        assert client.history(memory.id).history
        client.delete(memory.id)
        with pytest.raises(NotFound):
            client.memory(memory.id)


def test_forget_shows_first_then_forgets(server: Server) -> None:
    with Memoryd(server.url, server.key) as client:
        client.remember("Zanele plays the oboe.", persona="band")
        assert client.forget(entity="Zanele", dry_run=True).relations > 0
        assert "Zanele" in client.recall("oboe", persona="band").context
        client.forget(entity="Zanele")
        assert client.recall("oboe", persona="band").context == ""


def test_the_same_key_with_the_same_text_is_one_write_with_another_it_is_refused(server: Server) -> None:
    key = str(uuid.uuid4())
    with Memoryd(server.url, server.key) as client:
        first = client.remember("The gate code is 4711.", idempotency_key=key)
        assert client.remember("The gate code is 4711.", idempotency_key=key) == first
        with pytest.raises(Unprocessable):
            client.remember("something else", idempotency_key=key)


def test_errors_have_a_class_a_code_and_the_fields_that_are_wrong(server: Server) -> None:
    with Memoryd(server.url, server.key) as client, pytest.raises(BadRequest, match=r"\bk\b"):
        client.recall("x", k=0)
    with Memoryd(server.url, "mk_unknown") as stranger, pytest.raises(NotAuthenticated):
        stranger.recall("x")


@respx.mock
def test_a_write_is_sent_again_under_the_same_idempotency_key() -> None:
    reply = {
        "facts_ingested": 1,
        "episodic_chunks": 1,
        "entities_extracted": 0,
        "triples_extracted": 0,
        "working_memory_updated": False,
        "msg": "",
        "latency_ms": 1,
        "deduplicated": False,
    }
    busy = httpx.Response(503, json={"detail": "busy"}, headers=SOON)
    route = respx.post(f"{URL}/brain/ingest")
    route.side_effect = [httpx.ConnectError("reset"), busy, httpx.Response(200, json=reply)]
    assert Memoryd(URL, "k").remember("I live in Lisbon.").facts_ingested == 1
    keys = {call.request.headers["idempotency-key"] for call in route.calls}
    assert route.call_count == 3
    assert len(keys) == 1


@respx.mock
@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_what_cannot_get_better_is_not_sent_again(status: int) -> None:
    route = respx.post(f"{URL}/brain/retrieve").respond(status, json={"detail": "no"})
    with pytest.raises(Exception, match="no"):
        Memoryd(URL, "k").recall("x")
    assert route.call_count == 1


@respx.mock
def test_a_budget_that_is_used_up_is_told_at_once() -> None:
    route = respx.post(f"{URL}/brain/ingest")
    route.respond(429, json={"detail": "used up"}, headers={"retry-after": "86400"})
    with pytest.raises(RateLimited):
        Memoryd(URL, "k").remember("x")
    assert route.call_count == 1


@respx.mock
async def test_after_the_last_try_the_last_failure_is_told() -> None:
    route = respx.post(f"{URL}/brain/retrieve")
    route.respond(503, json={"detail": "busy", "error": "store_unavailable"}, headers=SOON)
    with pytest.raises(ServerError) as failure:
        await AsyncMemoryd(URL, "k", max_retries=1).recall("x")
    assert failure.value.code == "store_unavailable"
    assert route.call_count == 2
    route.side_effect = httpx.ReadTimeout("late")
    with pytest.raises(TimedOut):
        await AsyncMemoryd(URL, "k", max_retries=0).recall("x")
    route.side_effect = httpx.ConnectError("refused")
    with pytest.raises(ConnectionFailed):
        await AsyncMemoryd(URL, "k", max_retries=0).recall("x")


def test_without_a_key_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MEMORYD_API_KEY", raising=False)
    with pytest.raises(TypeError, match="MEMORYD_API_KEY"):
        Memoryd(URL)


async def test_documents_come_back_as_they_were_in_both_kinds_of_client(server: Server) -> None:
    client = Memoryd(server.url, server.key)
    content = '"quoted"\n\n# Ünï\n'
    assert client.put_document("notes/a b.md", content, persona="docs").created
    async with AsyncMemoryd(server.url, server.key, persona="docs") as other:
        assert await other.document("notes/a b.md") == content
        assert [one.path async for one in other.documents(prefix="notes/")] == ["notes/a b.md"]
        await other.put_document("notes/b.md", "x")
        assert [one.path for one in client.documents(persona="docs", limit=1)] == [
            "notes/a b.md",
            "notes/b.md",
        ]
        assert (await other.delete_document("notes/a b.md")).path == "notes/a b.md"
        with pytest.raises(NotFound):
            client.document("notes/a b.md", persona="docs")
