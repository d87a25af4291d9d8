"""The groups and kinds that a project chooses: names in the configuration, and the elements that they select."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import listing, quote
from apigen.diagnostics.suggest import did_you_mean
from apigen.language.load import BuiltinApis
from apigen.language.model import ApiSpec

MOST_SHOWN = 5
"""Names of a kind that a hint lists."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names that a project selects; None without such a list.

    `place` returns the location of a list by its key (`groups`, `kinds`).
    """

    groups: tuple[str, ...] | None = None
    kinds: tuple[str, ...] | None = None
    place: Callable[[str], Place] = lambda _: Place("command line")


@dataclass(frozen=True, slots=True)
class Choice:
    """The contents of an output: whole groups, by folder, single kinds, by folder and name, and gates, in addition to
    those that they refer to.
    """

    groups: frozenset[str]
    kinds: frozenset[tuple[str, str]] = frozenset()
    gates: frozenset[str] = frozenset()

    @property
    def folders(self) -> frozenset[str]:
        """The groups of which anything is chosen."""
        return self.groups | {folder for folder, _ in self.kinds}


def own_choice(own: ApiSpec) -> Choice:
    """Return the choice of everything that a project declares itself."""
    groups = frozenset(group.folder for group in own.groups)
    return Choice(groups, gates=frozenset(feature.name for feature in own.features))


def choose(names: Names, own: ApiSpec, builtin_apis: BuiltinApis, report: Report) -> Choice:
    """Return the choice for the names: without names, everything that the project declares.

    A group of the project takes precedence over a built-in one. Errors: AG0907 an unknown name, AG0909 a kind
    that several groups have.
    """
    if names.groups is None and names.kinds is None:
        return own_choice(own)
    groups = frozenset(_groups(names, own, builtin_apis, report))
    return Choice(groups, frozenset(_kinds(names, own, builtin_apis, report)))


def _groups(names: Names, own: ApiSpec, builtin_apis: BuiltinApis, report: Report) -> Iterator[str]:
    folders = {group.folder for group in own.groups}
    for name in names.groups or ():
        if name in folders or name in builtin_apis.groups:
            yield name
        elif not own.broken.group(name):
            hint = did_you_mean(name, [*sorted(folders), *sorted(builtin_apis.groups)])
            hint = hint or f"known groups: {', '.join(sorted(folders or builtin_apis.groups))}"
            report.error("AG0907", names.place("groups"), f"{quote(name)} in `groups` does not exist", hint=hint)


def _kinds(names: Names, own: ApiSpec, builtin_apis: BuiltinApis, report: Report) -> Iterator[tuple[str, str]]:
    written = {group.folder: (group.group, tuple(kind.name for kind in group.kinds)) for group in own.groups}
    for name in names.kinds or ():
        candidates = list(_having(name, written))
        if not candidates:
            candidates = list(_having(name, _others(written, builtin_apis)))
        if len(candidates) == 1:
            yield candidates[0]
        elif candidates:
            full = tuple(f"{kind}.{folder}" for folder, kind in candidates)
            message = f"several groups have a kind {quote(name)}"
            report.error("AG0909", names.place("kinds"), message, hint=f"write one of: {listing(full)}")
        elif not any(own.broken.kind(folder, name.partition(".")[0]) for folder in written):
            hint = _hint(name, {**_others(written, builtin_apis), **written})
            report.error("AG0907", names.place("kinds"), f"{quote(name)} in `kinds` does not exist", hint=hint)


def _others(
    own: Mapping[str, tuple[str, tuple[str, ...]]], builtin_apis: BuiltinApis
) -> dict[str, tuple[str, tuple[str, ...]]]:
    return {folder: found for folder, found in builtin_apis.kinds.items() if folder not in own}


def _having(name: str, groups: Mapping[str, tuple[str, tuple[str, ...]]]) -> Iterator[tuple[str, str]]:
    """Yield the groups that have the kind; if it is written without a group, the group with an empty name comes first."""
    kind, _, group = name.partition(".")
    having = {folder: wire_name for folder, (wire_name, kinds) in groups.items() if kind in kinds}
    if group:
        having = {folder: wire_name for folder, wire_name in having.items() if group in (folder, wire_name)}
    else:
        having = {folder: wire_name for folder, wire_name in having.items() if not wire_name} or having
    yield from ((folder, kind) for folder in having)


def _hint(name: str, groups: Mapping[str, tuple[str, tuple[str, ...]]]) -> str | None:
    kind, _, group = name.partition(".")
    with_group = [f"{kind}.{wire_name or folder}" for folder, (wire_name, kinds) in groups.items() for kind in kinds]
    same = [full for full in with_group if full.partition(".")[0] == kind]
    if group and same:
        return f"did you mean {listing(tuple(same[:MOST_SHOWN]))}?"
    return did_you_mean(name, with_group if group else _kind_names(with_group))


def _kind_names(full: Iterable[str]) -> list[str]:
    return sorted({name.partition(".")[0] for name in full})
