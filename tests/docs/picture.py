"""Take the picture of a report for the README: `python -m tests.docs.picture` writes `docs/images/report.png`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.docs.pages import ROOT
from tests.review.browser.browsers import browser, opened

PICTURE = ROOT / "docs" / "images" / "report.png"

_SPECS = {
    "group.yaml": """\
group: shop.example.com
versions: {v1: {introduced: "1.0", storage: true}}
hub: v1
kinds: {Widget: {scope: Namespaced, plural: widgets}}
""",
    "v1.yaml": """\
types:
  Widget:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false}
      size: {type: int32, optional: true}
      note: {type: string, optional: true}
""",
}


def main() -> None:
    """Review the removal of a field and photograph the finding."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for side, fields in (("base", 3), ("revision", 2)):
            group = folder / side / "shop.example.com"
            group.mkdir(parents=True)
            for file, text in _SPECS.items():
                (group / file).write_text("".join(text.splitlines(keepends=True)[: 3 + fields]), encoding="utf-8")
        page = folder / "report.html"
        command = [sys.executable, "-m", "apigen", "diff", "base", "revision", "--output", f"html={page}"]
        subprocess.run(
            command, cwd=folder, env={"PYTHONPATH": str(ROOT), "PATH": ""}, stdout=subprocess.DEVNULL, check=False
        )
        with browser() as started, opened(started, page, width=1000) as found:
            found.page.locator("article.finding").first.screenshot(path=PICTURE)


if __name__ == "__main__":
    main()
