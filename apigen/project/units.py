"""Which files of a group are as an earlier run made them: each file goes with a key for all that it is made of.

Within its group a file may depend on anything. Of other groups it depends on the types that those of the group lead to,
by what they name and by their hubs, both ways. What backends find out about groups beside that, they say themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import field
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

from apigen.backends.features import newest_release
from apigen.compilation import Compilation
from apigen.dataclass import dataclass
from apigen.emit.cache import cache_key
from apigen.hub.selection import named_in_hub
from apigen.ir.graphs import reached
from apigen.ir.model import Struct, TypeDef
from apigen.ir.reachability import named_by
from apigen.ir.reserved import HUB_VERSION
from apigen.ir.types import TypeId
from apigen.project.built import Built
from apigen.project.inputs import Inputs
from apigen.python.modules import package_name


@dataclass(frozen=True, slots=True)
class Units:
    """The files of groups that a run makes: those of an earlier one (`before`), where nothing has changed for them.

    `keys` has what each is made of, by path; of files that turned out not to be, too.
    """

    before: Mapping[str, bytes]
    keys_before: Mapping[str, str]
    groups: Mapping[str, str]
    keys: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, compilation: Compilation, inputs: Inputs, before: Built | None) -> Units:
        """Those of a compilation of what was read."""
        groups = dict(_Keys(compilation, inputs).by_package)
        if before is None:
            return cls({}, {}, groups)
        return cls({file.path: file.content for file in before.files}, before.keys, groups)

    def text(self, path: str, package: str, make: Callable[[], str], besides: tuple[object, ...]) -> bytes:
        """The content of a file, made if it is not known."""
        if package not in self.groups:
            return make().encode()
        key = self.keys[path] = cache_key(self.groups[package], repr(besides))
        return self.before.get(path, b"") if self.keys_before.get(path) == key else make().encode()


@dataclass(frozen=True)
class _Keys:
    """A key for each group with everything that its files are made of."""

    compilation: Compilation
    inputs: Inputs

    @property
    def by_package(self) -> Iterator[tuple[str, str]]:
        """The key of each group, by package; none of one that the run did not read from specs."""
        common = cache_key(self.inputs.common, str(newest_release(self.compilation.api)))
        for group in self.compilation.api.groups:
            own = self.inputs.groups.get(group.folder)
            if own is not None:
                parts = sorted(self._foreign(group.folder))
                yield package_name(group.folder), cache_key(common, group.folder, own.whole, *parts)

    def _foreign(self, folder: str) -> Iterator[str]:
        """What a group leads to outside of it."""
        found = [id_ for id_ in reached(self._of_group.get(folder, ()), self._below) if id_.group != folder]
        for other in {id_.group for id_ in found}:
            inputs = self.inputs.groups.get(other)
            yield f"{other} {'' if inputs is None else inputs.header}"
        for id_ in found:
            yield self._digests.get(id_) or self._remember(id_)

    def _remember(self, id_: TypeId) -> str:
        """A type as its file has it, and what it was given besides."""
        type_ = self.compilation.types.get(id_)
        numbers = [(f.json_name, f.py_name, f.number) for f in type_.fields] if isinstance(type_, Struct) else []
        self._digests[id_] = cache_key(str(id_), self._blocks.get(id_, ""), repr(numbers))
        return self._digests[id_]

    @cached_property
    def _blocks(self) -> Mapping[TypeId, str]:
        """The text of each type that stands in a version's file; types of hubs follow from those, and from hub.yaml."""
        places: dict[tuple[str, str], list[TypeDef]] = {}
        for id_, type_ in self.compilation.types.items():
            if id_.version != HUB_VERSION and type_.place.file.endswith(f"{id_.version}.yaml"):
                places.setdefault((id_.group, id_.version), []).append(type_)
        found: dict[TypeId, str] = {}
        for (group, version), types in places.items():
            if group in self.inputs.groups:
                found.update(_blocks(self.inputs.groups[group].versions.get(version, ""), types))
        return found

    def _below(self, id_: TypeId) -> Iterator[TypeId]:
        type_, hub = self.compilation.types.get(id_), self.compilation.hub
        if type_ is not None:
            yield from named_by(type_)
        if isinstance(type_, Struct):
            yield from (each for second in type_.second_hubs for each in (second.face, second.hub))
        if id_ in hub.hub_of:
            yield hub.hub_of[id_]
        if id_ in hub.plans:
            yield hub.plans[id_].hub
        yield from self._makers.get(id_, ())
        yield from self._overrides.get(id_, ())

    @cached_property
    def _digests(self) -> dict[TypeId, str]:
        return {}

    @cached_property
    def _of_group(self) -> Mapping[str, list[TypeId]]:
        return _grouped((id_.group, id_) for id_ in self.compilation.types)

    @cached_property
    def _makers(self) -> Mapping[TypeId, list[TypeId]]:
        """The types of versions that stand behind a type of a hub."""
        hub = self.compilation.hub
        pairs = [(into, id_) for id_, into in hub.hub_of.items()] + [(plan.hub, id_) for id_, plan in hub.plans.items()]
        return _grouped(pairs)

    @cached_property
    def _overrides(self) -> Mapping[TypeId, list[TypeId]]:
        """The types that the types of hub.yaml name."""
        return {
            TypeId(group.folder, HUB_VERSION, spec.name): list(named_in_hub(spec, group.folder))
            for group in self.compilation.api.groups
            for spec in group.hub_overrides
        }


_ANCHOR = re.compile(r"(?:^|[\s:,\[{])&\w")

K = TypeVar("K", bound=Hashable)


def _grouped(pairs: Iterable[tuple[K, TypeId]]) -> dict[K, list[TypeId]]:
    found: dict[K, list[TypeId]] = {}
    for key, id_ in pairs:
        found.setdefault(key, []).append(id_)
    return found


def _blocks(text: str, types: list[TypeDef]) -> Iterator[tuple[TypeId, str]]:
    """The text of each type: up to where the next begins, and all of it where an alias may stand for what is elsewhere."""
    lines = text.splitlines()
    starts = sorted({type_.place.line for type_ in types}) + [len(lines) + 1]
    ends = dict(pairwise(starts))
    for type_ in types:
        start = type_.place.line
        yield type_.id, text if _ANCHOR.search(text) else "\n".join(lines[start - 1 : ends[start]])
