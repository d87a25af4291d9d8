"""A batch of random APIs, each in several variants: one spec folder per variant, compiled once if at all, and every pair of variants tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from random import Random

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.pipeline import generate
from apigen.ir.surface import Surface
from apigen.language.releases import Release
from apigen.review.counterexamples.candidates import Sampling
from apigen.review.counterexamples.running import Server
from tests.review.model.families import ABSENT, Spec, family
from tests.review.model.hand_written_code import has_code_by_hand, with_code_by_hand
from tests.review.model.modules import MODULES
from tests.review.model.mutations import mutated, shaped
from tests.review.model.writing import checked

BACKENDS = ("json", "protobuf", "defaults", "conversions", "strategies", "validation", "copying")
BEFORE, NOW = "1.4", "1.5"
VARIANTS = 5
"""Schemas of a family, its first one included: every one is compiled once, and paired with every other, both ways."""

BEFOREHAND = (0, 0, 1, 2)
"""Changes that the first schema of a family has gone through, so that the others can change what came by them."""


@dataclass
class Variant:
    """One spec folder with a variant of every family: its surface, and its code as two releases. `specs` by group.

    Groups that are `absent` are not there on purpose; one that is in neither was not valid. The code is made of `compilation`
    when it is first asked for, as the modules of `package`.
    """

    specs: dict[str, Spec]
    absent: frozenset[str]
    changes: dict[str, list[str]]
    surface: Surface
    sampling: Sampling
    backend_input: BackendInput
    package: str

    @cached_property
    def before(self) -> Server:
        """A server of the previous release."""
        return self._server(BEFORE)

    @cached_property
    def now(self) -> Server:
        """A server of the present release."""
        return self._server(NOW)

    def _server(self, release: str) -> Server:
        if self.package not in MODULES:
            files = generate(self.backend_input, backends=BACKENDS)
            MODULES.add(self.package, ((file.path, file.content) for file in files))
        return Server.of(self.package, release)

    def knows(self, group: str) -> bool:
        """Whether it describes a group, or that it is missing."""
        return group in self.specs or group in self.absent


@dataclass
class Batch:
    """The variants of a batch, and how many schemas were not valid."""

    variants: list[Variant]
    rejected: int = 0
    problems: list[str] = field(default_factory=list)

    def pairs(self) -> Iterator[tuple[Variant, Variant]]:
        """All pairs of variants, both ways round."""
        for old in self.variants:
            yield from ((old, new) for new in self.variants if new is not old)


def make_batch(random: Random, families: int, folder: Path, among: tuple[str, ...] = ()) -> Batch:
    """Generate families, write them, read them. `among` are the changes to apply; all, if none are named."""
    bases = [_begun(random, family(random, f"g{index}"), among) for index in range(families)]
    sides = []
    for index in range(VARIANTS):
        made = [(base, []) if index == 0 else mutated(random, base, random.choice((1, 1, 2)), among) for base in bases]
        sides.append(({spec["group"]: spec for spec, _ in made}, {spec["group"]: names for spec, names in made}))
    return batch_of(sides, folder)


def _begun(random: Random, start: Spec, among: tuple[str, ...]) -> Spec:
    """The first schema of a family; one that is not there is nothing to begin with."""
    made, _ = mutated(random, start if among else shaped(random, start), random.choice(BEFOREHAND), among)
    return start if made.get(ABSENT) else made


def batch_of(sides: Sequence[tuple[dict[str, Spec], dict[str, list[str]]]], folder: Path) -> Batch:
    """Read variants: by group, the specs and the names of the changes that made them."""
    batch = Batch([])
    for index, (specs, changes) in enumerate(sides):
        package = f"side{index}_{folder.name}"
        batch.variants.append(_variant(specs, changes, folder / f"specs{index}", package, batch))
    return batch


def _variant(specs: dict[str, Spec], changes: dict[str, list[str]], root: Path, package: str, batch: Batch) -> Variant:
    absent = frozenset(group for group, spec in specs.items() if spec.get(ABSENT))
    specs = {group: spec for group, spec in specs.items() if group not in absent}
    by_hand = [group for group, spec in specs.items() if has_code_by_hand(spec)]
    said = checked(specs, by_hand, root.with_name(f"said-{root.name}"))
    # the code is made of specs of which code by hand does what they say of it: it is tried with the rest
    enforced = {group: with_code_by_hand(spec) for group, spec in specs.items() if group not in said.problems}
    made = checked(enforced, enforced, root)
    for group, problem in {**said.problems, **made.problems}.items():
        batch.rejected += 1
        batch.problems.append(f"{changes[group]}: {problem}")
        del specs[group]
    surface = made.surface
    surface = replace(
        surface, groups={name: said.surface.groups.get(name, surface.groups[name]) for name in surface.groups}
    )
    return Variant(specs, absent, changes, surface, Sampling(surface), made.backend_input, package)


def at(surface: Surface, release: str) -> Surface:
    """A surface as that of a release."""
    return replace(surface, release=Release(*map(int, release.split("."))))
