#!/usr/bin/env python3
"""Prints the word error rate of a transcript that clipmill keeps: word-errors.py TEXT NOTE…"""

import json
import re
import sys
from pathlib import Path


def words(text: str) -> list[str]:
    return re.findall(r"[\w']+", text.lower())


def distance(one: list[str], other: list[str]) -> int:
    """The Levenshtein distance in words."""
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        last, row[0] = row[0], i
        for j, right in enumerate(other, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (left != right))
    return row[-1]


def main() -> None:
    reference, *notes = sys.argv[1:]
    transcripts = [json.loads(Path(note).read_text(encoding="utf-8"))["text"] for note in notes]
    # There is also a note for each part of the file.
    transcript = max(transcripts, key=len)
    print(f"transcript: {transcript}")
    errors, count = distance(words(reference), words(transcript)), len(words(reference))
    print(f"word error rate: {errors / max(count, 1):.1%} ({errors} of {count} words)")


if __name__ == "__main__":
    main()
