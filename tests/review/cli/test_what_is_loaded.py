"""What a review does not load."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = """
import sys
from apigen.cli.main import main
code = main(["diff", "a.json", "b.json", "--no-counterexamples", "--no-cache"])
print(code, "subprocess" in sys.modules, file=sys.stderr)
"""


def test_review_of_two_files_does_not_run_git(tmp_path: Path) -> None:
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text('{"type": "object"}', encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", SCRIPT], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr.split() == ["0", "False"]
