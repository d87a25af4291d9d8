"""A type is gone."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.verdicts import note
from apigen.compat.surface.elements import Element
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.preset import Preset
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class TypeRemoved(ChangeRule):
    """A consequence, mostly: no field names it any more, or the kind is gone that it was part of."""

    id = "type-removed"
    title = "a type was removed"
    severities = Severities.of("W/E/E")
    explanation = (
        "Objects do not name their types, so a type that no field names any more is missed by nobody who sends or stores them: what"
        " was removed is the field, and that is judged there. Two do miss it: code that uses the class (preset `source`), and whoever"
        " takes types of a version without kinds, which is a library."
    )
    fix = "keep the type, or remove it with the version that it is of"
    no_witness = "the type is gone: there is nothing left on the other side that an object could be tried with"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Removed):
            return None
        element = change.element
        message = f"{element.kind} {element.type} was removed from {element.group or 'core'}/{element.version}"
        if context.preset is Preset.SOURCE:
            hits = {Direction.OLD_CLIENT: breaks(f"code that uses the class {element.type} does not load any more")}
            return Verdict(message, hits, self.fix)
        if _is_library(element, context):
            hits = {
                Direction.OLD_CLIENT: breaks(
                    f"an API that is made of {element.type} of {element.version} finds no such type"
                )
            }
            return Verdict(message, hits, self.fix)
        return note(f"{message}{_why(element, context)}", "nothing")


def _is_library(element: Element, context: Context) -> bool:
    """Whether the version had no kinds, and has none: its types are there for others."""
    versions = (side.version(element.group, element.version) for side in (context.old, context.new))
    return all(version is None or not version.kinds for version in versions)


def _why(element: Element, context: Context) -> str:
    kinds = sorted(context.old_reach.kinds(element.type_name))
    version = context.old.version(element.group, element.version)
    if version is not None and element.type.removesuffix("List") in version.kinds and element.type.endswith("List"):
        return "; it was the list of a kind"
    if not kinds:
        return "; no kind led to it"
    return f"; it was part of {kinds[0]}{' and others' if len(kinds) > 1 else ''}, where its field or kind is gone"
