from __future__ import annotations

from agents import Agent, RunConfig, Runner
from agents.testing import ScriptedModel, assistant_message, function_call

from conftest import Server
from memoryd_client import AsyncMemoryd
from memoryd_client.openai_agents import memory_tools


async def test_the_tools_store_and_look_up(server: Server) -> None:
    model = ScriptedModel(
        [
            [function_call("remember", {"text": "The bakery opens at 6:15."}, call_id="1")],
            [function_call("recall", {"question": "When does the bakery open?"}, call_id="2")],
            [assistant_message("At 6:15.")],
        ]
    )
    async with AsyncMemoryd(server.url, server.key) as client:
        agent = Agent(name="tester", model=model, tools=list(memory_tools(client, persona="agents")))
        result = await Runner.run(agent, "When?", run_config=RunConfig(tracing_disabled=True))
    assert result.final_output == "At 6:15."
    assert model.last_call is not None
    assert "bakery opens at 6:15" in str(model.last_call)
