"""Concurrency of the asyncio client. `_blocking.py` has the same functions for the synchronous client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from pathlib import Path
from typing import TypeVar

CHUNK = 1 << 20

Value = TypeVar("Value")
Result = TypeVar("Result")


async def content_of(path: Path) -> AsyncIterator[bytes]:
    """The content of a file, as the body of a request."""
    with path.open("rb") as file:
        while chunk := await asyncio.to_thread(file.read, CHUNK):
            yield chunk


async def map_concurrently(
    function: Callable[[Value], Awaitable[Result]], values: Iterable[Value], concurrency: int
) -> list[Result]:
    """The results of a function for each value, in order; at most `concurrency` calls run at a time."""
    permits = asyncio.Semaphore(concurrency)

    async def one(value: Value) -> Result:
        async with permits:
            return await function(value)

    return await asyncio.gather(*(one(value) for value in values))
