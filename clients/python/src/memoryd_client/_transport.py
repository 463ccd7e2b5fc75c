"""One request with its retries, for both kinds of client."""

from __future__ import annotations

import json
import os
import random
import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any
from urllib.parse import quote

import httpx

from .errors import ApiError, ConnectionFailed, MemorydError, TimedOut, api_error

#: A month's budget comes back later than anybody wants to wait.
LONGEST_WAIT = 60.0


@dataclass(frozen=True)
class Settings:
    url: str
    key: str
    persona: str | None
    timeout: float
    max_retries: int

    @staticmethod
    def read(
        url: str | None, key: str | None, persona: str | None, timeout: float, max_retries: int
    ) -> Settings:
        address = url or os.environ.get("MEMORYD_URL") or "http://127.0.0.1:7420"
        secret = key or os.environ.get("MEMORYD_API_KEY")
        if not secret:
            raise TypeError("memoryd needs a key: pass key= or set MEMORYD_API_KEY")
        return Settings(address.rstrip("/"), secret, persona, timeout, max_retries)

    def changed(self, timeout: float | None, max_retries: int | None) -> dict[str, Any]:
        limits = {"timeout": timeout, "max_retries": max_retries}
        return {**asdict(self), **{name: value for name, value in limits.items() if value is not None}}

    def with_persona(self, body: Mapping[str, Any]) -> dict[str, Any]:
        if self.persona is None or "persona" in body:
            return dict(body)
        return {**body, "persona": self.persona}


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    body: Mapping[str, Any] | None = None
    query: Mapping[str, Any] = field(default_factory=dict)
    idempotency_key: str | None = None
    timeout: float | None = None
    #: The answer is text, not JSON.
    as_text: bool = False

    def request(self, client: httpx.Client | httpx.AsyncClient, settings: Settings) -> httpx.Request:
        headers = {"x-api-key": settings.key, "accept": "application/json"}
        if self.idempotency_key is not None:
            headers["idempotency-key"] = self.idempotency_key
        query = {
            name: json.dumps(value) if isinstance(value, (dict, list)) else value
            for name, value in self.query.items()
            if value is not None
        }
        return client.build_request(
            self.method,
            f"{settings.url}{self.path}",
            params=query,
            json=self.body,
            headers=headers,
            timeout=self.timeout or settings.timeout,
        )


def write(method: str, path: str, body: Mapping[str, Any], idempotency_key: str | None = None) -> Call:
    """A write is done once, however often it is sent."""
    return Call(method, path, body, idempotency_key=idempotency_key or str(uuid.uuid4()))


def memory_path(memory_id: str) -> str:
    return f"/brain/memories/{quote(memory_id, safe='')}"


def document_path(path: str) -> str:
    return f"/brain/documents/{quote(path)}"


def failure_of(error: httpx.HTTPError, settings: Settings) -> ConnectionFailed:
    if isinstance(error, httpx.TimeoutException):
        return TimedOut(f"no answer from {settings.url} in time")
    return ConnectionFailed(f"no answer from {settings.url}: {error}")


def read_answer(response: httpx.Response, as_text: bool) -> Any:
    """The body of an answer; raises what it says of a failure."""
    if response.is_success and as_text:
        return response.text
    try:
        body = response.json()
    except ValueError:
        body = None
    if response.is_success and body is not None:
        return body
    if response.is_success:
        raise ConnectionFailed("the answer broke off, or is not what memoryd sends")
    raise api_error(response.status_code, response.headers, body, response.text)


def wait_for(error: MemorydError, attempt: int) -> float | None:
    """Seconds until the next try; None: there is no use in one.

    Every write carries an idempotency key or is harmless to repeat, so a retry never does a thing twice.
    """
    if isinstance(error, ConnectionFailed):
        return backoff(attempt)
    if not isinstance(error, ApiError):
        return None
    if error.status not in (408, 409, 429) and error.status < 500:
        return None
    wait = retry_after(error.headers)
    wait = backoff(attempt) if wait is None else wait
    return None if wait > LONGEST_WAIT else wait


def retry_after(headers: Mapping[str, str]) -> float | None:
    try:
        return float(headers.get("retry-after", ""))
    except ValueError:
        return None


def backoff(attempt: int) -> float:
    """Half a second, doubled each time up to eight; less up to a quarter, so that clients stay apart."""
    return float(min(8.0, 0.5 * 2**attempt)) * (1 - random.random() / 4)
