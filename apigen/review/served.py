"""Compare the served versions of one side with each other."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations

from apigen.dataclass import dataclass, replace
from apigen.ir.stability import version_rank
from apigen.ir.surface import Group, Surface, Type, TypeName, Version, type_as_text
from apigen.review.changes.change import Altered, AnyChange, Trait
from apigen.review.changes.comparing import compare_versions

HUB = "hub"
"""The conversion of kinds whose versions are generated, and proven to lose nothing that is not declared."""

AS_IT_IS = "None"
"""The conversion of kinds whose objects go from version to version as they are."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between a served version and a lower one, as a change from the lower to the higher one."""

    lower: Version
    higher: Version
    change: AnyChange
    conversions: frozenset[str]

    @property
    def is_converted(self) -> bool:
        """Return whether generated code converts between the versions, including renamed and reshaped fields."""
        return HUB in self.conversions

    @property
    def is_unproven(self) -> bool:
        """Return whether the difference depends on unknown code: a webhook, or a conversion that is not declared."""
        return not self.is_converted and bool(self.conversions - {AS_IT_IS})

    @property
    def pair(self) -> str:
        """Both versions."""
        return f"{self.lower.name} -> {self.higher.name}"


def served_pairs(group: Group) -> Iterator[tuple[Version, Version]]:
    """Yield all pairs of served versions with kinds, the version of lower priority first."""
    served = (version for version in group.versions.values() if version.served and version.kinds)
    yield from combinations(sorted(served, key=_priority), 2)


def served_differences(surface: Surface, other: Surface) -> Iterator[Difference]:
    """Yield the differences between the served versions of one side.

    Types that `other`, the second side of the review, has with the same content in both versions are omitted, because
    their differences are not new.
    """

    @cache
    def differing(group: str, version: str) -> frozenset[str]:
        """Return the types of a version that only one side has, or that differ."""
        sides = surface.version(group, version), other.version(group, version)
        one, two = ({} if side is None else side.types for side in sides)
        return frozenset(name for name in {*one, *two} if one.get(name) != two.get(name))

    for name, group in surface.groups.items():
        conversions = frozenset(kind.conversion for kind in group.kinds.values())
        known = other.groups.get(name)
        before = set() if known is None else {(low.name, high.name) for low, high in served_pairs(known)}
        for lower, higher in served_pairs(group) if not group.borrowed else ():
            if lower.alike and lower.alike == higher.alike:
                continue
            pair = lower, higher
            if (lower.name, higher.name) in before:
                names = differing(name, lower.name) | differing(name, higher.name)
                pair = _only(lower, names), _only(higher, names)
            for change in compare_versions(*pair):
                if not _declares_the_same(change, lower, higher):
                    yield Difference(lower, higher, change, conversions)


def _only(version: Version, names: frozenset[str]) -> Version:
    return replace(version, types={name: type_ for name, type_ in version.types.items() if name in names})


def _priority(version: Version) -> tuple[bool, str, int, int, str]:
    """Return the sort key of Kubernetes for versions; names of another form come first."""
    rank = version_rank(version.name)
    if rank is None:
        return False, "", 0, 0, version.name
    return True, rank.stability.value, rank.major, rank.step, version.name


def _declares_the_same(change: AnyChange, lower: Version, higher: Version) -> bool:
    """Return whether a changed reference only follows the version: both versions declare a type of the same name."""
    if not isinstance(change, Altered) or change.trait is not Trait.TYPE:
        return False
    before, after = change.before, change.after
    if not isinstance(before, Type) or not isinstance(after, Type):
        return False

    def moved(name: TypeName) -> str:
        is_own = (name.group, name.version) == (lower.group, lower.name)
        return str(TypeName(higher.group, higher.name, name.name) if is_own else name)

    return type_as_text(before, moved) == type_as_text(after, moved)
