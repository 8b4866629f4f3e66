#!/usr/bin/env python3
"""Fails if a document of a package links to a file that the package does not contain. FOLDER"""

import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
pages = sorted(root.rglob("*.md"))
broken = []
for page in pages:
    for target in re.findall(r"\]\(([^)\s#]+)", page.read_text()):
        if ":" not in target and not (page.parent / target).exists():
            broken.append(f"{page.relative_to(root)}: {target}")
print("\n".join(broken), file=sys.stderr) if broken else print(f"{len(pages)} documents link to nothing that is missing")
sys.exit(1 if broken or not pages else 0)
