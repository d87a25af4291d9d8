"""One served version has a field, and another has not."""

from __future__ import annotations

from apigen.compat.changes.change import Added, Removed
from apigen.compat.rules.lifecycle.disagreement import disagreement_rule, of_both
from apigen.compat.served import Difference
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction
from apigen.compat.verdict.verdict import Verdict


@disagreement_rule("field-in-some-versions-only", severities="E/E/E")
def field_in_some_versions_only(difference: Difference) -> Verdict | None:
    """Who writes the object in the version without it deletes the field."""
    change = difference.change
    if not isinstance(change, Added | Removed) or change.element.kind is not ElementKind.FIELD:
        return None
    if difference.is_converted:
        return None
    has, lacks = difference.higher.name, difference.lower.name
    if isinstance(change, Removed):
        has, lacks = lacks, has
    field = ".".join(part for part in (change.element.type, change.element.path) if part)
    hits = {
        Direction.OLD_CLIENT: f"a client that writes the object in {lacks} deletes {field}",
        Direction.STORED: f"an object that is stored in {lacks} has no {field}",
        Direction.ROLLBACK: f"what was written in {lacks} meanwhile has lost {field}",
    }
    return of_both(difference, f"{field} is in {has}, and {lacks}, which is served too, loses it", hits)
