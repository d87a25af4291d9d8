"""Build the documentation site in `build/site`: `python -m tests.docs.site`.

Sphinx reads a copy of `docs/` with the following changes:

- The records of the tests, the figures of the benchmarks, the changelog and CONTRIBUTING.md are added as pages, so that the
  search finds them.
- The page of the diagnostics has the full explanation of every code.
- The navigation follows the links: a page named `index.md` lists the pages of its folder, in order.
- Links to other files of the repository become plain text.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.docs.pages import ROOT
from tests.docs.reference import diagnostics_in_full

SOURCE = ROOT / "build" / "site-source"
SITE = ROOT / "build" / "site"
ADDED = {
    "tests/records": "records",
    "benchmarks/results.md": "records/benchmarks.md",
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
}
"""Files and folders outside `docs/` -> their place in the site."""

_LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<path>[^)#:\s]+)(?P<anchor>#[^)\s]*)?\)")


def prepare(source: Path = SOURCE) -> Path:
    """Write the sources of the site into a folder, which is emptied first; return the folder."""
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(ROOT / "docs", source)
    pages = {path: path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")}
    for name, place in ADDED.items():
        origin = ROOT / name
        if origin.is_dir():
            pages |= {path: place / path.relative_to(origin) for path in origin.rglob("*.md")}
        else:
            pages[origin] = Path(place)
    for origin, place in pages.items():
        target = source / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_rewritten(origin, place, pages), encoding="utf-8")
    (source / "reference" / "diagnostics.md").write_text(diagnostics_in_full(), encoding="utf-8")
    for index in source.rglob("index.md"):
        with index.open("a", encoding="utf-8") as file:
            file.write(_toctree(index))
    return source


def build(source: Path = SOURCE, site: Path = SITE) -> None:
    """Build the site from prepared sources. Raises CalledProcessError if Sphinx reports an error or a warning."""
    shutil.rmtree(site, ignore_errors=True)
    command = [sys.executable, "-m", "sphinx", "-b", "html", "--quiet", "--fail-on-warning", "--keep-going"]
    subprocess.run([*command, str(source), str(site)], check=True, cwd=ROOT)


def _rewritten(origin: Path, place: Path, pages: dict[Path, Path]) -> str:
    """Return the text of a page, with links that lead to the same files from its place in the site."""

    def link(found: re.Match[str]) -> str:
        target = (origin.parent / found["path"]).resolve()
        if target in pages:
            path = os.path.relpath(pages[target], place.parent)
        elif target.is_relative_to(ROOT / "docs") and target.is_file():
            path = os.path.relpath(target.relative_to(ROOT / "docs"), place.parent)
        else:
            return f"`{os.path.relpath(target, ROOT)}`" if found["text"] in found["path"] else found["text"]
        return f"{found['image']}[{found['text']}]({path}{found['anchor'] or ''})"

    return _LINK.sub(link, origin.read_text(encoding="utf-8"))


def _toctree(index: Path) -> str:
    """Return the navigation of a page: the pages of its folder and the indexes of the folders below, as they are linked."""
    links = (match["path"] for match in _LINK.finditer(index.read_text(encoding="utf-8")))
    below = (path for path in links if re.fullmatch(r"[\w.-]+\.md|[\w-]+/index\.md|project/\w+\.md", path))
    return "\n".join(["", "```{toctree}", ":hidden:", "", *dict.fromkeys(below), "```", ""])


if __name__ == "__main__":
    prepare()
    build()
    print(f"built  {(SITE / 'index.html').relative_to(ROOT)}")
