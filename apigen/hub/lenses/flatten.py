"""`.`: the hub has the fields of a struct of this version in the parent of the struct."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.dataclass import dataclass
from apigen.hub.steps import Loss, Parent, Side, Step
from apigen.ir.expressions import Both, Either, IsNone, Literal, Test, are_set, at, guards
from apigen.ir.model import Field, FieldPath, json_names, optional_parents, spell


@dataclass(frozen=True, slots=True)
class OptionalParent(Step):
    """An optional struct that contains the mapped fields on one side only.

    `members` are the mapped fields in it, each with the test that its value does not restore the struct; if none does,
    the struct is unset, unless it is always set. `paired`: the other side has the struct, too, at that path, and
    `siblings` are fields of the other side that are moved into it, each with the test that its value creates the struct.
    """

    side: Side
    path: FieldPath
    members: tuple[tuple[FieldPath, Test], ...]
    policy: Parent
    paired: FieldPath | None = None
    siblings: tuple[tuple[FieldPath, Test], ...] = ()

    def losses(self) -> Iterable[Loss]:
        if self.paired is not None:
            yield from self._paired_loss(self.paired)
        place = spell(self.path)
        if self.policy is Parent.ALWAYS:
            yield Loss(self.side, place, "it is absent", Either(_absent(self.path)), "parent: always", becomes="empty")
        elif self.paired is None and not self._has_restoring_member():
            test = Both((*guards("obj", self.path), *are_set("obj", self.path), *self._empty_members()))
            yield Loss(self.side, place, "it is set and empty", test, "parent: whenSet", becomes="absent")

    def _paired_loss(self, paired: FieldPath) -> Iterable[Loss]:
        side, holder = (Side.VERSION, "hub") if self.side is Side.HUB else (Side.HUB, "version")
        unset = Either(_absent(paired))
        if self.policy is Parent.ALWAYS:
            yield Loss(side, spell(paired), "it is absent", unset, "parent: always", becomes="empty")
            return
        outside = [each for each in self.siblings if json_names(each[0])[: len(paired)] != json_names(paired)]
        if outside:  # a field that is in the struct on both sides is unset with it
            filled = Either(tuple(Both((*guards("obj", path), builds)) for path, builds in outside))
            when = f"it is absent, and a field is set that the {holder} has in it"
            yield Loss(side, spell(paired), when, Both((unset, filled)), "parent: whenSet", becomes="empty")

    def _has_restoring_member(self) -> bool:
        """Return whether some member restores the struct with any value."""
        return any(
            is_lost == Literal(False) and not any(len(parent) > len(self.path) for parent in optional_parents(member))
            for member, is_lost in self.members
        )

    def _empty_members(self) -> Iterable[Test]:
        """Tests: members do not restore the struct, or an optional struct between it and them is absent."""
        zeros: dict[tuple[FieldPath, ...], list[Test]] = {}
        for member, is_lost in self.members:
            between = tuple(p for p in optional_parents(member) if len(p) > len(self.path))
            zeros.setdefault(between, []).append(is_lost)
        for between, tests in zeros.items():
            if between:
                yield Either((*(IsNone(at("obj", path)) for path in between), Both(tuple(tests))))
            else:
                yield from tests


def _absent(path: FieldPath) -> tuple[Test, ...]:
    """Tests: the struct at a path of `obj` is absent, or one that contains it."""
    return tuple(IsNone(at("obj", each)) for each in (*optional_parents(path), path))


def flattens(field: Field) -> bool:
    """Return whether a field's lens is `.`."""
    return field.hub is not None and field.hub.is_flattening
