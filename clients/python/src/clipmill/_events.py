"""Server-sent events of a task, read line by line."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

SILENCE_S = 45.0
"""The service sends a line every 15 seconds; after this time the connection is considered dead."""


@dataclass(frozen=True)
class Event:
    """`name` is `state` (data: the task without items), `progress` or `item`."""

    name: str
    id: str
    data: Any

    @property
    def ends(self) -> bool:
        """Whether the task is in a final state."""
        return self.name == "state" and self.data["status"] >= 3


@dataclass
class Reader:
    """Collects lines; returns an event at each empty line that ends one."""

    last_id: str = ""
    _name: str = ""
    _id: str = ""
    _data: list[str] = field(default_factory=list)

    def line(self, line: str) -> Event | None:
        if line:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "event":
                self._name = value
            elif name == "id":
                self._id = value
            elif name == "data":
                self._data.append(value)
            return None
        data, name, self._data, self._name = self._data, self._name, [], ""
        if not data:
            return None
        self.last_id = self._id
        return Event(name or "message", self._id, json.loads("\n".join(data)))

    def broken(self) -> None:
        """Discards an incomplete event after a lost connection."""
        self._data, self._name = [], ""
