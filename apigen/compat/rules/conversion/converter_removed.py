"""Something that was converted goes over as it is."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.conversion.lens_pairs import LensPairs
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict

_CONVERTING = frozenset({"Webhook", "hub"})


class ConverterRemoved(ChangeRule):
    """What the converter did for objects is not done any more."""

    id = "converter-removed"
    title = "a conversion was removed: a webhook, a lens or a hand-written function"
    severities = Severities.of("W/E/E")
    explanation = (
        "Without its conversion the same bytes are read in every version: fields that have other names or units in one of them are"
        " dropped there, or misread. What is stored in the old form is not read as it was meant."
    )
    fix = "keep the conversion as long as both versions are served, or objects are stored in either"
    no_witness = (
        "it takes the conversion between two versions of one side, and a review runs one version against the other side"
    )

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
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
        return Verdict(f"{change.element.type} is not converted as it was: {what}", hits, self.fix)


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
