"""A gate is on by default in the release that brings what it guards."""

from __future__ import annotations

from apigen.compat.changes.change import Added, Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import added, altered
from apigen.compat.rules.gates.stages import as_yaml, current
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import at, release_of
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.lifecycle import Gate, GateStage
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Struct
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.verdict import Verdict
from apigen.ir.stability import Stability, stability


@change_rule("gate-on-too-early", added(ElementKind.GATE), altered(Trait.STAGES, ElementKind.GATE), severities="W/E/E")
def gate_on_too_early(change: AnyChange, context: Context) -> Verdict | None:
    """The release before does not know the field, and drops it from what is stored."""
    gate = change.part if isinstance(change, Added) else change.new if isinstance(change, Altered) else None
    if not isinstance(gate, Gate):
        return None
    stage = current(gate, context.new.release_of(gate.series))
    if stage is None or not stage.default or _was_on(change, context):
        return None
    guarded = _new_fields(gate.name, context)
    if not guarded:
        return None
    field, promise = guarded[0]
    more = f" and {len(guarded) - 1} more" if len(guarded) > 1 else ""
    hits = {
        Direction.NEW_CLIENT: breaks(f"a new client sets {field}, and a server of before drops it"),
        Direction.ROLLBACK: breaks(f"objects have {field}, and the release before drops it"),
    }
    message = f"gate {gate.name} is on by default in {release_of(context, gate.series)}, and {field}{more} is new there"
    off = as_yaml(GateStage(stage.release, stage.stage, False, False))
    return Verdict(message, hits, patch=off, severities=at(gate_on_too_early.severities, promise))


def _was_on(change: AnyChange, context: Context) -> bool:
    if not isinstance(change, Altered) or not isinstance(change.old, Gate):
        return False
    stage = current(change.old, context.old.release_of(change.old.series))
    return stage is not None and stage.default


def _new_fields(gate: str, context: Context) -> list[tuple[str, Stability]]:
    """The fields behind a gate, in types that both sides have, that the old side does not have; the most stable first."""
    found = [
        (f"{struct.name.name}.{field.name}", stability(struct.name.version))
        for struct in _structs(context.new)
        if isinstance(before := context.old.type(struct.name), Struct)
        for field in struct.fields.values()
        if field.gate is not None and gate in field.gate.gates and field.name not in before.fields
    ]
    return sorted(found, key=lambda each: each[1], reverse=True)


def _structs(side: Surface) -> list[Struct]:
    groups = (group for group in side.groups.values() if not group.borrowed)
    versions = (version for group in groups for version in group.versions.values())
    return [type_ for version in versions for type_ in version.types.values() if isinstance(type_, Struct)]
