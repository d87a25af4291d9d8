"""Which types the served kinds of a surface lead to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from apigen.ir.graphs import walk
from apigen.review.links import Links
from apigen.review.surface import KindVersion, Surface, TypeName, Version


def is_live(version: Version, kind: KindVersion) -> bool:
    """Whether anybody can have objects of a kind in a version today: it is served there, or stored."""
    return (kind.served and version.served) or kind.storage


def is_known(version: Version, kind: KindVersion) -> bool:
    """Any kind: objects of one that is neither served nor stored today may be stored since long ago."""
    return True


def all_are_live(surface: Surface) -> bool:
    """Whether that makes no difference: all kinds of all versions are live."""
    versions = (version for group in surface.groups.values() for version in group.versions.values())
    return all(is_live(version, kind) for version in versions for kind in version.kinds.values())


def no_longer_served(old: Surface, new: Surface) -> frozenset[str]:
    """The kinds of the base that the revision has, but neither serves nor stores, as `group/version Kind`: their schemas
    apply to no object any more.
    """
    versions = (version for group in old.groups.values() for version in group.versions.values())
    return frozenset(
        f"{version} {name}"
        for version in versions
        if (after := new.version(version.group, version.name)) is not None
        for name, kind in version.kinds.items()
        if name in after.kinds and is_live(version, kind) and not is_live(after, after.kinds[name])
    )


class Reachability:
    """By type, the kinds that contain it: those for which `counts` is true, along the links that `leads_to` returns
    (omitted: all links).
    """

    def __init__(
        self,
        surface: Surface,
        counts: Callable[[Version, KindVersion], bool] = is_live,
        leads_to: Callable[[TypeName], Iterable[TypeName]] | None = None,
    ) -> None:
        self._labels: list[str] = []
        roots: dict[TypeName, int] = {}
        for group in surface.groups.values():
            for version in group.versions.values():
                for kind in version.kinds.values():
                    if counts(version, kind):
                        roots[kind.root] = roots.get(kind.root, 0) | 1 << len(self._labels)
                        self._labels.append(f"{version} {kind.kind}")
        self._sets = _carried(roots, Links(surface).of if leads_to is None else leads_to)
        self._kinds: dict[int, frozenset[str]] = {0: frozenset()}

    def kinds(self, name: TypeName) -> frozenset[str]:
        """The kinds that a type is part of, as `group/version Kind`."""
        numbers = self._sets.get(name, 0)
        found = self._kinds.get(numbers)
        if found is None:
            labels = (label for number, label in enumerate(self._labels) if numbers >> number & 1)
            found = self._kinds[numbers] = frozenset(labels)
        return found


def _carried(
    roots: Mapping[TypeName, int], leads_to: Callable[[TypeName], Iterable[TypeName]]
) -> Mapping[TypeName, int]:
    """Return the sets of bits of roots for each type that they contain: from the top down, and types in a cycle
    together.
    """
    found = dict(roots)
    walked = walk(roots, leads_to)
    knots = {name: knot for knot in walked.knots for name in knot}
    for name in reversed(walked.order):
        bits = found.get(name, 0)
        for each in knots.get(name, ()):
            bits |= found.get(each, 0)
        found[name] = bits
        for each in (*leads_to(name), *knots.get(name, ())):
            found[each] = found.get(each, 0) | bits
    return found
