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
    WaitAllTimeout,
    WaitTimeout,
)
from .webhooks import BatchCallbackEvent, CallbackEvent, TaskCallbackEvent, verify_callback

__all__ = [
    "ApiError",
    "AsyncClient",
    "BatchCallbackEvent",
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
    "TaskCallbackEvent",
    "TaskFailed",
    "TooManyRequests",
    "UploadIncomplete",
    "WaitAllTimeout",
    "WaitTimeout",
    "__version__",
    "models",
    "verify_callback",
]
