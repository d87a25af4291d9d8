"""A type is gone."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.rules.claims import removed
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import note
from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.preset import Preset
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "type-removed",
    removed(ElementKind.STRUCT),
    removed(ElementKind.ENUM),
    removed(ElementKind.ALIAS),
    severities="W/E/E",
)
def type_removed(change: AnyChange, context: Context) -> Verdict | None:
    """A consequence, mostly: no field names it any more, or the kind is gone that it was part of."""
    if not isinstance(change, Removed):
        return None
    element = change.element
    message = f"{element.kind} {element.type} was removed from {element.group or 'core'}/{element.version}"
    if context.preset is Preset.SOURCE:
        hits = {Direction.OLD_CLIENT: breaks(f"code that uses the class {element.type} does not load any more")}
        return Verdict(
            message,
            hits,
        )
    if _is_library(element, context):
        hits = {
            Direction.OLD_CLIENT: breaks(
                f"an API that is made of {element.type} of {element.version} finds no such type"
            )
        }
        return Verdict(
            message,
            hits,
        )
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
