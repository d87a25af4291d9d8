"""Something is converted in another way."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.conversion.lens_pairs import LensPairs
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import note, silent
from apigen.compat.surface.elements import ElementKind
from apigen.compat.values.hits import alike
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "conversion-changed",
    altered(Trait.LENSES, ElementKind.STRUCT),
    altered(Trait.CONVERSION, ElementKind.KIND),
    severities="I/W/W",
)
def conversion_changed(change: AnyChange, context: Context) -> Verdict | None:
    """An object may mean something else in the other versions than it did."""
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
    return Verdict(message, hits, is_unproven=True)
