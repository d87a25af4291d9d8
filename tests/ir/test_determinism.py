"""The same specs give the same IR and the same diagnostics, whatever the seed of Python's hashes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys
from pathlib import Path
from apigen.diagnostics import Report
from apigen.ir.locks import plan_locks
from apigen.ir.resolve import resolve
from apigen.language.load import load_api
root, report = Path(sys.argv[1]), Report()
spec = load_api(root, report, display_root=root)
api = resolve(spec, report)
print(repr(api), report.diagnostics, "" if report.has_errors else plan_locks(api, spec))
"""


def printed(specs: Path, seed: int) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", SCRIPT, str(specs)]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


@pytest.mark.slow
@pytest.mark.parametrize("specs", ["api-specs", "tests/diagnostics/cases/ten-faults/specs"])
def test_hash_seeds(specs: str) -> None:
    assert printed(ROOT / specs, 1) == printed(ROOT / specs, 2)
