from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypedDict

import pytest
from langgraph.graph import StateGraph
from langgraph.store.base import BaseStore, GetOp, Item, PutOp
from langgraph.store.memory import InMemoryStore

from conftest import Server
from memoryd_client import Memoryd
from memoryd_client.langgraph import MemorydStore


@pytest.fixture
def client(server: Server) -> Iterator[Memoryd]:
    with Memoryd(server.url, server.key) as client:
        yield client


def plain(item: Item | None) -> list[Any] | None:
    """Everything but times and scores, which no two stores share."""
    return None if item is None else [list(item.namespace), item.key, item.value]


def run(store: BaseStore) -> dict[str, Any]:
    odd = "a/b\\c ,, %2F ü "
    store.put(("users", "ann"), "prefs", {"theme": "dark", "size": 12, "tags": ["a", "b"]})
    store.put(("users", "ann"), "note", {"text": "Ann plays chess on Mondays.", "size": 3})
    store.put(("users", "bob"), "prefs", {"theme": "light", "size": 9})
    store.put(("users", "annabel"), "..", {"theme": "dark", "size": 0, "of": {"a": 1, "b": 2}})
    store.put((odd, "x"), odd, {"deep": {"er": {"than": [{"most": {"are": None}}]}}, "size": 1})
    store.put(("users", "bob"), "prefs", {"theme": "light", "size": 10})
    gone, late = (("users", "ann"), "gone"), (("users", "ann"), "late")
    *_, early = store.batch(
        [PutOp(*gone, {"size": 1}), PutOp(*gone, None), PutOp(*late, {"size": 1}), GetOp(*late)]
    )

    def found(prefix: tuple[str, ...], **options: Any) -> list[Any]:
        return sorted((plain(item) for item in store.search(prefix, **options)), key=json.dumps)

    told = {
        "early": early,
        "prefs": plain(store.get(("users", "bob"), "prefs")),
        "odd": plain(store.get((odd, "x"), odd)),
        "missing": plain(store.get(("users", "bob"), "pref")),
        "gone": plain(store.get(*gone)),
        "everything": found(()),
        "ann": found(("users", "ann")),
        "dark": found(("users",), filter={"theme": "dark"}),
        "large": found((), filter={"size": {"$gte": 10, "$lt": 13}}),
        "other": found(("users",), filter={"theme": {"$ne": "dark"}}),
        "nested": found(("users",), filter={"of": {"a": 1}}),
        "page": len(store.search((), limit=2, offset=5)),
        "namespaces": store.list_namespaces(),
        "prefix": store.list_namespaces(prefix=("*", "ann")),
        "suffix": store.list_namespaces(suffix=("x",)),
        "shallow": store.list_namespaces(prefix=("users",), max_depth=1),
        "second": store.list_namespaces(limit=1, offset=1),
    }
    store.delete(("users", "bob"), "prefs")
    store.delete(("users", "bob"), "prefs")
    return {**told, "after": plain(store.get(("users", "bob"), "prefs"))}


def test_answers_as_the_store_of_langgraph_itself_does(client: Memoryd) -> None:
    assert run(MemorydStore(client, folder="same")) == run(InMemoryStore())


def test_refuses_what_langgraph_refuses(client: Memoryd) -> None:
    store = MemorydStore(client, folder="refused")
    with pytest.raises(ValueError, match="periods"):
        store.put(("a.b",), "k", {"a": 1})
    with pytest.raises(NotImplementedError):
        store.put(("a",), "k", {"a": 1}, ttl=5)
    store.put(("a",), "k", {"a": 1})
    with pytest.raises(ValueError, match="operator"):
        store.search(("a",), filter={"a": {"$near": 1}})


def test_finds_what_fits_best_within_its_namespace_of_what_is_indexed(client: Memoryd) -> None:
    store = MemorydStore(client, persona="search")
    memories = ("ann", "memories")
    store.put(memories, "food", {"text": "I never eat anything with peanuts."})
    store.put(memories, "job", {"text": "I repair bicycles for a living."})
    store.put(memories, "pet", {"animal": {"kind": "parrot", "name": "Kiko"}})
    store.put(("bob", "memories"), "food", {"text": "I am allergic to shellfish."})
    store.put(memories, "diary", {"text": "My allergies are a secret."}, index=False)
    store.put(
        memories, "part", {"title": "Ferry", "notes": [{"text": "It leaves at noon."}]}, index=["title"]
    )
    query = "What am I allergic to?"
    found = store.search(("ann",), query=query)
    assert found[0].key == "food"
    assert (found[0].score or 0) > (found[1].score or 0)
    assert {item.namespace[0] for item in found} == {"ann"}
    assert "diary" not in {item.key for item in found}
    assert store.search(("ann",), query="Which pet do I have?")[0].key == "pet"
    assert MemorydStore(client, persona="elsewhere").search((), query=query) == []


def test_a_filter_finds_what_is_far_behind(client: Memoryd) -> None:
    store = MemorydStore(client, folder="many")
    for at in range(30):
        store.put(
            ("notes",), f"n{at}", {"text": f"The train {at} to Porto leaves at {at} o'clock.", "at": at}
        )
    query = "When does the train to Porto leave?"
    assert len({item.key for item in store.search(("notes",), query=query, limit=40)}) == 30
    late = store.search(("notes",), query=query, filter={"at": {"$gte": 27}})
    assert {item.key for item in late} == {"n27", "n28", "n29"}


def test_a_value_of_any_size_comes_back_as_it_was(client: Memoryd) -> None:
    store = MemorydStore(client, folder="long")
    deep = json.loads("[" * 30 + "1" + "]" * 30)
    large = {"text": "A paragraph.\n~~~json\n" * 2_000, "deep": deep}
    store.put(("n",), "k", large)
    before = store.get(("n",), "k")
    store.put(("n",), "k", {"text": "Short."})
    now = store.get(("n",), "k")
    assert before is not None
    assert now is not None
    assert before.value == large
    assert now.value == {"text": "Short."}
    assert now.created_at == before.created_at
    assert now.updated_at >= before.updated_at


class State(TypedDict, total=False):
    said: str
    known: list[str]


async def test_serves_the_nodes_of_a_graph_that_awaits(client: Memoryd) -> None:
    async def remember(state: State, *, store: BaseStore) -> State:
        known = await store.asearch(("ann",), query=state["said"])
        await store.aput(("ann",), state["said"], {"text": state["said"]})
        return {"known": [item.value["text"] for item in known]}

    builder = StateGraph(State)
    builder.add_node("remember", remember)
    builder.set_entry_point("remember")
    graph = builder.compile(store=MemorydStore(client, persona="graph"))
    told = "My bicycle is locked with the code 8341."
    assert (await graph.ainvoke({"said": told}))["known"] == []
    assert (await graph.ainvoke({"said": "What is the code of my bicycle lock?"}))["known"] == [told]
