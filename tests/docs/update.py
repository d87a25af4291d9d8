"""Write the generated parts of the documentation: reference pages, and the output of the commands in examples.

`make docs` runs it; read the difference before it is committed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.docs.pages import ANYTHING, IN_THIS_PROJECT, ROOT, Command, Runner, agrees, pages, steps
from tests.docs.reference import REFERENCE
from tests.docs.tables import with_tables


def update(page: Path) -> bool:
    """Update the output of the commands on a page; return whether it changed."""
    written = page.read_text(encoding="utf-8")
    text = with_tables(written)
    lines = text.splitlines()
    grown = 0
    with TemporaryDirectory() as folder:
        runner = Runner(Path(folder), in_this_project=IN_THIS_PROJECT in text)
        for step in steps(text):
            printed = runner.take(step)
            if isinstance(step, Command) and not agrees(printed, step.printed):
                if ANYTHING in step.printed.splitlines():
                    print(
                        f"{page.relative_to(ROOT)}:{step.line}: update this output by hand; the command prints\n{printed}"
                    )
                    continue
                start = step.line + step.words.count("\n") + grown
                shown = step.printed.count("\n") + 1 if step.printed else 0
                new = printed.splitlines()
                lines[start : start + shown] = new
                grown += len(new) - shown
    changed = "\n".join(lines) + "\n"
    if changed != written:
        page.write_text(changed, encoding="utf-8")
    return changed != written


def main(names: list[str]) -> None:
    """Update the pages named, or all of them."""
    for path, make in REFERENCE.items():
        (ROOT / path).write_text(make(), encoding="utf-8")
    for page in [Path(name).resolve() for name in names] or pages():
        if update(page):
            print(f"changed  {page.relative_to(ROOT)}")


if __name__ == "__main__":
    main(sys.argv[1:])
