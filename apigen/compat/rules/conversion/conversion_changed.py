"""Something is converted in another way."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.conversion.lens_pairs import LensPairs
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.verdicts import note, silent
from apigen.compat.values.hits import alike
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class ConversionChanged(ChangeRule):
    """An object may mean something else in the other versions than it did."""

    id = "conversion-changed"
    title = "a value is carried to other versions in another way"
    severities = Severities.of("I/W/W")
    explanation = (
        "What one version writes is shown in the others by way of the hub. Another lens shows the same stored object otherwise than"
        " before, unless both ends changed together: that is not decided here. The hub itself is never written."
    )
    fix = "keep the lens of what was released; compare `apigen proof` of both sides"
    no_witness = (
        "it takes the conversion between two versions of one side, and a review runs one version against the other side"
    )

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Altered):
            return None
        if change.trait is Trait.CONVERSION:
            before, after = change.before or "none", change.after or "none"
            return note(f"the conversion of {change.element.type} was {before}, and is {after}", "nothing")
        pairs = LensPairs.of(change, context)
        other = pairs.other_of_fields_that_stay
        where = f"{change.element.type} of {change.element.version}"
        if not pairs.has_others:
            return note(f"lenses of {where} changed; no other version is there to convert to", "nothing")
        if not other:
            return silent(f"lenses of {where} changed with what is told of fields, annotations and losses")
        path, before, after = other[0]
        hit = depends(f"on whether the other versions changed with it: {path} was carried {before}, and is {after}")
        hits = alike(hit, Direction.OLD_CLIENT, Direction.STORED, Direction.ROLLBACK)
        message = f"{path} of {where} was carried {before}, and is {after}; that objects look the same is not proven"
        return Verdict(message, hits, self.fix, is_unproven=True)
