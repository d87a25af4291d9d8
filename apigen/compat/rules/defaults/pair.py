"""The defaults of a change, and what they do to the field that has them."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.fields.placing import struct_of
from apigen.compat.rules.once_per_change import once_per_change
from apigen.compat.rules.presence.pair import MemberPair, pair_of_fields
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Default, Field
from apigen.compat.values.hits import everywhere
from apigen.compat.values.member import Form
from apigen.compat.verdict.example import Example
from apigen.compat.verdict.impact import Direction, Hits, breaks, depends
from apigen.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class DefaultPair:
    """Both defaults, and the field on both sides where it has them itself: a type above may give it one by path."""

    before: Default | None
    after: Default | None
    members: MemberPair | None

    @property
    def hits(self) -> Hits:
        """What the change does; of a place that is not a field here, and of what stands in a struct that is overwritten, what it may do."""
        if self.members is None:
            return _unknown_place(self)
        overwrites = any(each is not None and each.overwrites for each in (self.before, self.after))
        is_struct = Form.STRUCT in (self.members.old.form, self.members.new.form)
        return _unknown_place(self) if overwrites and is_struct else self.members.passed.hits

    @property
    def examples(self) -> tuple[Example, ...]:
        """Values that show it."""
        return () if self.members is None else self.members.passed.examples

    @property
    def is_unproven(self) -> bool:
        """Whether a value is computed, or the place is not one field."""
        return self.members is None or self.members.is_unproven


@once_per_change
def defaults_of(change: AnyChange, context: Context) -> DefaultPair | None:
    """The defaults of a change of default; None for all else."""
    if not isinstance(change, Altered) or change.trait is not Trait.DEFAULT:
        return None
    before = change.before if isinstance(change.before, Default) else None
    after = change.after if isinstance(change.after, Default) else None
    old, new = _field(change, context.old, before), _field(change, context.new, after)
    members = None if old is None or new is None else pair_of_fields(change, old, new, context)
    return DefaultPair(before, after, members)


def _field(change: Altered, surface: Surface, default: Default | None) -> Field | None:
    struct = struct_of(surface, change.element)
    field = None if struct is None else struct.fields.get(change.element.path)
    return field if field is not None and field.slot.default == default else None


def _unknown_place(pair: DefaultPair) -> Hits:
    before = "nothing" if pair.before is None else pair.before.text
    after = "nothing" if pair.after is None else pair.after.text
    text = f"what is left out meant {before}, and means {after}"
    if pair.before is None:
        return everywhere(depends(text))
    return {
        Direction.OLD_CLIENT: breaks(text),
        Direction.NEW_CLIENT: depends(text),
        Direction.STORED: breaks(text),
        Direction.ROLLBACK: depends(text),
    }
