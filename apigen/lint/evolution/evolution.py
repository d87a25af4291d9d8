"""A rule about the changes since the last release, and the data that the rules check."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from apigen.dataclass import dataclass
from apigen.diagnostics import Diagnostic, Severity
from apigen.history.model import History
from apigen.history.rollback import Rollback, RollbackLoss, rollback_of
from apigen.ir.model import Api, Enum, EnumValue, Field, Group, Inline, Release, Struct, Version
from apigen.ir.stability import Stability, next_release, stability
from apigen.ir.types import TypeId


@dataclass(frozen=True)  # no slots: the rollback is kept
class Evolution:
    """The current API, its recorded releases, and the next release.

    `release` is `None` if neither the configuration nor the history determines it. `groups` are the folders that belong
    to this project: only these are checked. `gates` are the names of its feature gates; None means all.
    """

    now: Api
    history: History
    release: Release | None
    groups: frozenset[str]
    gates: frozenset[str] | None = None

    @property
    def before(self) -> Api | None:
        """The API of the last release; None if nothing is recorded."""
        newest = self.history.newest
        return None if newest is None else self.history.api(newest)

    @property
    def newest(self) -> Release:
        """The last recorded release. Only for an API that has been released."""
        assert self.history.newest is not None
        return self.history.newest

    @property
    def target_release(self) -> Release:
        """The next release: the configured one, or the minor release after the last recorded one."""
        return self.release or next_release(self.newest)

    @cached_property
    def rollback(self) -> Rollback | None:
        """The rollback to the newest recorded release before the next one, which may already be recorded in part.
        None if there is no such release, or the next release is unknown.
        """
        release = self.release
        before = max((each for each in self.history.releases if release and each < release), default=None)
        if before is None or release is None:
            return None
        own = (group for group in self.now.groups if group.folder in self.groups)
        return rollback_of(self.now, release, self.history.api(before), before, own)

    @property
    def losses(self) -> tuple[RollbackLoss, ...]:
        """The losses of that rollback."""
        return () if self.rollback is None else self.rollback.losses

    def covers(self, id_: TypeId) -> bool:
        """Return whether a type belongs to the project and its version is beta or stable."""
        return id_.group in self.groups and stability(id_.version) is not Stability.ALPHA

    def covers_gate(self, name: str) -> bool:
        """Return whether a feature gate belongs to the project."""
        return self.gates is None or name in self.gates


Check = Callable[[Evolution], Iterator[Diagnostic]]
"""Yields the findings of a rule."""


@dataclass(frozen=True, slots=True)
class EvolutionRule:
    """A rule about the changes since the last release: a row with its code and the function that checks them.

    A finding of a rule with `can_be_acknowledged` is suppressed by `ignore: {CODE: reason}` on the element at its place.
    Findings about lost data and reused names cannot be suppressed.
    """

    code: str
    check: Check
    severity: Severity
    can_be_acknowledged: bool


def evolution_rule(
    code: str, *, severity: Severity = Severity.ERROR, can_be_acknowledged: bool = False
) -> Callable[[Check], EvolutionRule]:
    """Make a row of a function that checks the changes since the last release."""
    return lambda check: EvolutionRule(code, check, severity, can_be_acknowledged)


Member = Field | Inline | EnumValue


def members_of(type_: object) -> Mapping[str, Member]:
    """The fields of a struct's own, inline ones too, or the values of an enum, by name."""
    if isinstance(type_, Enum):
        return {value.value: value for value in type_.values}
    if not isinstance(type_, Struct) or type_.taken_from is not None:
        return {}
    inlines = {inline.name: inline for inline in type_.inlines if not inline.via}
    return {**{field.json_name: field for field in type_.own_fields}, **inlines}


def kinds_now(evolution: Evolution) -> Iterator[tuple[Version, Struct]]:
    """Return every kind of this project in every version, without lists."""
    for group in evolution.now.groups:
        if group.folder not in evolution.groups:
            continue
        for version in group.versions:
            for struct in evolution.now.structs(group.folder, version.name):
                if struct.kind is not None and struct.list_of is None:
                    yield version, struct


def stored(group: Group) -> Version | None:
    """Return the storage version of a group."""
    return next((version for version in group.versions if version.storage), None)
