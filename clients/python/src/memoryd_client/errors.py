"""Every failure of the client is a MemorydError."""

from __future__ import annotations

from collections.abc import Mapping

from .models import FieldProblem, Problem


class MemorydError(Exception):
    """Every failure of this client."""


class ConnectionFailed(MemorydError):
    """No answer came: refused, cut off or never there."""


class TimedOut(ConnectionFailed):
    """No answer came in time."""


class ApiError(MemorydError):
    """The server answered that it did not do it."""

    def __init__(self, status: int, headers: Mapping[str, str], problem: Problem) -> None:
        super().__init__(f"{problem.detail} (HTTP {status})")
        self.status = status
        self.headers = headers
        self.problem = problem

    @property
    def code(self) -> str | None:
        """The code for programs, such as `rate_limited`."""
        return self.problem.error

    @property
    def fields(self) -> list[FieldProblem]:
        """The fields that are wrong."""
        return self.problem.errors or []

    @property
    def request_id(self) -> str | None:
        return self.headers.get("x-request-id")


class BadRequest(ApiError):
    """400: the request is wrong; `fields` names what."""


class NotAuthenticated(ApiError):
    """401: no key, or one that is not known."""


class NotAllowed(ApiError):
    """403: the plan or the origin does not allow it."""


class NotFound(ApiError):
    """404"""


class Conflict(ApiError):
    """409: the same request is still being worked on."""


class Unprocessable(ApiError):
    """422: the idempotency key was used for another request."""


class RateLimited(ApiError):
    """429: too many requests, or the month's operations are used up."""


class ServerError(ApiError):
    """5xx"""


_CLASSES: dict[int, type[ApiError]] = {
    400: BadRequest,
    401: NotAuthenticated,
    403: NotAllowed,
    404: NotFound,
    409: Conflict,
    422: Unprocessable,
    429: RateLimited,
}


def api_error(status: int, headers: Mapping[str, str], body: object, text: str) -> ApiError:
    kind = _CLASSES.get(status, ServerError if status >= 500 else ApiError)
    return kind(status, headers, _problem(body, text))


def _problem(body: object, text: str) -> Problem:
    """Something between client and server may answer in its own words."""
    if isinstance(body, dict) and isinstance(body.get("detail"), str):
        return Problem.model_validate(body)
    return Problem(detail=text[:200] or "no details were given")
