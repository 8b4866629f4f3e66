"""Client of the clipmill video-processing service."""

from . import models
from ._async_client import AsyncClient
from ._async_paging import AsyncListing
from ._calls import Call
from ._client import Client
from ._content import Content, Preview, Speech
from ._events import Event
from ._page import Page
from ._paging import Listing
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
    NotConfigured,
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
    "AsyncListing",
    "BatchCallbackEvent",
    "Call",
    "CallbackEvent",
    "CallbackRefused",
    "Client",
    "ClipmillError",
    "Conflict",
    "ConnectionFailed",
    "Content",
    "DownloadFailed",
    "Event",
    "InvalidRequest",
    "Listing",
    "NotAllowed",
    "NotAuthenticated",
    "NotConfigured",
    "NotEnoughPoints",
    "NotFound",
    "Page",
    "Preview",
    "Retry",
    "ServiceUnavailable",
    "Speech",
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
