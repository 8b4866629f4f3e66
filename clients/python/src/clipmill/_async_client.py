"""The client for asyncio; `Client` has the same calls for synchronous programs."""

from __future__ import annotations

from ._async_transfer import AsyncTransfer


class AsyncClient(AsyncTransfer):
    """A client of a clipmill service for one API key, for asyncio; close it, or use it in an `async with`."""
