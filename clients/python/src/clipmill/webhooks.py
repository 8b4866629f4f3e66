"""Callbacks: verification (Standard Webhooks) and parsing of messages."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Iterable, Mapping
from typing import NotRequired, TypedDict

from .errors import CallbackRefused
from .models import Batch, BatchEventType, EventType, Task


class TaskCallbackEvent(TypedDict):
    """A task has ended."""

    type: EventType
    timestamp: str
    """When the task ended."""
    data: Task
    test: NotRequired[bool]
    """Only in a message that `test_callback` requested."""


class BatchCallbackEvent(TypedDict):
    """A batch has ended."""

    type: BatchEventType
    timestamp: str
    """When the batch ended."""
    data: Batch
    test: NotRequired[bool]


CallbackEvent = TaskCallbackEvent | BatchCallbackEvent
"""A callback; `type` determines `data`: a task, or for `batch.…` a batch.

Store the header `webhook-id`, because the same message can come twice.
"""


def verify_callback(
    body: bytes, headers: Mapping[str, str], secret: str | Iterable[str], *, tolerance_s: float = 300
) -> CallbackEvent:
    """The event of a genuine and recent message; raises CallbackRefused otherwise.

    `body` must be the raw bytes as received. `secret` is `whsec_…`, or several while one is replaced.
    """
    lower_case = {name.lower(): value for name, value in headers.items()}
    try:
        message_id, timestamp = lower_case["webhook-id"], lower_case["webhook-timestamp"]
        signatures = lower_case["webhook-signature"].encode().split()
        sent_at = int(timestamp)
    except KeyError as missing:
        raise CallbackRefused(f"the header {missing} is missing") from None
    except ValueError:
        raise CallbackRefused("webhook-timestamp is not a number") from None
    if abs(time.time() - sent_at) > tolerance_s:
        raise CallbackRefused("too old, or a clock is wrong")
    signed = f"{message_id}.{timestamp}.".encode() + body
    secrets = [secret] if isinstance(secret, str) else list(secret)
    expected = [b"v1," + base64.b64encode(hmac.digest(_key(one), signed, hashlib.sha256)) for one in secrets]
    # Every pair is compared, so that the duration reveals nothing.
    if not any([hmac.compare_digest(right, signature) for right in expected for signature in signatures]):
        raise CallbackRefused("not signed with this secret")
    try:
        event: CallbackEvent = json.loads(body)
    except ValueError:
        raise CallbackRefused("the body is not JSON") from None
    return event


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        # With an empty key anybody could sign.
        raise ValueError("the webhook secret must have the form whsec_ and base64, as issued by the service")
    return key
