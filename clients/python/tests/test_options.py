"""The options of the calls are the fields of the requests, no more and no less."""

from __future__ import annotations

import inspect

import httpx
import pytest

from conftest import Server
from memoryd_client import _transport, client, requests


@pytest.mark.parametrize(
    ("options", "schema", "given"),
    [
        (requests.RememberOptions, "IngestRequest", {"text"}),
        (requests.IngestItem, "IngestItem", set()),
        (requests.RecallOptions, "RetrieveRequest", {"query"}),
        (requests.AskOptions, "GraphQaRequest", {"query"}),
        (requests.ForgetOptions, "ForgetRequest", set()),
        (requests.ExtractOptions, "ExtractRequest", {"text"}),
        (requests.ConsolidateOptions, "ConsolidateRequest", set()),
        (requests.PruneOptions, "PruneRequest", set()),
    ],
)
def test_every_field_of_a_request(server: Server, options: type, schema: str, given: set[str]) -> None:
    document = httpx.get(f"{server.url}/openapi.json").json()
    fields = set(document["components"]["schemas"][schema]["properties"])
    assert set(options.__annotations__) | set(getattr(options, "__required_keys__", ())) | given == fields


@pytest.mark.parametrize(
    ("options", "path", "given"),
    [
        (requests.ListOptions, "/brain/memories", {"cursor"}),
        (requests.EntityOptions, "/brain/entities", {"cursor"}),
        (requests.GraphOptions, "/brain/graph", set()),
        (requests.ProfileOptions, "/brain/profile", set()),
    ],
)
def test_every_parameter_of_a_query(server: Server, options: type, path: str, given: set[str]) -> None:
    document = httpx.get(f"{server.url}/openapi.json").json()
    names = {parameter["name"] for parameter in document["paths"][path]["get"]["parameters"]}
    assert set(options.__annotations__) | given == names


def test_every_field_of_a_document(server: Server) -> None:
    document = httpx.get(f"{server.url}/openapi.json").json()
    fields = set(document["components"]["schemas"]["PutDocumentRequest"]["properties"])
    assert set(requests.DocumentOptions.__annotations__) - {"persona"} | {"content"} == fields


def test_every_operation_of_the_reference_has_a_call(server: Server) -> None:
    document = httpx.get(f"{server.url}/openapi.json").json()
    source = inspect.getsource(client) + inspect.getsource(_transport)
    paths = [path for path in document["paths"] if path.startswith("/brain/")]
    # What the command line and the import use.
    rest = {"/brain/known", "/brain/export"}
    assert {path for path in paths if path.split("/{")[0] not in source} == rest
    calls = {name for name in vars(client.Memoryd) if not name.startswith("_")}
    assert calls == {name for name in vars(client.AsyncMemoryd) if not name.startswith("_")}
