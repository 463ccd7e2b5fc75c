"""mem0's own Python client against memoryd: what an application does with it. Ends with 1 at the first broken promise."""

import asyncio
import os

from mem0 import AsyncMemoryClient, MemoryClient
from mem0.client.types import AddMemoryOptions
from mem0.exceptions import MemoryNotFoundError

HOST = os.environ["MEM0_HOST"]
KEY = os.environ["MEM0_API_KEY"]


def texts(reply):
    return [memory["memory"] for memory in reply["results"]]


def fails(call):
    try:
        call()
    except Exception as error:
        return error
    raise AssertionError("it was taken")


def run():
    client = MemoryClient(api_key=KEY, host=HOST)
    alice = {"user_id": "alice"}

    added = client.add(
        [
            {"role": "user", "content": "I live in Lisbon and I am allergic to peanuts."},
            {"role": "assistant", "content": "I will keep peanuts out of your recipes."},
        ],
        user_id="alice",
        agent_id="cook",
        run_id="monday",
        metadata={"topic": "food"},
    )
    assert [result["event"] for result in added["results"]] == ["ADD", "ADD"], added
    memory_id = added["results"][0]["id"]
    client.add("My sister Maria plays the violin.", options=AddMemoryOptions(filters=alice))
    client.add("I keep a parrot called Kiko.", user_id="bob", infer=False)
    past = client.add("I bought a kayak.", user_id="carl", timestamp=1_700_000_000)
    assert client.get(past["results"][0]["id"])["created_at"] == "2023-11-14T22:13:20.000Z"
    client.delete_all(user_id="carl")

    found = client.search("What must I not eat?", filters=alice, top_k=3)
    assert found["results"][0]["id"] == memory_id, found
    assert not any("Kiko" in text for text in texts(found)), found

    assert len(client.get_all(filters=alice)["results"]) == 3
    page = client.get_all(filters=alice, page=2, page_size=2)
    assert (page["count"], len(page["results"]), page["next"]) == (3, 1, None), page
    assert texts(client.get_all(filters={"AND": [alice, {"metadata": {"topic": "food"}}]})) != []

    got = client.get(memory_id)
    assert got["memory"] == "I live in Lisbon and I am allergic to peanuts.", got
    assert (got["agent_id"], got["run_id"], got["metadata"]) == ("cook", "monday", {"topic": "food"}), got

    client.update(memory_id, text="I live in Porto and I am allergic to peanuts.")
    assert client.get(memory_id)["memory"] == "I live in Porto and I am allergic to peanuts."
    assert not any("Lisbon" in text for text in texts(client.get_all(filters=alice)))
    assert [entry["event"] for entry in client.history(memory_id)] == ["ADD", "UPDATE"]

    client.delete(memory_id)
    assert isinstance(fails(lambda: client.get(memory_id)), MemoryNotFoundError)
    assert "equality" in str(fails(lambda: client.search("x", filters={"OR": [alice]})))
    assert "does not have this call of mem0" in str(fails(lambda: client.batch_delete([{"memory_id": memory_id}])))

    users = [entity["name"] for entity in client.users()["results"] if entity["type"] == "user"]
    assert sorted(users) == ["alice", "bob"], users
    client.delete_all(user_id="alice")
    assert client.get_all(filters=alice)["count"] == 0
    client.delete_users(user_id="bob")
    assert client.get_all()["count"] == 0

    assert "key" in str(fails(lambda: MemoryClient(api_key=KEY + "x", host=HOST)))


async def run_async():
    client = AsyncMemoryClient(api_key=KEY, host=HOST)
    await client.add("I keep a parrot called Kiko.", user_id="carl")
    found = await client.search("Which bird do I keep?", filters={"user_id": "carl"})
    assert texts(found) == ["I keep a parrot called Kiko."], found
    await client.delete_all(user_id="carl")
    assert (await client.get_all(filters={"user_id": "carl"}))["count"] == 0


run()
asyncio.run(run_async())
print("Python client: done")
