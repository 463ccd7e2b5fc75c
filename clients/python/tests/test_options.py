"""The options of the calls are the fields of the requests, no more and no less."""

from __future__ import annotations

import httpx
import pytest

from conftest import Server
from memoryd_client import requests


@pytest.mark.parametrize(
    ("options", "schema", "given"),
    [
        (requests.RememberOptions, "IngestRequest", {"text"}),
        (requests.IngestItem, "IngestItem", set()),
        (requests.RecallOptions, "RetrieveRequest", {"query"}),
        (requests.AskOptions, "GraphQaRequest", {"query"}),
        (requests.ForgetOptions, "ForgetRequest", set()),
    ],
)
def test_every_field_of_a_request(server: Server, options: type, schema: str, given: set[str]) -> None:
    document = httpx.get(f"{server.url}/openapi.json").json()
    fields = set(document["components"]["schemas"][schema]["properties"])
    assert set(options.__annotations__) | set(getattr(options, "__required_keys__", ())) | given == fields
