"""What `apigen generate` costs for the specs of this project: from nothing, and again with nothing changed."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from apigen.diagnostics import Report
from apigen.ir.model import Struct
from apigen.pipeline import Sources, check
from benchmarks.measuring import ProcessCost, cost_of_process, table

ROOT = Path(__file__).resolve().parent.parent
RUNS = 3


def number_of_fields() -> int:
    """The fields of all versions of all groups."""
    compilation = check(Sources(ROOT / "api-specs", ROOT / "handwritten", ROOT), Report()).compilation
    if compilation is None:
        raise SystemExit("the specs have errors: see `apigen lint`")
    return sum(len(type_.own_fields) for type_ in compilation.api.types.values() if isinstance(type_, Struct))


def measure() -> dict[str, ProcessCost]:
    """Cold: no output and no cache. Warm: a second run. Changed: after one field's documentation changed."""
    runs = [_one_run() for _ in range(RUNS)]
    return {name: min((run[name] for run in runs), key=lambda cost: cost.cpu_seconds) for name in runs[0]}


def _one_run() -> dict[str, ProcessCost]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("api-specs", "handwritten"):
            shutil.copytree(ROOT / part, folder / part)
        (folder / "apigen.toml").touch()
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": name, "XDG_CACHE_HOME": str(folder / "cache")}
        command = [sys.executable, "-m", "apigen", "generate"]
        costs = {
            "cold": cost_of_process(command, environment, name),
            "warm": cost_of_process(command, environment, name),
        }
        spec = folder / "api-specs" / "things.example.com" / "v6.yaml"
        spec.write_text(spec.read_text(encoding="utf-8").replace("How tall the object is", "Its height", 1), "utf-8")
        costs["changed"] = cost_of_process(command, environment, name)
        return costs


def shown(costs: dict[str, ProcessCost], fields: int) -> str:
    """The costs as a table."""
    columns = ["generate", "s", "CPU s", "peak MiB", "ms per 1,000 fields", "KiB per 1,000 fields", "of cold"]
    cold = costs["cold"]
    rows = [
        [
            name,
            f"{cost.seconds:.2f}",
            f"{cost.cpu_seconds:.2f}",
            f"{cost.peak_bytes / 2**20:.0f}",
            f"{cost.cpu_seconds * 1e6 / fields:.0f}",
            f"{cost.peak_bytes / 1024 * 1000 / fields:,.0f}",
            f"{cost.cpu_seconds / cold.cpu_seconds:.0%}",
        ]
        for name, cost in costs.items()
    ]
    return table(columns, rows)
