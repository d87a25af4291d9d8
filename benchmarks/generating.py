"""What `apigen generate` costs for what this project chooses: from nothing, and again with nothing changed."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from apigen.config import Overrides, find_config, load_config
from apigen.diagnostics import Report
from apigen.ir.model import Struct
from apigen.project.build import check_project
from benchmarks.measuring import ProcessCost, cost_of_process, table

ROOT = Path(__file__).resolve().parent.parent
CONFIGURATION = "pyproject.toml"
RUNS = 3


def number_of_fields() -> int:
    """The fields of all types that are generated, in all versions."""
    report = Report()
    config = load_config(find_config(ROOT, report), ROOT, Overrides(), report)
    checked = check_project(config, report) if config is not None else None
    if checked is None or checked.compilation is None:
        raise SystemExit("the specs have errors: see `apigen lint`")
    types = checked.compilation.api.types.values()
    return sum(len(type_.own_fields) for type_ in types if isinstance(type_, Struct))


def measure() -> dict[str, ProcessCost]:
    """Cold: no output and no cache. Warm: a second run. Changed: after one field's documentation changed."""
    runs = [_one_run() for _ in range(RUNS)]
    return {name: min((run[name] for run in runs), key=lambda cost: cost.cpu_seconds) for name in runs[0]}


def _one_run() -> dict[str, ProcessCost]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("api-specs", "handwritten"):
            shutil.copytree(ROOT / part, folder / part)
        shutil.copy(ROOT / CONFIGURATION, folder)
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
