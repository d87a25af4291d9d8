"""The lenses of a struct on both sides, by path."""

from __future__ import annotations

import re
from collections.abc import Mapping

from apigen.compat.changes.change import Altered
from apigen.compat.context import Context
from apigen.compat.surface.members import field_of
from apigen.compat.surface.types import Struct
from apigen.dataclass import dataclass

_HUB = "hub "
"""Before the paths of what only the hub has."""

_KEY = re.compile(r'annotation: "[^"]*"')
_DROP = "drop: "


@dataclass(frozen=True, slots=True)
class LensPairs:
    """Lenses before and after, and the struct on both sides. `has_others`: the group has more than one version to convert between."""

    before: Mapping[str, str]
    after: Mapping[str, str]
    old: Struct
    new: Struct
    has_others: bool

    @classmethod
    def of(cls, change: Altered, context: Context) -> LensPairs:
        """Of a change of the trait `lenses` of a struct."""
        assert isinstance(change.old, Struct)
        assert isinstance(change.new, Struct)
        group = context.new.groups.get(change.element.group)
        others = () if group is None else group.versions
        return cls(dict(change.old.lenses), dict(change.new.lenses), change.old, change.new, len(others) > 1)

    @property
    def gone_of_fields_that_stay(self) -> list[tuple[str, str]]:
        """Lenses without successor whose field is there on both sides."""
        return [
            (path, lens)
            for path, lens in self.before.items()
            if path not in self.after and self._stays(path) and not _is_told_elsewhere(lens)
        ]

    @property
    def other_of_fields_that_stay(self) -> list[tuple[str, str, str]]:
        """Lenses that came or say something else, whose field is there on both sides: path, before, after."""
        return [
            (path, self.before.get(path, "as it is"), lens)
            for path, lens in self.after.items()
            if self.before.get(path) != lens
            and self._stays(path)
            and not _is_same_apart(self.before.get(path, ""), lens)
        ]

    def _stays(self, path: str) -> bool:
        sides = [field_of(each, path.removeprefix(_HUB)) is not None for each in (self.old, self.new)]
        # a field that came or went is told itself, and so is its lens with it
        return not any(sides) if path.startswith(_HUB) else all(sides) or path.startswith("as ")


def _is_told_elsewhere(lens: str) -> bool:
    """Whether annotations and losses have rules of their own for it."""
    return bool(_KEY.search(lens)) or _DROP in lens


def _is_same_apart(before: str, after: str) -> bool:
    """Whether two lenses differ in what has rules of its own: the key of an annotation, or that the value is lost."""
    keys = [_KEY.search(lens) for lens in (before, after)]
    if _DROP in before or _DROP in after:
        return True
    if any(key is None for key in keys):
        return any(key is not None for key in keys)
    return _KEY.sub("", before) == _KEY.sub("", after)
