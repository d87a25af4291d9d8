"""The types that the served kinds of a surface contain."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from apigen.ir.graphs import walk
from apigen.review.links import Links
from apigen.review.surface import KindVersion, Surface, TypeName, Version


def is_live(version: Version, kind: KindVersion) -> bool:
    """Return whether objects of a kind can exist in a version: the version serves or stores it."""
    return (kind.served and version.served) or kind.storage


def is_known(version: Version, kind: KindVersion) -> bool:
    """Return true: objects of a kind that is neither served nor stored now may have been stored by an older release."""
    return True


def all_are_live(surface: Surface) -> bool:
    """Return whether all kinds of all versions are live, so that `is_live` and `is_known` are equal."""
    versions = (version for group in surface.groups.values() for version in group.versions.values())
    return all(is_live(version, kind) for version in versions for kind in version.kinds.values())


def no_longer_served(old: Surface, new: Surface) -> frozenset[str]:
    """Return the kinds of the base that the revision declares, but neither serves nor stores, as `group/version Kind`: their
    schemas no longer apply to any object.
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
    """The kinds that contain each type: kinds for which `counts` is true, along the references that `leads_to` returns
    (default: all).
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
        """Return the kinds that contain a type, as `group/version Kind`."""
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
