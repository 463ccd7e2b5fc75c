"""Client of memoryd, the memory server for software agents."""

from . import models
from ._transport import Call
from .client import AsyncMemoryd, Memoryd
from .errors import (
    ApiError,
    BadRequest,
    Conflict,
    ConnectionFailed,
    MemorydError,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    RateLimited,
    ServerError,
    TimedOut,
    Unprocessable,
)

__all__ = [
    "ApiError",
    "AsyncMemoryd",
    "BadRequest",
    "Call",
    "Conflict",
    "ConnectionFailed",
    "Memoryd",
    "MemorydError",
    "NotAllowed",
    "NotAuthenticated",
    "NotFound",
    "RateLimited",
    "ServerError",
    "TimedOut",
    "Unprocessable",
    "models",
]
