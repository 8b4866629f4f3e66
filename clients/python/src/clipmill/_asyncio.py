"""Concurrency of the asyncio client. `_blocking.py` has the same functions for the synchronous client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable
from typing import TypeVar

Value = TypeVar("Value")
Result = TypeVar("Result")

Chunks = Iterable[bytes] | AsyncIterable[bytes]
"""Content that is produced chunk by chunk."""

Reading = AsyncGenerator[bytes, None]
"""Content that is being read."""


async def chunks_of(content: Chunks) -> AsyncIterator[bytes]:
    """The chunks of either kind of content."""
    if isinstance(content, AsyncIterable):
        async for chunk in content:
            yield chunk
    else:
        for chunk in content:
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
