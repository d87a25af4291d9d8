"""Projects that are compiled: all of Kubernetes' API, and one group of it."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measuring import ProcessCost, cost_of_process, plain_environment
from benchmarks.peers.places import ROOT
from benchmarks.scaling import write_scaled

CONFIGURATION = '[tool.apigen]\nspecs = "specs"\noutput = "generated"\nhandwritten = "handwritten"\n'
GROUP = "authorization.k8s.io"
"""A group of some fifty types in two versions and a hub."""


@dataclass(frozen=True, slots=True)
class Project:
    """A project in a folder of its own, with a cache of its own."""

    folder: Path

    @property
    def output(self) -> Path:
        """Where its code is written."""
        return self.folder / "generated"

    def command(self, *words: str) -> list[str]:
        """A command of apigen."""
        return [sys.executable, "-m", "apigen", *words]

    @property
    def environment(self) -> dict[str, str]:
        """The environment of its commands."""
        return plain_environment(PYTHONPATH=str(ROOT), XDG_CACHE_HOME=str(self.folder / "cache"))

    def cost_of(self, *words: str) -> ProcessCost:
        """The cost of a command of apigen in this project."""
        return cost_of_process(self.command(*words), self.environment, str(self.folder))

    def forget(self) -> None:
        """Remove output and cache, so that the next run is cold."""
        for folder in (self.output, self.folder / "cache"):
            shutil.rmtree(folder, ignore_errors=True)


def all_of_kubernetes(folder: Path) -> Project:
    """A project with all specs of Kubernetes, and what is written by hand for them."""
    shutil.copytree(ROOT / "handwritten", folder / "handwritten")
    return _project(folder, ROOT / "api-specs" / "kubernetes", folder / "specs")


def one_group(folder: Path) -> Project:
    """A project with one group; what it names of meta/v1 comes out of apigen's catalog."""
    return _project(folder, ROOT / "api-specs" / "kubernetes" / GROUP, folder / "specs" / GROUP)


def scaled(folder: Path, times: int) -> Project:
    """A project with several times the specs of Kubernetes."""
    write_scaled(times, folder / "specs", folder / "handwritten")
    (folder / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    return Project(folder)


def _project(folder: Path, specs: Path, target: Path) -> Project:
    shutil.copytree(specs, target)
    (folder / "handwritten").mkdir(exist_ok=True)
    (folder / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    return Project(folder)
