"""Concurrency of the synchronous client. `_asyncio.py` has the same functions for the asyncio client."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Value = TypeVar("Value")
Result = TypeVar("Result")

Chunks = Iterable[bytes]
"""Content that is produced chunk by chunk."""

Reading = Generator[bytes, None, None]
"""Content that is being read."""


def chunks_of(content: Chunks) -> Iterator[bytes]:
    """The chunks of content."""
    yield from content


def map_concurrently(function: Callable[[Value], Result], values: Iterable[Value], concurrency: int) -> list[Result]:
    """The results of a function for each value, in order; at most `concurrency` calls run at a time."""
    with ThreadPoolExecutor(concurrency, thread_name_prefix="clipmill") as pool:
        return list(pool.map(function, values))
