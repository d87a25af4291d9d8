"""Which files of a group are as an earlier run made them: each file goes with a key for all that it is made of.

Within its group a file may depend on anything. Of other groups it depends on the types that those of the group lead to,
by what they name and by their hubs, both ways. What backends find out about groups beside that, they say themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

from apigen.backends.features import emulated_releases
from apigen.compilation import Compilation, Worded, no_words
from apigen.dataclass import dataclass, field
from apigen.emit.cache import cache_key
from apigen.hub.selection import named_in_hub
from apigen.ir.graphs import reached
from apigen.ir.model import Group, Struct, TypeDef
from apigen.ir.reachability import named_by
from apigen.ir.reserved import HUB_VERSION
from apigen.ir.series import spelled
from apigen.ir.types import TypeId
from apigen.ir.words import Words, words_of
from apigen.project.built import Built
from apigen.project.inputs import Inputs
from apigen.python.modules import package_name


@dataclass(frozen=True, slots=True)
class Units:
    """The files of groups that a run makes: those of an earlier one (`before`), where nothing has changed for them.

    `groups`, `links` and `words` are as in `MadeOf`, and so are `keys`, of what is made.
    """

    before: Mapping[str, bytes]
    groups_before: Mapping[str, str]
    keys_before: Mapping[str, tuple[str, str]]
    groups: Mapping[str, str]
    links: Mapping[str, tuple[str, ...]]
    words: Words
    keys: dict[str, tuple[str, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, compilation: Compilation, inputs: Inputs, before: Built | None) -> Units:
        """Those of a compilation of what was read."""
        keys = _Keys(compilation, inputs)
        groups, links = dict(keys.by_package), dict(keys.links)
        words = words_of(compilation.types.values())
        if before is None or before.made_of is None:
            return cls({}, {}, {}, groups, links, words)
        contents = {file.path: file.content for file in before.files}
        return cls(contents, before.made_of.groups, before.made_of.keys, groups, links, words)

    def text(
        self, path: str, package: str, make: Callable[[], str], besides: tuple[object, ...], words: Worded = no_words
    ) -> bytes:
        """The content of a file, made if it is not known."""
        if package and package not in self.groups:
            return make().encode()
        key = self.keys[path] = package, cache_key(repr(besides))
        is_known = self.keys_before.get(path) == key and self.groups_before.get(package) == self.groups.get(package)
        return self.before.get(path, b"") if is_known else make().encode()


@dataclass(frozen=True)
class _Keys:
    """A key for each group with everything that its files are made of."""

    compilation: Compilation
    inputs: Inputs

    @property
    def by_package(self) -> Iterator[tuple[str, str]]:
        """The key of each group, by package. Of one that apigen brings, what is the same for all groups has all files."""
        common = cache_key(self.inputs.common, spelled(emulated_releases(self.compilation)))
        for group in self.compilation.api.groups:
            own = self.inputs.groups.get(group.folder)
            parts = sorted(self._parts(group.folder))
            whole = self._chosen(group) if own is None else own.whole
            yield package_name(group.folder), cache_key(common, group.folder, whole, *parts)

    def _chosen(self, group: Group) -> str:
        """What of a group has been chosen: its types, kinds and versions."""
        types = sorted(map(str, self._of_group.get(group.folder, ())))
        kinds = [kind.name for kind in group.kinds]
        return cache_key("chosen", repr((types, kinds, [version.name for version in group.versions])))

    @property
    def links(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The other groups that each group leads to, by folder."""
        for folder in self._of_group:
            yield folder, tuple(sorted({id_.group for id_ in self._foreign(folder)}))

    def _foreign(self, folder: str) -> frozenset[TypeId]:
        """The types that a group leads to outside of it."""
        found = self._reached.get(folder)
        if found is None:
            found = reached(self._of_group.get(folder, ()), self._below)
            found = self._reached[folder] = frozenset(id_ for id_ in found if id_.group != folder)
        return found

    def _parts(self, folder: str) -> Iterator[str]:
        found = self._foreign(folder)
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
        yield from self._makers.get(id_, ())
        yield from self._overrides.get(id_, ())

    @cached_property
    def _reached(self) -> dict[str, frozenset[TypeId]]:
        return {}

    @cached_property
    def _digests(self) -> dict[TypeId, str]:
        return {}

    @cached_property
    def _of_group(self) -> Mapping[str, list[TypeId]]:
        return _grouped((id_.group, id_) for id_ in self.compilation.types)

    @cached_property
    def _makers(self) -> Mapping[TypeId, list[TypeId]]:
        """The types of versions that stand behind a type of a hub, be it as seen by a second one."""
        types, hub = self.compilation.api.types.values(), self.compilation.hub
        seen = [second for type_ in types if isinstance(type_, Struct) for second in type_.second_hubs]
        pairs = [(into, id_) for id_, into in hub.hub_of.items()]
        return _grouped([*pairs, *((second.hub, second.face) for second in seen)])

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
    if _ANCHOR.search(text):
        yield from ((type_.id, text) for type_ in types)
        return
    lines = text.splitlines()
    starts = sorted({type_.place.line for type_ in types}) + [len(lines) + 1]
    ends = dict(pairwise(starts))
    for type_ in types:
        start = type_.place.line
        yield type_.id, "\n".join(lines[start - 1 : ends[start]])
