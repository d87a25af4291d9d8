"""A batch of made-up APIs, each in several variants: one spec folder per variant, compiled once, and every pair of variants tried."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import apigen.backends.registry  # noqa: F401  so that all backends are loaded
from apigen.compat.sources.api.surface_of import Own, surface_of
from apigen.compat.surface.surface import Surface
from apigen.compat.witnesses.sampling import Sampling
from apigen.compat.witnesses.server import Server
from apigen.compilation import Compilation
from apigen.diagnostics import Diagnostic, Report, Severity
from apigen.diagnostics.printers.text import render
from apigen.emit.formatting import format_source
from apigen.emit.output import OutputFile
from apigen.ir.model import Release
from apigen.pipeline import Sources, check, generate
from tests.compat.model.families import ABSENT, Spec, family
from tests.compat.model.modules import MODULES
from tests.compat.model.mutations import mutated

BACKENDS = ("json", "protobuf", "defaults", "conversions", "strategies", "validation", "copying")
BEFORE, NOW = "1.4", "1.5"
VARIANTS = 5
"""Schemas of a family, its first one included: every one is compiled once, and paired with every other, both ways."""

BEFOREHAND = (0, 0, 1, 2)
"""Changes that the first schema of a family has gone through, so that the others can change what came by them."""

OTHER: Spec = {
    "group": "other.example.com",
    "hub": "v1",
    "kinds": {"Other": {"scope": "Namespaced"}},
    "versions": {"v1": {"storage": True, "types": {"Other": {"fields": {"name": {"type": "string"}}}}}},
}
"""What there is where there is nothing else: specs have a group at least."""


@dataclass
class Variant:
    """One spec folder with a variant of every family: its surface, and its code as two releases. `specs` by group.

    Groups that are `absent` are not there on purpose; one that is in neither was not valid.
    """

    specs: dict[str, Spec]
    absent: frozenset[str]
    changes: dict[str, list[str]]
    surface: Surface
    before: Server
    now: Server
    sampling: Sampling

    def knows(self, group: str) -> bool:
        """Whether it says of a group what it is, or that there is none."""
        return group in self.specs or group in self.absent


@dataclass
class Batch:
    """The variants of a batch, and how many schemas were not valid."""

    variants: list[Variant]
    refused: int = 0
    problems: list[str] = field(default_factory=list)

    def pairs(self) -> Iterator[tuple[Variant, Variant]]:
        """All pairs of variants, both ways round."""
        for old in self.variants:
            yield from ((old, new) for new in self.variants if new is not old)


def make_batch(random: Random, families: int, folder: Path, among: tuple[str, ...] = ()) -> Batch:
    """Make up families, write them, compile them. `among` are the changes that are made; all, if none are named."""
    bases = [_begun(random, family(random, f"g{index}"), among) for index in range(families)]
    sides = []
    for index in range(VARIANTS):
        made = [(base, []) if index == 0 else mutated(random, base, random.choice((1, 1, 2)), among) for base in bases]
        sides.append(({spec["group"]: spec for spec, _ in made}, {spec["group"]: names for spec, names in made}))
    return compiled(sides, folder)


def _begun(random: Random, start: Spec, among: tuple[str, ...]) -> Spec:
    """The first schema of a family; one that is not there is nothing to begin with."""
    made, _ = mutated(random, start, random.choice(BEFOREHAND), among)
    return start if made.get(ABSENT) else made


def compiled(sides: Sequence[tuple[dict[str, Spec], dict[str, list[str]]]], folder: Path) -> Batch:
    """Compile variants: by group, the specs and the names of the changes that made them."""
    batch = Batch([])
    for index, (specs, changes) in enumerate(sides):
        package = f"side{index}_{folder.name}"
        batch.variants.append(_variant(specs, changes, folder / f"specs{index}", package, batch))
    return batch


def _variant(specs: dict[str, Spec], changes: dict[str, list[str]], root: Path, package: str, batch: Batch) -> Variant:
    root.mkdir(parents=True)
    absent = frozenset(group for group, spec in specs.items() if spec.get(ABSENT))
    specs = {group: spec for group, spec in specs.items() if group not in absent}
    for spec in specs.values() or (OTHER,):
        write_group(root, spec)
    for _ in range(10):
        features = {name: said for spec in specs.values() for name, said in spec["features"].items()}
        write(root / "features.yaml", features)
        report = Report()
        checked = check(Sources(root), report)
        if checked.compilation is not None and not report.has_errors:
            break
        for group in broken_groups(report):
            if group in specs:
                batch.refused += 1
                batch.problems.append(f"{changes[group]}: {first_error(report, group)}")
                del specs[group]
                for path in (root / group).iterdir():
                    path.unlink()
                (root / group).rmdir()
                if not specs:
                    write_group(root, OTHER)
    assert checked.compilation is not None and checked.api is not None, render(report.diagnostics)
    MODULES.add(package, ((file.path, file.content) for file in _unformatted(checked.compilation)))
    before, now = (Server.of(package, release) for release in (BEFORE, NOW))
    own = Own(checked.own, frozenset(features))
    surface = surface_of(checked.api, root.name, "specs", None, own)
    return Variant(specs, absent, changes, surface, before, now, Sampling(surface))


def _unformatted(compilation: Compilation) -> Iterator[OutputFile]:
    """The files of the output as templates leave them: nobody reads them, and their form is tested elsewhere."""
    modules = [vars(each) for name, each in sys.modules.items() if name.startswith("apigen.backends.")]
    formatting = [each for each in modules if each.get("format_source") is format_source]
    for module in formatting:
        module["format_source"] = _as_it_is
    try:
        yield from generate(compilation, backends=BACKENDS)
    finally:
        for module in formatting:
            module["format_source"] = format_source


def _as_it_is(text: str) -> str:
    return text


def at(surface: Surface, release: str) -> Surface:
    """A surface as that of a release."""
    return replace(surface, release=Release(*map(int, release.split("."))))


def broken_groups(report: Report) -> set[str]:
    """The groups that have errors, they or their gates."""
    return {group for each in report.diagnostics if each.severity is Severity.ERROR for group in _groups_of(each)}


def first_error(report: Report, group: str) -> str:
    """The first error of a group."""
    errors = (each for each in report.diagnostics if each.severity is Severity.ERROR and group in _groups_of(each))
    return next((f"{each.code} {each.message}" for each in errors), "")


def _groups_of(error: Diagnostic) -> set[str]:
    """The groups that an error is about; gates are called like them, and stand in one file."""
    if error.place.file.endswith("features.yaml"):
        return {f"{name}.example.com" for name in re.findall(r"`(g\d+)[A-Z]", error.message)}
    return {error.place.file.split("/")[-2]} if "/" in error.place.file else set()


def write_group(root: Path, spec: Spec) -> None:
    """Write a group folder."""
    folder = root / spec["group"]
    folder.mkdir()
    headers = {name: {k: v for k, v in version.items() if k != "types"} for name, version in spec["versions"].items()}
    header = {"group": spec["group"], "versions": headers, "hub": spec["hub"], "kinds": spec["kinds"]}
    write(folder / "group.yaml", header)
    for name, version in spec["versions"].items():
        write(folder / f"{name}.yaml", {"types": version["types"]})


def write(path: Path, content: object) -> None:
    """Write YAML: JSON is YAML, too, and sooner written."""
    path.write_text(json.dumps(content), encoding="utf-8")
