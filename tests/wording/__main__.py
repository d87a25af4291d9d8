"""Print the phrases found: `python -m tests.wording [FILE OR FOLDER …]`; `--write` stores lower counts in `counts.yaml`."""

from __future__ import annotations

import sys
from pathlib import Path

import yaml

from tests.wording.search import AREAS, COUNTS, counts, files, kept_counts, pages, search


def main(arguments: list[str]) -> int:
    """Return 1 if a count is exceeded."""
    found = counts()
    if "--write" in arguments:
        lower = {name: min(count, kept_counts().get(name, 0)) for name, count in found.items()}
        text = yaml.safe_dump({name: count for name, count in lower.items() if count})
        COUNTS.write_text(
            f"# How many phrases are left; may only fall. `python -m tests.wording --write` lowers them.\n{text}"
        )
    named = [Path(name).resolve() for name in arguments if not name.startswith("-")]
    known = [*pages(), *(path for area in AREAS for path in files(area))]
    paths = [path for path in known if any(path.is_relative_to(name) for name in named)]
    for path in paths if named else known:
        for each in search(path):
            print(each)
    return int(any(count > kept_counts().get(name, 0) for name, count in found.items()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
