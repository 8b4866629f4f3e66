# Generated from _async_client.py by scripts/generate-clients.sh; do not edit.
"""The client for synchronous programs; `AsyncClient` has the same calls for asyncio."""

from __future__ import annotations

from ._transfer import Transfer


class Client(Transfer):
    """A client of a clipmill service for one API key. Threads can share it; close it, or use it in a `with`."""
