"""Callbacks: verification by the reference library of Standard Webhooks, and the types of messages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import NotRequired, TypedDict

from standardwebhooks import Webhook, WebhookVerificationError

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


def verify_callback(body: bytes, headers: Mapping[str, str], secret: str | Iterable[str]) -> CallbackEvent:
    """The event of a genuine message that is at most five minutes old; raises CallbackRefused otherwise.

    Args:
        body: The raw bytes as received.
        headers: The headers of the request, in any case.
        secret: `whsec_…`, or several secrets while one is replaced.
    """
    refusal: Exception | None = None
    for webhook in [_webhook(one) for one in ([secret] if isinstance(secret, str) else secret)]:
        try:
            webhook.verify(body, dict(headers), json_parse=False)
            break
        except (WebhookVerificationError, ValueError) as error:
            # The library raises ValueError for a signature or a body that it cannot decode.
            refusal = error
    else:
        raise CallbackRefused(str(refusal or "no secret was given")) from refusal
    try:
        event: CallbackEvent = json.loads(body)
    except ValueError:
        raise CallbackRefused("the body is not JSON") from None
    return event


def _webhook(secret: str) -> Webhook:
    try:
        return Webhook(secret)
    except Exception as error:
        # For an empty secret, which would let anybody sign, the library raises an error without a public name.
        raise ValueError("the webhook secret must have the form whsec_ and base64, as issued by the service") from error
