# Generated from _async_paging.py by scripts/generate-clients.sh; do not edit.
"""Lists of many entries, fetched page by page while they are iterated."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Iterator
from math import ceil
from typing import Any, Generic, cast

from ._calls import Call
from ._page import Entry, Page


class Listing(Generic[Entry]):
    """All entries of a list. Iterate over it with `for`: pages are fetched when they are needed.

    Entries that are added or deleted meanwhile do not disturb the iteration: it returns no entry twice, and entries can
    be deleted in the loop. A second iteration reads the list again.
    """

    def __init__(
        self, fetch: Callable[[Call], Any], call: Call, page_size: int | None, key: Callable[[Any], Hashable]
    ) -> None:
        self._fetch = fetch
        self._call = call
        self._page_size = page_size
        self._key = key

    def __iter__(self) -> Iterator[Entry]:
        """Iterates over the entries of all pages."""
        seen: set[Hashable] = set()
        page_no, total = 1, 0
        while True:
            page = self.page(page_no)
            size = page["pageSize"]
            if page["total"] < total:
                # Entries were deleted since the previous page, so later ones have moved to earlier pages.
                page_no, total = max(1, page_no - ceil((total - page["total"]) / size)), 0
                continue
            total = page["total"]
            for entry in page["list"]:
                key = self._key(entry)
                if key not in seen:
                    # A new entry moves the others to later pages.
                    seen.add(key)
                    yield entry
            if self._page_size is None or len(page["list"]) < size:
                return
            page_no += 1

    def page(self, page_no: int = 1) -> Page[Entry]:
        """One page.

        Args:
            page_no: Number of the page, from 1.
        """
        if self._page_size is None:
            entries = self._fetch(self._call)
            return {"list": entries, "total": len(entries), "pageNo": 1, "pageSize": len(entries)}
        place = {"pageNo": page_no, "pageSize": self._page_size}
        call = dataclasses.replace(self._call, params=place | self._call.params)
        return cast("Page[Entry]", self._fetch(call))

    def total(self) -> int:
        """Number of entries, by one call; for some filters, counting stops at 10,000."""
        if self._page_size is None:
            return (self.page())["total"]
        call = dataclasses.replace(self._call, params={"pageNo": 1, "pageSize": 1} | self._call.params)
        return int((self._fetch(call))["total"])
