"""A value is spelt in another way."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.rules.claims import added, removed
from apigen.compat.rules.enums.known import is_open, shown, value_change
from apigen.compat.rules.enums.renamed import renamed_from, renamed_to
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.values.enum_json import in_json
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.preset import JSON
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "enum-value-renamed",
    removed(ElementKind.ENUM_VALUE),
    added(ElementKind.ENUM_VALUE),
    severities="W/E/E",
    presets=JSON,
)
def enum_value_renamed(change: AnyChange, context: Context) -> Verdict | None:
    """Told once, where the old value was."""
    found = value_change(change, context)
    if found is None or found.old is None or found.new is None:
        return None
    if not isinstance(change, Removed):
        was = renamed_from(found.value, found.old, found.new)
        silent = Severities.of("-/-/-")
        return None if was is None else Verdict(f"{found.name} was {shown(was.value)}", {}, severities=silent)
    now = renamed_to(found.value, found.old, found.new)
    if now is None:
        return None
    hit = depends if is_open(found.new) and is_open(found.old) else breaks
    new = shown(now.value)
    return Verdict(
        f"{found.name} of `{change.element.type}` is spelt {new}",
        {
            Direction.OLD_CLIENT: hit(f"a client of before that sends {found.name} is refused or not understood"),
            Direction.NEW_CLIENT: hit(
                f"a new client that sends {new} to a server of before is refused or not understood"
            ),
            Direction.STORED: hit(f"{found.name} in a stored object is none of the known values"),
            Direction.ROLLBACK: hit(f"{new} in a stored object is none of the values that the release before knows"),
        },
        examples=(
            Example(Side.OLD, in_json(found.value.value, found.old)),
            Example(Side.NEW, in_json(now.value, found.new)),
        ),
    )
