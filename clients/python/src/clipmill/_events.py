"""Live events of a task or a batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from httpx_sse import ServerSentEvent

from ._calls import FINAL

SILENCE_S = 45.0
"""The service sends a line every 15 seconds; after this time the connection is considered dead."""


@dataclass(frozen=True)
class Event:
    """A change of a task or a batch."""

    name: str
    """Of a task: `state`, `progress` or `item`; of a batch: `state` or `progress`."""
    id: str
    """ID of the event, by which the client resumes an interrupted stream."""
    data: Any
    """For `state` the task without items, for `item` the item; for a batch, always the batch."""

    @classmethod
    def of(cls, sent: ServerSentEvent) -> Event:
        """The event of a message.

        Args:
            sent: A message with data.
        """
        return cls(sent.event or "message", sent.id, sent.json())

    @property
    def ends(self) -> bool:
        """Whether the task or batch is in a final state."""
        return self.name == "state" and bool(self.data["status"] >= FINAL)
