"""The lenses of a struct on both sides, by path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apigen.compat.changes.change import Altered
from apigen.compat.context import Context
from apigen.compat.surface.members import field_of
from apigen.compat.surface.types import Struct


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
        return [(path, lens) for path, lens in self.before.items() if path not in self.after and self._stays(path)]

    @property
    def other_of_fields_that_stay(self) -> list[tuple[str, str, str]]:
        """Lenses that came or say something else, whose field is there on both sides: path, before, after."""
        return [
            (path, self.before.get(path, "as it is"), lens)
            for path, lens in self.after.items()
            if self.before.get(path) != lens and self._stays(path)
        ]

    def _stays(self, path: str) -> bool:
        if path.startswith(("hub ", "as ")):
            return True
        return field_of(self.old, path) is not None and field_of(self.new, path) is not None
