"""Both sides of a field that stays, as they handle it."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.once_per_change import once_per_change
from apigen.compat.surface.types import Field
from apigen.compat.values.hits import joined
from apigen.compat.values.member import Computed, Form, Member, member_of
from apigen.compat.values.passing import Passed, passed
from apigen.compat.values.unjudged import hits_left_out
from apigen.compat.values.wire import is_on_wire
from apigen.compat.verdict.impact import Impact
from apigen.dataclass import dataclass, replace
from apigen.ir.model import Presence

_POINTERS = (Presence.OPTIONAL, Presence.NULLABLE)


@dataclass(frozen=True, slots=True)
class MemberPair:
    """A field before and after, and what each direction does to it. All that changed of it at once is in that."""

    old: Member
    new: Member
    passed: Passed

    @property
    def form(self) -> Form:
        """The form of its values; after the change where that differs."""
        return self.new.form

    @property
    def was_pointer(self) -> bool:
        """Whether it could be nothing, which was not zero, as a pointer in Go can."""
        return self.old.presence in _POINTERS

    @property
    def is_pointer(self) -> bool:
        """Whether it can be nothing now."""
        return self.new.presence in _POINTERS

    @property
    def breaks(self) -> bool:
        """Whether any direction surely breaks."""
        return any(hit.impact is Impact.BREAKS for hit in self.passed.hits.values())

    @property
    def refuses(self) -> bool:
        """Whether any direction is refused by validation itself."""
        return any(hit.impact is Impact.BREAKS for hit in self.passed.refusals.values())

    @property
    def is_unproven(self) -> bool:
        """Whether a default has to be computed, which is not done here."""
        return any(isinstance(side.default, Computed) for side in (self.old, self.new))


@once_per_change
def members_of(change: AnyChange, context: Context) -> MemberPair | None:
    """The field of a change that both sides have; None for all else."""
    if not isinstance(change, Altered) or not isinstance(change.old, Field) or not isinstance(change.new, Field):
        return None
    return pair_of_fields(change, change.old, change.new, context)


def pair_of_fields(change: AnyChange, before: Field, after: Field, context: Context) -> MemberPair:
    """Two fields that are one. A default that a type above may give is not known here, so it counts as computed.

    It need not be for this place: what the fields do without it counts as well.
    """
    old, new = member_of(context.old_types, before), member_of(context.new, after)
    found = _passed(old, new, change, context)
    above = context.filled_from_above
    if before.name in above[0] or after.name in above[1]:
        old = _from_above(old) if before.name in above[0] else old
        new = _from_above(new) if after.name in above[1] else new
        filled = _passed(old, new, change, context)
        found = Passed(
            joined((found.hits, filled.hits)),
            found.examples + filled.examples,
            joined((found.refusals, filled.refusals)),
        )
    return MemberPair(old, new, found)


def _passed(old: Member, new: Member, change: AnyChange, context: Context) -> Passed:
    name, sides = change.element.type_name, context.unjudged
    in_status = name in sides[0].in_status, name in sides[1].in_status
    has_wire = is_on_wire(change.element, context)
    found = passed(old, new, has_wire=has_wire, in_status=in_status)
    return replace(found, hits=joined((found.hits, hits_left_out(old, new, name, sides, has_wire=has_wire))))


def _from_above(member: Member) -> Member:
    return replace(member, default=Computed("a default from a type above, or its own"))
