"""A value is spelt in another way."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.rules.enums.known import is_open, shown, value_change
from apigen.compat.rules.enums.renamed import renamed_from, renamed_to
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.values.enum_json import in_json
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.preset import JSON
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class EnumValueRenamed(ChangeRule):
    """Told once, where the old value was."""

    id = "enum-value-renamed"
    title = "a value of an enum in another spelling"
    severities = Severities.of("W/E/E")
    explanation = (
        "In JSON a value is its text: `always` is not `Always`. Each side refuses the spelling of the other, in requests and in"
        " what is stored. Values with the same number are the same one in protobuf, and not in JSON."
    )
    fix = "keep the old spelling; a version that differs from the hub renames by `hub: {enum: {Old: New}}`"
    presets = JSON

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims both halves of a pair that differs in letters' case or separators alone, or has one number."""
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
                Direction.ROLLBACK: hit(
                    f"{new} in a stored object is none of the values that the release before knows"
                ),
            },
            examples=(
                Example(Side.OLD, in_json(found.value.value, found.old)),
                Example(Side.NEW, in_json(now.value, found.new)),
            ),
        )
