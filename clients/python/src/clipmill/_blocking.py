"""Concurrency of the synchronous client. `_asyncio.py` has the same functions for the asyncio client."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import BinaryIO, TypeVar

Value = TypeVar("Value")
Result = TypeVar("Result")


def content_of(path: Path) -> BinaryIO:
    """The content of a file, as the body of a request."""
    return path.open("rb")


def map_concurrently(function: Callable[[Value], Result], values: Iterable[Value], concurrency: int) -> list[Result]:
    """The results of a function for each value, in order; at most `concurrency` calls run at a time."""
    with ThreadPoolExecutor(concurrency, thread_name_prefix="clipmill") as pool:
        return list(pool.map(function, values))
