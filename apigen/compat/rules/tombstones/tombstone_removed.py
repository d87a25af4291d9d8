"""Nothing keeps a name or number from coming back any more."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.tombstones.stones import freed_by
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class TombstoneRemoved(ChangeRule):
    """Nobody is hurt today, and somebody will be who does not know what was there."""

    id = "tombstone-removed"
    title = "a tombstone or reservation was removed"
    severities = Severities.of("E/E/E")
    explanation = (
        "A tombstone is all that is left of a name or number that objects may have still. Without it, the next one who adds a field"
        " may take it, and old objects are read as something that they are not. It costs a line, and stays for ever."
    )
    fix = "put the tombstone back"
    presets = WIRE
    is_excusable = False
    no_witness = "it breaks when the name or number is used again, which neither side does"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        freed = freed_by(change, context.new)
        if freed is None:
            return None
        hit = depends(f"on whether anybody ever uses {freed.words} again")
        where = change.element.type or change.element.group or "core"
        message = f"nothing keeps {freed.words} of {where} from coming back any more"
        return Verdict(message, {Direction.STORED: hit, Direction.ROLLBACK: hit}, self.fix)
