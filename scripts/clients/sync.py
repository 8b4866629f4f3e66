"""Derives the synchronous Python client from the asyncio client: PACKAGE OUT.

Writes `_NAME.py` for each `_async_NAME.py` into the folder OUT. Code that this script cannot derive belongs in
`_asyncio.py` and its hand-written counterpart `_blocking.py`.
"""

import io
import pathlib
import re
import sys
import tokenize

# The only functions of the module asyncio in these files are `sleep`, and `to_thread`, which is removed.
NAMES = {
    "asyncio": "time",
    "__aenter__": "__enter__",
    "__aexit__": "__exit__",
    "__aiter__": "__iter__",
    "_asyncio": "_blocking",
    "aclose": "close",
    "aclosing": "closing",
    "aiter_bytes": "iter_bytes",
    "aiter_sse": "iter_sse",
    "aread": "read",
}

# Classes of this package and of others: `AsyncClient` becomes `Client`, `AsyncRetrying` becomes `Retrying`.
CLASS = re.compile(r"Async([A-Z]\w+)$")
MODULE = re.compile(r"_async(_[a-z]+)$")


def renamed(name):
    """The name in synchronous code."""
    if name in NAMES:
        return NAMES[name]
    return MODULE.sub(r"\1", CLASS.sub(r"\1", name))


DOCSTRINGS = {
    "Iterate over it with `async for`:": "Iterate over it with `for`:",
    "The client for asyncio; `Client` has the same calls for synchronous programs.": (
        "The client for synchronous programs; `AsyncClient` has the same calls for asyncio."
    ),
    "for one API key, for asyncio; close it, or use it in an `async with`.": (
        "for one API key. Threads can share it; close it, or use it in a `with`."
    ),
}


def tokens(text):
    """Kind, text, start and end of each token; positions are offsets in the text."""
    lines = [0]
    for line in io.StringIO(text):
        lines.append(lines[-1] + len(line))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        start, end = (lines[row - 1] + column for row, column in (token.start, token.end))
        yield token.type, token.string, start, end


def edits(text):
    """The changes to a source: start, end and replacement."""
    sequence = list(tokens(text))
    strings = [string for _, string, _, _ in sequence]
    for index, (kind, string, start, end) in enumerate(sequence):
        if string in ("async", "await"):
            yield start, sequence[index + 1][2], ""
        elif strings[index : index + 4] == ["asyncio", ".", "to_thread", "("]:
            # `asyncio.to_thread(file.read, size)` becomes `file.read(size)`.
            last = next(place for place in range(index + 4, len(sequence)) if strings[place] in (",", ")"))
            yield start, sequence[index + 4][2], ""
            yield sequence[last][2], sequence[last + (strings[last] == ",")][2], "("
        elif kind == tokenize.NAME and renamed(string) != string:
            yield start, end, renamed(string)
        elif kind == tokenize.STRING:
            for old, new in DOCSTRINGS.items():
                if old in string:
                    yield start, end, string.replace(old, new)


def synchronous(text):
    """The synchronous form of a source, apart from the order of its imports and its line breaks."""
    parts, position = [], 0
    for start, end, replacement in edits(text):
        parts += [text[position:start], replacement]
        position = end
    return "".join([*parts, text[position:]])


def main(package, out):
    for path in sorted(pathlib.Path(package).glob("_async_*.py")):
        source, target = path.name, path.name.replace("_async", "")
        text = synchronous(path.read_text(encoding="utf-8"))
        missing = {string for kind, string, _, _ in tokens(text) if kind == tokenize.NAME and "async" in string.lower()}
        if missing:
            sys.exit(f"clipmill: scripts/clients/sync.py has no rule for {', '.join(sorted(missing))} in {source}")
        header = f"# Generated from {source} by scripts/generate-clients.sh; do not edit.\n"
        (pathlib.Path(out) / target).write_text(header + text, encoding="utf-8")


main(*sys.argv[1:])
