"""Objects of a kind say their version and kind now, or no longer."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.verdicts import silent
from apigen.compat.surface.surface import Kind
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class TypeMetaChanged(ChangeRule):
    """`apiVersion` and `kind` are how readers find out what an object is."""

    id = "type-meta-changed"
    title = "`apiVersion` and `kind` came to objects of a kind, or went"
    severities = Severities.of("E/E/E")
    explanation = (
        "Whoever reads an object finds its codec by `apiVersion` and `kind`. Objects without them are nobody's, and those that have"
        " them although their kind says that they have none lose them when they are written again."
    )
    fix = "leave `typeMeta` as it was; a kind that says its version is a new kind beside this one"
    no_witness = "an object without them is found by nobody, so there is none to decode"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims kinds whose objects say so now, or no longer; some forms of inputs say nothing of it."""
        if not isinstance(change, Altered) or not isinstance(change.old, Kind) or not isinstance(change.new, Kind):
            return None
        if change.old.type_meta is None or change.new.type_meta is None:
            return silent("one side says nothing of `apiVersion` and `kind`")
        kind, came = change.element.type, change.new.type_meta
        verb = "say" if came else "no longer say"
        finds = f"expects objects of kind {kind} {'without' if came else 'with'} `apiVersion` and `kind`"
        meets = f"expects objects of kind {kind} {'with' if came else 'without'} `apiVersion` and `kind`"
        hits = {
            Direction.OLD_CLIENT: breaks(f"a client of before {finds}, and the server {meets}"),
            Direction.NEW_CLIENT: breaks(f"a new client {meets}, and a server of before {finds}"),
            Direction.STORED: breaks(f"the new release {meets}, and those that are stored are of the other sort"),
            Direction.ROLLBACK: breaks(
                f"the release before {finds}, and those that the new one stored are of the other sort"
            ),
        }
        return Verdict(f"objects of kind {kind} {verb} `apiVersion` and `kind`", hits)
