"""The story that the tutorial tells, for tests: the specs of every release, and servers that run its generated code.

The page is the only source of the story. Here its files and edits are executed, and what it records is
recorded; what its commands print is compared by the tests of the docs.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from apigen.codegen.pipeline import Sources, check_recorded
from apigen.diagnostics import Report
from apigen.diagnostics.printers.text import render
from apigen.language.releases import Release, parse_release
from tests.docs.pages import ROOT, ShownFile, steps
from tests.evolution.recording import copied, record
from tests.generating import write_package

PAGE = ROOT / "docs/tutorial/an-api-over-eight-releases.md"
JSON, PROTOBUF = "application/json", "application/vnd.kubernetes.protobuf"

_RELEASE = re.compile(r"apigen release ([0-9.]+)(?: > /dev/null)?")
_EDITS = ("sed ", "patch ", "rm ", "cp ", "echo ", "mv ")


@dataclass(frozen=True)
class Told:
    """What the page makes: the spec folder with its history as it is at the end, and as it was after each release."""

    specs: Path
    after: dict[Release, Path]
    server: ModuleType

    @property
    def releases(self) -> tuple[Release, ...]:
        """All releases, in order."""
        return tuple(sorted(self.after))


def tell(folder: Path) -> Told:
    """Carry out the page in an empty folder."""
    specs, after = folder / "api-specs", dict[Release, Path]()
    for step in steps(PAGE.read_text(encoding="utf-8")):
        if isinstance(step, ShownFile):
            path = folder / step.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(step.text, encoding="utf-8")
        elif found := _RELEASE.fullmatch(step.words):
            release = parse_release(found[1])
            record(specs, release)
            after[release] = copied(specs, folder / f"after-{release}")
        elif step.words.startswith(_EDITS):
            subprocess.run(["bash", "-ec", step.words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    server = ModuleType("server")
    exec(compile((folder / "server.py").read_text(encoding="utf-8"), "server.py", "exec"), server.__dict__)
    return Told(specs, after, server)


class Servers:
    """Servers of all releases of the story, each with the code that was built again from the records."""

    def __init__(self, told: Told, folder: Path) -> None:
        self.told = told
        self._folder = folder
        self._packages: dict[Release, str] = {}

    def package(self, release: Release) -> str:
        """The name of the generated package of a release."""
        if release not in self._packages:
            report = Report()
            checked = check_recorded(Sources(self.told.specs), release, report)
            assert checked.backend_input is not None, render(report.diagnostics)
            self._packages[release] = write_package(checked.backend_input, self._folder)
        return self._packages[release]

    def module(self, release: Release, name: str) -> Any:
        """A module of the generated package of a release."""
        return import_module(f"{self.package(release)}.{name}")

    def server(
        self, release: Release, store: MutableMapping[str, bytes], gates: str = "", stored_as: str = JSON
    ) -> Any:
        """A server as the page has it."""
        return self.told.server.Server(str(release), self.package(release), store, gates, stored_as)

    @property
    def rejected(self) -> type[Exception]:
        """What a server raises for a request that it rejects."""
        found: type[Exception] = self.told.server.Rejected
        return found

    def pairs(self) -> Iterator[tuple[Release, Release]]:
        """Neighbouring releases, the older one first."""
        return zip(self.told.releases, self.told.releases[1:], strict=False)
