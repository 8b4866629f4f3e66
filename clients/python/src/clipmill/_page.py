"""A page of a list."""

from __future__ import annotations

from typing import Generic, TypedDict, TypeVar

Entry = TypeVar("Entry")

LARGEST_PAGE = 100
"""The largest page of a list, except for `diversity`."""


class Page(TypedDict, Generic[Entry]):
    """One page of a list."""

    list: list[Entry]
    total: int
    """Number of entries of all pages; for some filters, counting stops at 10,000."""
    pageNo: int
    pageSize: int
