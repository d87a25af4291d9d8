"""Objects of a kind say their version and kind now, or no longer."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import silent
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.surface import Kind
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict


@change_rule("type-meta-changed", altered(Trait.TYPE_META, ElementKind.KIND), severities="E/E/E", presets=WIRE)
def type_meta_changed(change: AnyChange, context: Context) -> Verdict | None:
    """`apiVersion` and `kind` are how readers find out what an object is."""
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
