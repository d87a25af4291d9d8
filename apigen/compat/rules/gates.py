"""Feature gates and what depends on them."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.changes.change import Added, Altered, AnyChange, Removed, Trait
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.gating import is_never_on, mark_of, named
from apigen.compat.rules.claims import added, altered, removed
from apigen.compat.rules.defaults import is_filled, left_out_hit
from apigen.compat.rules.guards import has_gates
from apigen.compat.rules.lifecycle.disagreements import disagreement_rule
from apigen.compat.rules.lifecycle.serving import Entries
from apigen.compat.rules.rule import Issue, change_rule, state_rule
from apigen.compat.rules.verdicts import INFO, at, flat, note, of_version, release_of, series_of_gates
from apigen.compat.served import Difference
from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.lifecycle import Gate, GateMark, GateStage
from apigen.compat.surface.resolving import behind, definition
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Enum, Field, ListOf, MapOf, Named, Scalar, Scalars, Struct, Type
from apigen.compat.values.hits import alike, everywhere, joined
from apigen.compat.values.waking import is_filled_at, of_added, of_removed, woken_at
from apigen.compat.verdict.impact import Direction, Hit, breaks, depends
from apigen.compat.verdict.severity import Severities, Severity
from apigen.compat.verdict.verdict import Verdict
from apigen.dataclass import dataclass
from apigen.ir.model import Presence, Release
from apigen.ir.stability import Stability, stability
from apigen.spec.model import Stage


def guarded_fields(surface: Surface) -> Iterator[tuple[Element, Field, GateMark]]:
    """Each with its element and its mark, those that came along for others left out."""
    for group in surface.groups.values():
        for version in group.versions.values() if not group.borrowed else ():
            for type_ in version.types.values():
                for field in type_.fields.values() if isinstance(type_, Struct) else ():
                    if field.gate is not None:
                        element = Element(ElementKind.FIELD, group.name, version.name, type_.name.name, field.name)
                        yield element, field, field.gate


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of a field on both sides."""

    before: GateMark | None
    after: GateMark | None
    context: Context

    @classmethod
    def of(cls, change: Altered, context: Context) -> Marks:
        """Of a change of the trait `gate`."""
        before, after = change.before, change.after
        return cls(
            before if isinstance(before, GateMark) else None, after if isinstance(after, GateMark) else None, context
        )

    @property
    def narrowing(self) -> tuple[str, ...]:
        """Gates that are off by default in the new release, and ask for more than was asked before."""
        if not _drops(self.after):
            return ()
        assert self.after is not None
        known = self.before.gates if _drops(self.before) and self.before is not None else ()
        if self.after.is_any:
            keeps_known = bool(known) and set(known) <= set(self.after.gates)
            return self.after.gates if self._all_off(self.after) and not keeps_known else ()
        return self._off(tuple(gate for gate in self.after.gates if gate not in known))

    @property
    def widening(self) -> tuple[str, ...]:
        """Gates that were asked, are asked no longer, and are not locked in the new release."""
        if not _drops(self.before):
            return ()
        assert self.before is not None
        kept = self.after.gates if _drops(self.after) and self.after is not None else ()
        if self.before.is_any and kept:
            return ()
        return tuple(gate for gate in self.before.gates if gate not in kept and not is_settled(gate, self.context))

    @property
    def may_take(self) -> bool:
        """Whether the new mark drops or replaces in its own way, with a gate off by default in the new release."""
        return self.after is not None and not _drops(self.after) and bool(self._off(self.after.gates))

    @property
    def is_settled(self) -> bool:
        """Whether nobody can have any of the gates off: GA, on and locked."""
        return all(is_settled(gate, self.context) for gate in self._gates)

    @property
    def may_differ_by_default(self) -> bool:
        """Whether some gate is off by default on a side: then what the marks say beside their gates counts."""
        sides = (self.context.old, self.context.new)
        return any(is_off(gate, side) for gate in self._gates for side in sides)

    @property
    def _gates(self) -> tuple[str, ...]:
        return tuple(gate for mark in (self.before, self.after) if mark is not None for gate in mark.gates)

    def _off(self, gates: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(gate for gate in gates if is_off(gate, self.context.new))

    def _all_off(self, mark: GateMark) -> bool:
        return len(self._off(mark.gates)) == len(mark.gates)


def is_off(gate: str, side: Surface) -> bool:
    """Whether a gate is known, and off by default at the release of a side."""
    found = side.gates.get(gate)
    return found is not None and not found.is_on(side.release_of(found.series))


def was_off(gate: str, side: Surface) -> bool:
    """Whether a gate had begun by the release of a side, which is known, and was off by default there."""
    found = side.gates.get(gate)
    release = None if found is None else side.release_of(found.series)
    stage = None if found is None or release is None else found.at(release)
    return stage is not None and not stage.default


def is_settled(gate: str, context: Context) -> bool:
    """Whether a gate is GA, on and locked in the new release, or was before it went: nobody can have it off."""
    for side in (context.new, context.old):
        found = side.gates.get(gate)
        if found is None:
            continue
        stage = found.at(context.new.release_of(found.series))
        if stage is None and found.stages and found.removed is not None:
            stage = found.stages[-1]
        return stage is not None and stage.stage is Stage.GA and stage.default and stage.locked
    return False


def _drops(mark: GateMark | None) -> bool:
    return mark is not None and mark.is_dropped


ORDER = {Stage.ALPHA: 1, Stage.BETA: 2, Stage.GA: 3, Stage.DEPRECATED: 4}
"""The order in which a gate goes through its stages."""

PROMISE = {
    Stage.ALPHA: Stability.ALPHA,
    Stage.BETA: Stability.BETA,
    Stage.GA: Stability.STABLE,
    Stage.DEPRECATED: Stability.STABLE,
}
"""What a stage promises. What was on until it was deprecated was stable."""


def words(stage: GateStage) -> str:
    """A stage as it is said."""
    name = "GA" if stage.stage is Stage.GA else stage.stage.value
    least = f" where all servers are of {stage.min_compatibility} or newer" if stage.min_compatibility else ""
    return f"{name} and {'on' if stage.default else 'off'}{', locked' if stage.locked else ''}{least}"


def as_yaml(stage: GateStage) -> str:
    """A stage as features.yaml has it."""
    said = [f'release: "{stage.release}"', f"stage: {stage.stage.value}"]
    said += ["default: true"] if stage.default else []
    said += ["locked: true"] if stage.locked else []
    said += [f'minCompatibility: "{stage.min_compatibility}"'] if stage.min_compatibility else []
    return f"{{{', '.join(said)}}}"


def history(gate: Gate, until: Release | None) -> tuple[GateStage, ...]:
    """The stages that came to pass until a release; without one, none is known to have."""
    return () if until is None else tuple(stage for stage in gate.stages if stage.release <= until)


def current(gate: Gate, release: Release | None) -> GateStage | None:
    """The stage at a release; without one the last. None before the first, and after the gate went."""
    if release is None:
        return gate.stages[-1] if gate.stages and gate.removed is None else None
    return gate.at(release)


def step(gate: str, before: GateStage | None, after: GateStage | None, context: Context, fix: str) -> Verdict:
    """From one stage to the next. A gate that comes on lets in what servers of before drop by default."""
    was = words(before) if before else "not there"
    now = words(after) if after else "not there"
    message = f"gate {gate} is {now} in {release_of(context, series_of_gates([gate], context))}, and was {was}"
    comes_on = after is not None and after.default and (before is None or not before.default)
    return Verdict(message, came_on_hits(gate, context) if comes_on else {}, fix, severities=INFO)


def came_on_hits(gate: str, context: Context) -> dict[Direction, Hit]:
    """Of a gate that is on by default, and was off."""
    hits = {
        Direction.NEW_CLIENT: depends(
            f"a new client sets what {gate} guards, and a server of before with it off drops that"
        ),
        Direction.ROLLBACK: depends(
            f"the release before has {gate} off: objects keep what it guards, and others cannot get it"
        ),
    }
    filled = context.kept(_filled)[1].get(gate)
    if filled:
        hits[Direction.OLD_CLIENT] = depends(
            f"a client of before leaves {filled} out: it is filled in, as before, and judged now"
        )
    return hits


def went_off_hits(gate: str, context: Context) -> dict[Direction, Hit]:
    """Of a gate that is off by default, and was on."""
    hits = {
        Direction.OLD_CLIENT: breaks(f"what {gate} guards is dropped from what clients of before write"),
        Direction.STORED: depends(f"on whether objects use what {gate} guards: they keep it, and others cannot get it"),
    }
    filled = context.kept(_filled)[0].get(gate)
    if filled:
        hits[Direction.NEW_CLIENT] = left_out_hit(filled)
    return hits


def _filled(context: Context) -> tuple[dict[str, str], dict[str, str]]:
    """Of both sides, by gate, a field behind it that gets a value where it is left out."""
    return _filled_on(context.old, context), _filled_on(context.new, context)


def _filled_on(side: Surface, context: Context) -> dict[str, str]:
    found: dict[str, str] = {}
    for element, field, mark in guarded_fields(side):
        for gate in mark.gates:
            if gate not in found and is_filled(field, side, context, gate):
                found[gate] = element.path
    return found


@change_rule("gate-added-to-field", altered(Trait.GATE, ElementKind.FIELD), severities="W/E/E", is_excusable=False)
def gate_added_to_field(change: Altered, context: Context) -> Verdict | None:
    """What clients set is dropped without a word, where the gate is off."""
    marks = Marks.of(change, context)
    off = marks.narrowing
    if not off:
        return None
    path = change.element.path
    promised = {
        Direction.OLD_CLIENT: breaks(f"a client of before sets {path}, and a server with {named(off)} off drops it"),
        Direction.STORED: depends(f"on writes: objects that use {path} keep it, and others cannot get it"),
    }
    if is_filled_at(context.old, change.element):
        found = f"a new client that leaves {path} out finds its default there, from a server of before"
        promised[Direction.NEW_CLIENT] = depends(found)
    woken = woken_at(context.old, context.new, change.element)
    hits = of_removed(promised, woken, ratchets=context.old.ratchets)
    message = f"{change.element} is behind {named(off)} now, which is off by default in {release_of(context, series_of_gates(off, context))}"
    promise = of_version(change.element) if marks.before is None else context.stability(change.element)
    severities = at(gate_added_to_field.severities, promise)
    if all(was_off(gate, context.old) for gate in off):
        message += ", and was in the release before: whether it guarded the field there without a mark is not proven"
        return Verdict(message, hits, severities=flat(Severity.WARNING), is_unproven=True)
    return Verdict(message, hits, severities=severities)


@change_rule("gate-mark-removed", altered(Trait.GATE, ElementKind.FIELD), severities="W/E/E", is_excusable=False)
def gate_mark_removed(change: Altered, context: Context) -> Verdict | None:
    """The release before has the gate off still, and drops what the new one lets in."""
    marks = Marks.of(change, context)
    open_ = marks.widening
    if not open_:
        return None
    path = change.element.path
    hits = {
        Direction.ROLLBACK: breaks(f"the release before has {named(open_)} to switch off, and drops {path} then"),
        Direction.NEW_CLIENT: breaks(
            f"a new client sets {path}, and a server of before with {named(open_)} off drops it"
        ),
    }
    if marks.may_take:
        taken = depends(f"what a client of before writes to {path} may be dropped or replaced, as its new mark says")
        hits |= {Direction.OLD_CLIENT: taken, Direction.STORED: taken}
    elif is_filled_at(context.new, change.element):
        found = f"a client of before that leaves {path} out finds its default there, which {named(open_)} kept away"
        hits[Direction.OLD_CLIENT] = depends(found)
    woken = woken_at(context.new, context.old, change.element)
    hits = of_added(hits, woken, ratchets=context.new.ratchets)
    message = f"{change.element} is not behind {named(open_)} any more, which is not GA and locked in {release_of(context, series_of_gates(open_, context))}"
    severities = at(gate_mark_removed.severities, of_version(change.element))
    return Verdict(message, hits, patch=f"featureGate: {open_[0]}", severities=severities)


@change_rule("gate-mark-changed", altered(Trait.GATE, ElementKind.FIELD), severities="I/W/W")
def gate_mark_changed(change: Altered, context: Context) -> Verdict | None:
    """By default nothing changes; those who switch gates find others."""
    marks = Marks.of(change, context)
    message = f"the gate of {change.element} was {value_words(change.before)}, and is {value_words(change.after)}"
    path = change.element.path
    if marks.is_settled:
        return note(message if marks.after is not None else f"{message}; it was locked", "nothing")
    hits = {Direction.OLD_CLIENT: depends(f"who switches gates by hand gets {path} in other cases")}
    if marks.may_differ_by_default:
        text = f"one of both servers may drop or replace {path}, or keep it, where the other one does not"
        hits = everywhere(depends(text))
    return Verdict(message, hits)


@change_rule("gate-removed", removed(ElementKind.GATE), altered(Trait.REMOVED, ElementKind.GATE), severities="W/E/E")
def gate_removed(change: Removed | Altered, context: Context) -> Verdict | None:
    """Servers that are started with it by name do not start, and what it guarded can no longer be switched."""
    if isinstance(change, Removed) and isinstance(change.part, Gate):
        return _gone(change.part, context)
    if isinstance(change, Altered) and isinstance(change.old, Gate) and isinstance(change.new, Gate):
        end, release = change.new.removed, context.new.release_of(change.new.series)
        if end is not None and release is not None and end <= release:
            return _gone(change.old, context)
        return note(
            f"gate {change.new.name} is to go in {end or 'no release'}, and was to in {change.old.removed or 'none'}"
        )
    return None


def _gone(gate: Gate, context: Context) -> Verdict:
    sides = (context.new, context.old)
    stage = next((each for side in sides if (each := current(gate, side.release_of(gate.series))) is not None), None)
    if stage is None and gate.stages:
        stage = gate.stages[-1]
    if stage is None or stage.locked:
        return note(f"gate {gate.name} was removed; it was {words(stage) if stage else 'never there'}", "nothing")
    hits = {
        Direction.ROLLBACK: breaks(
            f"the release before has {gate.name} to switch, and drops what it guards where it is off"
        )
    }
    message = f"gate {gate.name} was removed, which is {words(stage)} in {release_of(context, gate.series)}"
    patch = f"{gate.name}: {{stages: [{', '.join(map(as_yaml, gate.stages))}]}}"
    return Verdict(message, hits, patch=patch, severities=at(gate_removed.severities, PROMISE[stage.stage]))


@change_rule("gate-regressed", altered(Trait.STAGES, ElementKind.GATE), severities="W/E/E")
def gate_regressed(change: Altered, context: Context) -> Verdict | None:
    """What people rely on is not there any more unless they ask for it."""
    if not isinstance(change.old, Gate) or not isinstance(change.new, Gate):
        return None
    before, after = current(change.old, context.old.release_of(change.old.series)), current(
        change.new, context.new.release_of(change.new.series)
    )
    if before is None or after is None:
        return None
    name = change.new.name
    went_off = before.default and not after.default
    if not went_off and ORDER[after.stage] >= ORDER[before.stage]:
        return None
    hits = {Direction.OLD_CLIENT: depends(f"{name} promises less than clients of before were told")}
    if went_off:
        hits = went_off_hits(name, context)
    message = f"gate {name} is {words(after)}, and was {words(before)}"
    promise = PROMISE[Stage.BETA if before.default and before.stage is Stage.ALPHA else before.stage]
    return Verdict(message, hits, patch=as_yaml(before), severities=at(gate_regressed.severities, promise))


@change_rule("gate-on-too-early", added(ElementKind.GATE), altered(Trait.STAGES, ElementKind.GATE), severities="W/E/E")
def gate_on_too_early(change: Added | Altered, context: Context) -> Verdict | None:
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


@change_rule("gate-history-changed", altered(Trait.STAGES, ElementKind.GATE), severities="W/W/W")
def gate_history_changed(change: Altered, context: Context) -> Verdict | None:
    """Whether something was ever on is read from these stages; one that was off and is on now comes on."""
    if not isinstance(change.old, Gate) or not isinstance(change.new, Gate):
        return None
    was, said = (history(gate, context.old.release_of(gate.series)) for gate in (change.old, change.new))
    lost = [stage for stage in was if stage not in said]
    made_up = [stage for stage in said if stage not in was]
    if not lost and not made_up:
        return None
    stage = (lost or made_up)[0]
    how = "is not said any more" if lost else "is said now, and was not then"
    hit = depends(
        f"what {change.new.name} let in until {context.old.release_of(change.old.series)} is judged by what is said now"
    )
    message = f"the stage of gate {change.new.name} in {stage.release} {how}: {as_yaml(stage)}"
    now = step(change.new.name, *_at_both(change.old, change.new, context), context, "")
    return Verdict(message, joined((now.hits, {Direction.STORED: hit})), patch=as_yaml(stage) if lost else "")


def _at_both(old: Gate, new: Gate, context: Context) -> tuple[GateStage | None, GateStage | None]:
    """What both sides have at their own releases: a gate that was off, and is said to have been on, comes on."""
    return current(old, context.old.release_of(old.series)), current(new, context.new.release_of(new.series))


@change_rule("gate-graduated", added(ElementKind.GATE), altered(Trait.STAGES, ElementKind.GATE), severities="I/I/I")
def gate_graduated(change: Added | Altered, context: Context) -> Verdict | None:
    """It is new, or promises more, or more is planned."""
    if isinstance(change, Added) and isinstance(change.part, Gate):
        stage = current(change.part, context.new.release_of(change.part.series))
        return note(f"gate {change.part.name} is new: {words(stage) if stage else 'not there yet'}", "")
    if isinstance(change, Added) or not isinstance(change.old, Gate) or not isinstance(change.new, Gate):
        return None
    before, after = current(change.old, context.old.release_of(change.old.series)), current(
        change.new, context.new.release_of(change.new.series)
    )
    if before == after:
        return note(f"the plans of gate {change.new.name} changed: {value_words(change.after)}")
    return step(change.new.name, before, after, context, "")


@change_rule("gate-dependencies-changed", altered(Trait.DEPENDS_ON, ElementKind.GATE), severities="I/I/I")
def gate_dependencies_changed(change: Altered, context: Context) -> Verdict | None:
    """Who sets gates by hand may have to set more of them."""
    entries = Entries.of(change)
    name = change.element.path
    message = f"dependencies of gate {name} changed: {entries.words}"
    off = [gate for gate in entries.new if is_off(gate, context.new)]
    if not off:
        return Verdict(message, {})
    hit = depends(f"a server that has {name} switched on by hand needs {off[0]}, too")
    return Verdict(message, {Direction.OLD_CLIENT: hit}, severities=Severities.of("W/W/W"))


@state_rule("gate-step-reached", has_gates, severities="I/I/I")
def gate_step_reached(surface: Surface, context: Context) -> Iterator[Issue]:
    """Nothing was written anew: what was planned for a release comes with it."""
    for name, gate in surface.gates.items() if surface is context.new else ():
        known = context.old.gates.get(name)
        old, new = context.old.release_of(gate.series), context.new.release_of(gate.series)
        if old is None or new is None or known is None or known.stages != gate.stages or gate.borrowed:
            continue
        before, after = current(known, old), current(gate, new)
        if before != after:
            element = Element(ElementKind.GATE, path=name)
            verdict = _verdict(name, before, after, context)
            yield Issue(element, gate.place, verdict, words(after) if after else "gone")


def _verdict(name: str, before: GateStage | None, after: GateStage | None, context: Context) -> Verdict:
    verdict = step(name, before, after, context, "")
    if before is None or not before.default or after is None or after.default:
        return verdict
    severity = Severity.WARNING if before.locked or after.locked else Severity.ERROR
    return Verdict(verdict.message, went_off_hits(name, context), severities=flat(severity))


_TEXTS = frozenset({Scalars.STRING, Scalars.BYTES, Scalars.TIME, Scalars.MICRO_TIME, Scalars.DURATION})
_MIXED = frozenset(
    {Scalars.QUANTITY, Scalars.INT_OR_STRING, Scalars.RAW_EXTENSION, Scalars.ANYTHING, Scalars.FIELDS_V1}
)


@change_rule(
    "gated-field-reshaped",
    altered(Trait.TYPE, ElementKind.FIELD),
    altered(Trait.TYPE, ElementKind.ITEM),
    altered(Trait.TYPE, ElementKind.VALUE),
    severities="E/E/E",
    is_excusable=False,
)
def gated_field_reshaped(change: Altered, context: Context) -> Verdict | None:
    """Those who switched the gate on have objects with the old shape, and those who will do get the new one."""
    if not _is_alpha(change.element, context):
        return None
    before, after = (
        _form(value, side)
        for value, side in ((change.before, context.old), (change.after, context.new))
        if isinstance(value, Type)
    )
    if not before or not after or before == after:
        return None
    hit = breaks(f"{change.element.path} is {before} on one side, and {after} on the other")
    was, now = value_words(change.before), value_words(change.after)
    message = (
        f"{change.element} was {was}, and is {now}, under the same name: its gate is alpha, and objects may have it"
    )
    return Verdict(message, dict.fromkeys(Direction, hit))


def _is_alpha(element: Element, context: Context) -> bool:
    """Whether the gates of a field keep it out by default on both sides."""
    return all(is_never_on(mark_of(element, side), side) for side in (context.old, context.new))


def _form(type_: Type, side: Surface) -> str:
    """What a value looks like in JSON; empty where it may look like several."""
    match behind(side, type_):
        case Scalar(Scalars.BOOL):
            return "true or false"
        case Scalar(name) if name in _TEXTS:
            return "a text"
        case Scalar(name):
            return "" if name in _MIXED or name is Scalars.NULL else "a number"
        case ListOf():
            return "a list"
        case MapOf():
            return "an object"
        case Named() as named:
            return {Struct: "an object", Enum: "a text"}.get(type(definition(side, named)), "")
    return ""


@state_rule("gated-field-always-there", has_gates, severities="E/E/E")
def gated_field_always_there(surface: Surface, context: Context) -> Iterator[Issue]:
    """With the gate off the field has to look as if it did not exist."""
    for element, field, mark in guarded_fields(surface):
        if not is_never_on(mark, surface):
            continue
        problem = _problem(field, mark.gates)
        if problem:
            hit = breaks(f"{element.path} {problem}, and its gate is off")
            hits = alike(hit, Direction.OLD_CLIENT, Direction.STORED, Direction.ROLLBACK)
            message = f"{element} is behind {' and '.join(mark.gates)}, which is off by default, and {problem}"
            yield Issue(element, field.place, Verdict(message, hits), problem)


def _problem(field: Field, gates: tuple[str, ...]) -> str:
    if field.required:
        return "is required"
    default = field.slot.default
    if default is not None and not set(gates) & set(default.gates):
        return f"has the default {default.text}, which does not ask the gate"
    return ""


@state_rule("gated-field-always-written", has_gates, severities="W/E/E")
def gated_field_always_written(surface: Surface, context: Context) -> Iterator[Issue]:
    """What cannot be absent cannot be dropped."""
    for element, field, mark in guarded_fields(surface):
        if field.presence is not Presence.PLAIN or not is_never_on(mark, surface):
            continue
        hits = {
            Direction.OLD_CLIENT: depends(f"clients of before get {element.path} in every object, and may not know it"),
            Direction.ROLLBACK: breaks(
                f"{element.path} is in every object that was written, and the release before drops it"
            ),
        }
        message = f"{element} is behind {' and '.join(mark.gates)}, which is off by default, and always written"
        yield Issue(element, field.place, Verdict(message, hits, patch="optional: true"))


@state_rule("gate-gone-still-marks", has_gates, severities="E/E/E")
def gate_gone_still_marks(surface: Surface, context: Context) -> Iterator[Issue]:
    """Nobody can switch on what is not there."""
    for element, field, mark in guarded_fields(surface) if surface.gates else ():
        for name in mark.gates:
            gate = surface.gates.get(name)
            if gate is not None and (not _is_gone(gate, surface) or is_settled(name, context)):
                continue
            how = "nothing knows" if gate is None else f"was removed in {gate.removed}"
            unsaid = f"whether a server drops {element.path} cannot be said any more"
            hits = {**everywhere(depends(unsaid)), Direction.OLD_CLIENT: breaks(unsaid)}
            verdict = Verdict(f"{element} is behind {name}, which {how}", hits)
            yield Issue(element, field.place, verdict, name)


def _is_gone(gate: Gate, surface: Surface) -> bool:
    release = surface.release_of(gate.series)
    return gate.removed is not None and release is not None and gate.removed <= release


@disagreement_rule("gate-differs-between-versions", severities="E/E/E")
def gate_differs_between_versions(difference: Difference) -> Verdict | None:
    """What one version keeps out comes in by the other."""
    change = difference.change
    if (
        not isinstance(change, Altered)
        or change.trait is not Trait.GATE
        or change.element.kind is not ElementKind.FIELD
    ):
        return None
    before, after = value_words(change.before), value_words(change.after)
    lower, higher = difference.lower.name, difference.higher.name
    name = f"{change.element.type}.{change.element.path}"
    hits = {
        Direction.OLD_CLIENT: depends(f"a client that sets {name} loses it by the version that it speaks"),
        Direction.NEW_CLIENT: depends(f"a client that sets {name} loses it by the version that it speaks"),
        Direction.STORED: breaks(f"{name} is in stored objects or is not by the version that wrote them"),
        Direction.ROLLBACK: breaks(f"{name} is in stored objects or is not by the version that wrote them"),
    }
    message = f"{name} is behind {before} in {lower}, and behind {after} in {higher}"
    return Verdict(message, hits)
