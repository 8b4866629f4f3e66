"""Client of the clipmill video-processing service."""

from . import models
from ._async_client import AsyncClient
from ._client import Client
from ._events import Event
from ._retry import Retry
from ._version import __version__
from .errors import (
    ApiError,
    CallbackRefused,
    ClipmillError,
    Conflict,
    ConnectionFailed,
    DownloadFailed,
    InvalidRequest,
    NotAllowed,
    NotAuthenticated,
    NotEnoughPoints,
    NotFound,
    ServiceUnavailable,
    TaskFailed,
    TooManyRequests,
    UploadIncomplete,
    WaitTimeout,
)
from .webhooks import CallbackEvent, verify_callback

__all__ = [
    "ApiError",
    "AsyncClient",
    "CallbackEvent",
    "CallbackRefused",
    "Client",
    "ClipmillError",
    "Conflict",
    "ConnectionFailed",
    "DownloadFailed",
    "Event",
    "InvalidRequest",
    "NotAllowed",
    "NotAuthenticated",
    "NotEnoughPoints",
    "NotFound",
    "Retry",
    "ServiceUnavailable",
    "TaskFailed",
    "TooManyRequests",
    "UploadIncomplete",
    "WaitTimeout",
    "__version__",
    "models",
    "verify_callback",
]
