"""Something that was converted goes over as it is."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.conversion.lens_pairs import LensPairs
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.verdict import Verdict

_CONVERTING = frozenset({"Webhook", "hub"})


@change_rule(
    "converter-removed",
    altered(Trait.CONVERSION, ElementKind.KIND),
    altered(Trait.LENSES, ElementKind.STRUCT),
    severities="W/E/E",
)
def converter_removed(change: AnyChange, context: Context) -> Verdict | None:
    """What the converter did for objects is not done any more."""
    if not isinstance(change, Altered):
        return None
    what = _removed(change, context)
    if not what:
        return None
    hits = {
        Direction.OLD_CLIENT: depends(f"objects are read without it in the other versions: {what}"),
        Direction.STORED: breaks(f"what is stored is read as it is: {what}"),
        Direction.ROLLBACK: breaks(f"what was written without it is converted by the release before: {what}"),
    }
    return Verdict(
        f"{change.element.type} is not converted as it was: {what}",
        hits,
    )


def _removed(change: Altered, context: Context) -> str:
    if change.trait is Trait.CONVERSION:
        before, after = f"{change.before or 'none'}", f"{change.after or 'none'}"
        if before not in _CONVERTING or after in _CONVERTING or len(_versions(change, context)) < 2:
            return ""
        return f"the conversion was {before}, and is {after}"
    pairs = LensPairs.of(change, context)
    gone = pairs.gone_of_fields_that_stay
    return f"the lens of {gone[0][0]} ({gone[0][1]}) is gone" if gone and pairs.has_others else ""


def _versions(change: Altered, context: Context) -> list[str]:
    group = context.new.groups.get(change.element.group)
    versions = () if group is None else group.versions.values()
    return [version.name for version in versions if change.element.type in version.kinds]
