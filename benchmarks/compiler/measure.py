"""Measures the compiler: whole processes, start-up included, in rounds in which apigen and its peers take turns."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.compiler.edits import LIMITS, SMALL, WORDS, needlessly_written
from benchmarks.compiler.generators import cost_of_datamodel_codegen, cost_of_scale, lines_of_scale
from benchmarks.compiler.go_suite import kept_suite
from benchmarks.compiler.projects import Project, all_of_kubernetes, one_group
from benchmarks.compiler.watching import seconds_after_a_save
from benchmarks.figures import Figures, least
from benchmarks.measuring import ProcessCost
from benchmarks.peers.places import MODELS, PYTHON
from benchmarks.progress import tell

QUICK_RUNS = 5
"""Of what takes less than a second, in each round."""
SCALE_RUNS = 2
"""Runs of other generators: one of them calibrates the machine, so a slow run would make apigen look faster."""


def measure(rounds: int) -> Figures:
    """The best of several rounds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(os.path.realpath(name))
        whole, group = all_of_kubernetes(folder / "whole"), one_group(folder / "group")
        group.cost_of("generate")
        found: dict[str, float] = {}
        for number in range(rounds):
            tell(f"compiler, round {number + 1}: all of Kubernetes")
            found = least(found, dict(_whole(whole)))
            tell(f"compiler, round {number + 1}: one group, commands, other generators")
            found = least(found, *(dict(_quick(group)) for _ in range(QUICK_RUNS)))
            found = least(found, *(dict(_generators()) for _ in range(SCALE_RUNS)))
        found |= _sizes(whole)
        waited = seconds_after_a_save(group)
    found |= {} if waited is None else {"apigen/watch/wall": waited}
    found["apigen/lines per second"] = found["apigen/lines"] / found["apigen/cold/cpu"]
    return found | dict(_suite(found))


def _whole(project: Project) -> Iterator[tuple[str, float]]:
    project.forget()
    yield from _costs("apigen/cold", project.cost_of("generate"))
    yield from least(
        *(dict(_costs("apigen/unchanged", project.cost_of("generate"))) for _ in range(QUICK_RUNS))
    ).items()
    for edit in (*WORDS, *LIMITS):
        before = edit.make(project)
        yield from _costs(f"apigen/changed/{edit.name}", project.cost_of("generate"))
        yield f"apigen/needless/{edit.name}", needlessly_written(project.output, before)


def _quick(project: Project) -> Iterator[tuple[str, float]]:
    yield from _costs("apigen/help", project.cost_of("--help"))
    yield from _costs("apigen/lint", project.cost_of("lint"))
    SMALL.make(project)
    yield from _costs("apigen/changed/group", project.cost_of("generate"))
    project.forget()
    yield from _costs("apigen/group", project.cost_of("generate"))


def _generators() -> Iterator[tuple[str, float]]:
    if (MODELS / "openapi3.json").exists() and PYTHON.exists():
        yield from _costs("openapi-python-client", cost_of_scale())
        yield from _costs("datamodel-codegen", cost_of_datamodel_codegen())


def _costs(name: str, cost: ProcessCost) -> Iterator[tuple[str, float]]:
    yield f"{name}/cpu", cost.cpu_seconds
    yield f"{name}/wall", cost.seconds
    yield f"{name}/peak", cost.peak_bytes


def _sizes(project: Project) -> Mapping[str, float]:
    files = [path for path in project.output.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {"apigen/lines": sum(path.read_bytes().count(b"\n") for path in files), "apigen/files": len(files)}


def _suite(found: Mapping[str, float]) -> Figures:
    """What Kubernetes' generators would take now: what they took, by how fast the machine is now and was then."""
    suite, now = kept_suite(), found.get("openapi-python-client/cpu")
    if now is None:
        return {}
    lines = {"openapi-python-client/lines per second": lines_of_scale() / now}
    return lines if suite is None else lines | {"go suite/cpu": suite.cpu * now / suite.scale_cpu_seconds}
