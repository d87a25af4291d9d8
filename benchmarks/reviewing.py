"""A review of two releases of all of Kubernetes' API, next to `buf breaking` on their `.proto` files in the same run.

    python -m benchmarks.reviewing [OLD NEW]        (`make bench ARGS=review`)

Whole processes, start-up included: apigen without anything kept, apigen with what an earlier run kept, and buf, taking turns;
the best of each. buf and the Go modules of both releases are used if available, else only apigen is measured.
What is compared is not the same: buf looks at numbers, names and types of fields, apigen at all that specs say.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measuring import ProcessCost, cost_of_process, plain_environment
from benchmarks.tables import table
from tests.inputs.go.modules import MissingModule, find_module
from tests.review.kubernetes_history.releases import unpack

ROOT = Path(__file__).resolve().parent.parent
RUNS = 5
OLD, NEW = "v0.36.6", "v0.37.2"
MODULES = ("api", "apimachinery")
BUF = "buf breaking"
BUF_CONFIG = "version: v2\nmodules: [{path: .}]\nbreaking: {use: [WIRE_JSON]}\n"
FINISHED = (0, 1, 100)
"""Exit codes of a review that ran to its end: nothing found, apigen's findings, buf's."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A command that is measured; `prepare` is run before each time, and not measured."""

    name: str
    command: Sequence[str]
    folder: Path
    environment: Mapping[str, str]
    prepare: Callable[[], object] = lambda: None


def main(arguments: Sequence[str]) -> int:
    """Print the table. Returns 1 where a review did not run to its end."""
    old, new = (arguments[0], arguments[1]) if len(arguments) == 2 else (OLD, NEW)
    with tempfile.TemporaryDirectory() as temporary:
        contenders = list(contenders_of(old, new, Path(os.path.realpath(temporary))))
        costs = measure(contenders)
    print(f"Review of Kubernetes {old} to {new} (best of {RUNS}, start-up included):\n\n{shown(costs)}")
    return 0


def measure(contenders: Sequence[Contender]) -> dict[str, ProcessCost]:
    """The best of each; they take turns, so that what disturbs the machine disturbs them all."""
    found: dict[str, list[ProcessCost]] = {contender.name: [] for contender in contenders}
    for _ in range(RUNS):
        for each in contenders:
            each.prepare()
            found[each.name].append(cost_of_process(each.command, each.environment, str(each.folder), FINISHED))
    return {name: _best(costs) for name, costs in found.items()}


def _best(costs: Sequence[ProcessCost]) -> ProcessCost:
    return ProcessCost(
        min(cost.seconds for cost in costs),
        min(cost.cpu_seconds for cost in costs),
        min(cost.peak_bytes for cost in costs),
    )


def shown(costs: Mapping[str, ProcessCost]) -> str:
    """The table, with ratios to buf where it is there."""
    buf = costs.get(BUF)
    rows = []
    for name, cost in costs.items():
        ratios = ("", "")
        if buf is not None:
            ratios = f"{cost.seconds / buf.seconds:.2f}", f"{cost.cpu_seconds / buf.cpu_seconds:.2f}"
        mebibytes = f"{cost.peak_bytes / 1024 / 1024:.0f}"
        rows.append((name, f"{cost.seconds:.2f}", f"{cost.cpu_seconds:.2f}", mebibytes, *ratios))
    note = (
        ""
        if buf is not None
        else "\nbuf, or the Go modules of both releases, are not available: only apigen was measured\n"
    )
    return table(("review", "seconds", "CPU seconds", "MiB", "time / buf", "CPU / buf"), rows) + note


def contenders_of(old: str, new: str, folder: Path) -> Iterator[Contender]:
    """apigen twice, and buf where it is; their inputs are written below a folder."""
    sides = [str(unpack(release, folder)) for release in (old, new)]
    cache = folder / "cache"
    environment = plain_environment(XDG_CACHE_HOME=str(cache))
    command = (sys.executable, "-m", "apigen", "diff", *sides, "--no-counterexamples")
    yield Contender("apigen, nothing kept", (*command, "--no-cache"), ROOT, environment)
    yield Contender("apigen, from cache", command, ROOT, environment, lambda: _warm(cache, command, environment))
    protos = [_protos(release, folder / f"{release}-proto") for release in (old, new)]
    buf = shutil.which("buf")
    if buf is not None and protos[0] is not None and protos[1] is not None:
        yield Contender(
            "buf breaking", (buf, "breaking", ".", "--against", str(protos[0])), protos[1], dict(os.environ)
        )


def _warm(cache: Path, command: Sequence[str], environment: Mapping[str, str]) -> None:
    if not cache.exists():
        subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)


def _protos(release: str, folder: Path) -> Path | None:
    """The `.proto` files of a release as a module of buf; None without the Go modules that hold them."""
    for name in MODULES:
        module = find_module(f"k8s.io/{name}", release, cache=ROOT / "build" / "go-modules", download=False)
        if isinstance(module, MissingModule):
            return None
        for file in module.folder.rglob("generated.proto"):
            target = folder / "k8s.io" / name / file.relative_to(module.folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
    (folder / "buf.yaml").write_text(BUF_CONFIG, encoding="utf-8")
    return folder


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
