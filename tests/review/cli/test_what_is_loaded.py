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


WITHOUT_PROTOBUF = """
import sys
sys.modules["google"] = None
from apigen.cli.main import main
main(["diff", "things", "nowhere", "--no-cache"])
"""


def test_libraries_for_protobuf_are_needed_for_its_files_only(tmp_path: Path) -> None:
    (tmp_path / "things").mkdir()
    (tmp_path / "things" / "a.proto").write_text('syntax = "proto3"; message A {}', encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_PROTOBUF], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "error AG1442: the libraries for protobuf are not installed" in done.stderr
    assert "error AG1400: `nowhere` is neither a file or folder" in done.stderr
