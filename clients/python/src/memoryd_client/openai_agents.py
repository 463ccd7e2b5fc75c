"""Tools for the OpenAI Agents SDK: `Agent(tools=memory_tools(client))`."""

from __future__ import annotations

from agents import FunctionTool, function_tool

from .client import AsyncMemoryd
from .requests import RecallOptions, RememberOptions


def memory_tools(
    client: AsyncMemoryd, *, persona: str | None = None, session_id: str | None = None
) -> list[FunctionTool]:
    """The model decides when to remember and when to recall."""
    storing: RememberOptions = {}
    asking: RecallOptions = {}
    if persona is not None:
        storing["persona"] = asking["persona"] = persona
    if session_id is not None:
        storing["session_id"] = asking["session_id"] = session_id

    @function_tool
    async def remember(text: str) -> str:
        """Stores one statement in long-term memory. Use it when you learn something worth keeping.

        Args:
            text: the statement, complete in itself
        """
        return (await client.remember(text, **storing)).msg

    @function_tool
    async def recall(question: str) -> str:
        """Looks up long-term memory. Use it before you answer anything about the user or earlier talks.

        Args:
            question: what you want to know
        """
        context = (await client.recall(question, **asking)).context
        return context or "Nothing is known about this."

    return [remember, recall]
