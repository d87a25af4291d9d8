"""Feature gates and what depends on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apigen.dataclass import dataclass, replace
from apigen.ir.model import Presence, Release
from apigen.ir.stability import Stability, stability
from apigen.language.model import Stage
from apigen.review.changes.change import Added, Altered, Removed, Trait
from apigen.review.changes.words import value_words
from apigen.review.context import Context
from apigen.review.effects.effects import alike, everywhere, joined
from apigen.review.effects.validation import is_filled_at, of_added, of_removed, woken_at
from apigen.review.gating import is_never_on, mark_of, named
from apigen.review.rules.defaults import is_filled, left_out_hit
from apigen.review.rules.guards import has_gates
from apigen.review.rules.lifecycle.disagreements import disagreement_rule
from apigen.review.rules.lifecycle.serving import Entries
from apigen.review.rules.rule import Issue, change_rule, state_rule
from apigen.review.rules.selecting import added, altered, removed
from apigen.review.rules.verdicts import INFO, at, flat, note, of_version, release_of
from apigen.review.served import Difference
from apigen.review.surface import (
    Element,
    ElementKind,
    Enum,
    Field,
    Gate,
    GateMark,
    GateStage,
    ListOf,
    MapOf,
    Named,
    Scalar,
    Scalars,
    Struct,
    Surface,
    Type,
    behind,
    definition,
)
from apigen.review.verdict.impact import CLIENTS, Direction, Hit, breaks, depends
from apigen.review.verdict.severity import Severities, Severity
from apigen.review.verdict.verdict import Verdict


def guarded_fields(surface: Surface) -> Iterator[tuple[Element, Field, GateMark]]:
    """The fields behind gates in groups that are reviewed, each with its element and its mark."""
    for struct in surface.structs(own=True):
        for field in struct.fields.values():
            if field.gate is not None:
                yield Element(ElementKind.FIELD, *struct.name, field.name), field, field.gate


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of a field on both sides."""

    before: GateMark | None
    after: GateMark | None
    context: Context

    @classmethod
    def of(cls, change: Altered, context: Context) -> Marks:
        """Of a change of the trait `gate`."""
        before, after = (mark if isinstance(mark, GateMark) else None for mark in (change.before, change.after))
        return cls(before, after, context)

    @property
    def narrowing(self) -> tuple[str, ...]:
        """The gates that are disabled by default in the next release and guard the field more than before."""
        known = _dropping(self.before)
        if self.after is not None and self.after.is_any:
            gates = _dropping(self.after)
            keeps_known = bool(known) and set(known) <= set(gates)
            return gates if self._off(gates) == gates and not keeps_known else ()
        return self._off(tuple(gate for gate in _dropping(self.after) if gate not in known))

    @property
    def widening(self) -> tuple[str, ...]:
        """The gates that no longer guard the field and are not locked in the next release."""
        kept = _dropping(self.after)
        if self.before is not None and self.before.is_any and kept:
            return ()
        return tuple(gate for gate in _dropping(self.before) if gate not in kept and not is_settled(gate, self.context))

    @property
    def may_take(self) -> bool:
        """Whether the new mark drops or replaces in its own way, with a gate off by default in the new release."""
        return self.after is not None and not self.after.is_dropped and bool(self._off(self.after.gates))

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


def is_off(gate: str, side: Surface) -> bool:
    """Whether a gate is known, and off by default at the release of a side."""
    found = side.gates.get(gate)
    return found is not None and not found.is_on(side.release_of(found.series))


def was_off(gate: str, context: Context) -> bool:
    """Whether a stage of a gate had begun by the previous release, which is known, and disabled the gate by default."""
    stage = context.gate(context.old, gate)
    is_known = stage is not None and context.old.release_of(context.old.gates[gate].series) is not None
    return is_known and not _is_on(stage)


def is_settled(gate: str, context: Context) -> bool:
    """Whether no server can disable a gate: it is GA, enabled and locked in the next release, or was when it was removed."""
    found = context.new.gates.get(gate) or context.old.gates.get(gate)
    if found is None:
        return False
    stage = found.at(context.new.release_of(found.series))
    if stage is None and found.stages and found.removed is not None:
        stage = found.stages[-1]
    return stage is not None and stage.stage is Stage.GA and stage.default and stage.locked


def _dropping(mark: GateMark | None) -> tuple[str, ...]:
    """The gates of a mark that drops the field; none of a mark that keeps it."""
    return mark.gates if mark is not None and mark.is_dropped else ()


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


Stages = tuple[GateStage | None, GateStage | None]
"""The stages of a gate at the releases of both sides; None before the first stage, and after the gate was removed."""


def stages_of(gate: str, context: Context) -> Stages:
    """The stages of a gate."""
    return context.gate(context.old, gate), context.gate(context.new, gate)


def step(gate: str, stages: Stages, context: Context) -> Verdict:
    """From one stage to the next. An older server drops by default what a gate guards that is now enabled by default."""
    before, after = stages
    was = words(before) if before else "not there"
    now = words(after) if after else "not there"
    message = f"gate {gate} is {now} in {_release_of_gates([gate], context)}, and was {was}"
    return Verdict(
        message, enabled_hits(gate, context) if _is_on(after) and not _is_on(before) else {}, severities=INFO
    )


def _is_on(stage: GateStage | None) -> bool:
    return stage is not None and stage.default


def _release_of_gates(gates: Iterable[str], context: Context) -> str:
    """The next release of the series of some gates, which all belong to one series."""
    found = (side.gates[name].series for side in (context.new, context.old) for name in gates if name in side.gates)
    return release_of(context, next(found, ""))


def enabled_hits(gate: str, context: Context) -> dict[Direction, Hit]:
    """The effects of a gate that changed to enabled by default."""
    dropped = f"a new client sets what {gate} guards, and a server of before with it off drops that"
    kept = f"the release before has {gate} off: objects keep what it guards, and others cannot get it"
    hits = {Direction.NEW_CLIENT: depends(dropped), Direction.ROLLBACK: depends(kept)}
    filled = context.kept(_filled)[1].get(gate)
    if filled:
        found = f"a client of before leaves {filled} out: it is filled in, as before, and judged now"
        hits[Direction.OLD_CLIENT] = depends(found)
    return hits


def disabled_hits(gate: str, context: Context) -> dict[Direction, Hit]:
    """The effects of a gate that changed to disabled by default."""
    hits = {
        Direction.OLD_CLIENT: breaks(f"what {gate} guards is dropped from what clients of before write"),
        Direction.STORED: depends(f"on whether objects use what {gate} guards: they keep it, and others cannot get it"),
    }
    filled = context.kept(_filled)[0].get(gate)
    if filled:
        hits[Direction.NEW_CLIENT] = left_out_hit(filled)
    return hits


def _filled(context: Context) -> tuple[dict[str, str], dict[str, str]]:
    """By gate, for both sides: a field behind the gate that gets a value if it is omitted."""
    return _filled_on(context.old, context), _filled_on(context.new, context)


def _filled_on(side: Surface, context: Context) -> dict[str, str]:
    found: dict[str, str] = {}
    for element, field, mark in guarded_fields(side):
        for gate in mark.gates:
            if is_filled(field, side, context, gate):
                found.setdefault(gate, element.path)
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
    message = (
        f"{change.element} is behind {named(off)} now, which is off by default in {_release_of_gates(off, context)}"
    )
    promise = of_version(change.element) if marks.before is None else context.stability(change.element)
    severities = at(gate_added_to_field.severities, promise)
    if all(was_off(gate, context) for gate in off):
        message += ", and was in the release before"
        reason = "it may have guarded the field there without a mark"
        return Verdict(message, hits, severities=flat(Severity.WARNING), not_verified=reason)
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
    message = f"{change.element} is not behind {named(open_)} any more, which is not GA and locked in {_release_of_gates(open_, context)}"
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
    match change:
        case Removed(part=Gate() as gate):
            return _removed(gate, context)
        case Altered(old=Gate() as old, new=Gate() as new) if _is_gone(new, context.new):
            return _removed(old, context)
        case Altered(old=Gate(removed=before), new=Gate(removed=after), element=element):
            return note(f"gate {element.path} is to go in {after or 'no release'}, and was to in {before or 'none'}")
    return None


def _removed(gate: Gate, context: Context) -> Verdict:
    known = [gate.at(side.release_of(gate.series)) for side in (context.new, context.old)]
    stage = next((each for each in (*known, *reversed(gate.stages)) if each is not None), None)
    if stage is None or stage.locked:
        return note(f"gate {gate.name} was removed; it was {words(stage) if stage else 'never there'}", "nothing")
    text = f"the release before has {gate.name} to switch, and drops what it guards where it is off"
    message = f"gate {gate.name} was removed, which is {words(stage)} in {release_of(context, gate.series)}"
    patch = f"{gate.name}: {{stages: [{', '.join(map(as_yaml, gate.stages))}]}}"
    severities = at(gate_removed.severities, PROMISE[stage.stage])
    return Verdict(message, {Direction.ROLLBACK: breaks(text)}, patch=patch, severities=severities)


@change_rule("gate-regressed", altered(Trait.STAGES, ElementKind.GATE), severities="W/E/E")
def gate_regressed(change: Altered, context: Context) -> Verdict | None:
    """What people rely on is not there any more unless they ask for it."""
    name = change.element.path
    before, after = stages_of(name, context)
    if before is None or after is None:
        return None
    went_off = before.default and not after.default
    if not went_off and ORDER[after.stage] >= ORDER[before.stage]:
        return None
    hits = {Direction.OLD_CLIENT: depends(f"{name} promises less than clients of before were told")}
    if went_off:
        hits = disabled_hits(name, context)
    message = f"gate {name} is {words(after)}, and was {words(before)}"
    promise = PROMISE[Stage.BETA if before.default and before.stage is Stage.ALPHA else before.stage]
    return Verdict(message, hits, patch=as_yaml(before), severities=at(gate_regressed.severities, promise))


@change_rule("gate-on-too-early", added(ElementKind.GATE), altered(Trait.STAGES, ElementKind.GATE), severities="W/E/E")
def gate_on_too_early(change: Added | Altered, context: Context) -> Verdict | None:
    """The release before does not know the field, and drops it from what is stored."""
    name = change.element.path
    before, after = stages_of(name, context)
    if after is None or not after.default or _is_on(before):
        return None
    guarded = _new_fields(name, context)
    if not guarded:
        return None
    field, promise = guarded[0]
    more = f" and {len(guarded) - 1} more" if len(guarded) > 1 else ""
    hits = {
        Direction.NEW_CLIENT: breaks(f"a new client sets {field}, and a server of before drops it"),
        Direction.ROLLBACK: breaks(f"objects have {field}, and the release before drops it"),
    }
    release = _release_of_gates([name], context)
    message = f"gate {name} is on by default in {release}, and {field}{more} is new there"
    off = as_yaml(GateStage(after.release, after.stage, False, False))
    return Verdict(message, hits, patch=off, severities=at(gate_on_too_early.severities, promise))


def _new_fields(gate: str, context: Context) -> list[tuple[str, Stability]]:
    """The fields behind a gate, in types that both sides have, that the old side does not have; the most stable first."""
    found = [
        (f"{struct.name.name}.{field.name}", stability(struct.name.version))
        for struct in context.new.structs(own=True)
        if isinstance(before := context.old.type(struct.name), Struct)
        for field in struct.fields.values()
        if field.gate is not None and gate in field.gate.gates and field.name not in before.fields
    ]
    return sorted(found, key=lambda each: each[1], reverse=True)


@change_rule("gate-history-changed", altered(Trait.STAGES, ElementKind.GATE), severities="W/W/W")
def gate_history_changed(change: Altered, context: Context) -> Verdict | None:
    """Whether something was ever on is read from these stages; one that was off and is on now comes on."""
    old, new, name = change.old, change.new, change.element.path
    assert isinstance(old, Gate) and isinstance(new, Gate)
    was, said = (_begun(gate, context.old.release_of(gate.series)) for gate in (old, new))
    lost = [stage for stage in was if stage not in said]
    made_up = [stage for stage in said if stage not in was]
    if not lost and not made_up:
        return None
    stage = (lost or made_up)[0]
    how = "is not said any more" if lost else "is said now, and was not then"
    hit = depends(f"what {name} let in until {context.old.release_of(old.series)} is judged by what is said now")
    message = f"the stage of gate {name} in {stage.release} {how}: {as_yaml(stage)}"
    now = step(name, stages_of(name, context), context)
    return Verdict(message, joined((now.hits, {Direction.STORED: hit})), patch=as_yaml(stage) if lost else "")


def _begun(gate: Gate, until: Release | None) -> list[GateStage]:
    """The stages that begin by a release; none if the release is not known."""
    return [] if until is None else [stage for stage in gate.stages if stage.release <= until]


@change_rule("gate-graduated", added(ElementKind.GATE), altered(Trait.STAGES, ElementKind.GATE), severities="I/I/I")
def gate_graduated(change: Added | Altered, context: Context) -> Verdict:
    """The gate is new, or it promises more, or more stages are planned."""
    name = change.element.path
    before, after = stages_of(name, context)
    if isinstance(change, Added):
        return note(f"gate {name} is new: {words(after) if after else 'not there yet'}")
    if before == after:
        return note(f"the plans of gate {name} changed: {value_words(change.after)}")
    return step(name, (before, after), context)


@change_rule("gate-dependencies-changed", altered(Trait.DEPENDS_ON, ElementKind.GATE), severities="I/I/I")
def gate_dependencies_changed(change: Altered, context: Context) -> Verdict | None:
    """Who sets gates by hand may have to set more of them."""
    entries = Entries.of(change)
    name = change.element.path
    message = f"dependencies of gate {name} changed: {entries.words}"
    off = [gate for gate in entries.new if is_off(gate, context.new)]
    if not off:
        return Verdict(message)
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
        before, after = known.at(old), gate.at(new)
        if before == after:
            continue
        verdict = step(name, (before, after), context)
        if before is not None and before.default and after is not None and not after.default:
            severities = flat(Severity.WARNING if before.locked or after.locked else Severity.ERROR)
            verdict = replace(verdict, hits=disabled_hits(name, context), severities=severities)
        yield Issue(Element(ElementKind.GATE, path=name), gate.place, verdict, words(after) if after else "gone")


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
    """Servers with the gate enabled may have stored objects with the old form."""
    types = (change.before, context.old), (change.after, context.new)
    before, after = (_form(type_, side) for type_, side in types if isinstance(type_, Type))
    if not before or not after or before == after:
        return None
    if not all(is_never_on(mark_of(change.element, side), side) for side in (context.old, context.new)):
        return None
    hit = breaks(f"{change.element.path} is {before} on one side, and {after} on the other")
    was, now = value_words(change.before), value_words(change.after)
    reason = "its gate is alpha, and objects may have it"
    message = f"{change.element} was {was}, and is {now}, under the same name: {reason}"
    return Verdict(message, everywhere(hit))


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
    """If the gate is disabled, the server treats objects as if the field did not exist."""
    for element, field, mark in guarded_fields(surface):
        problem = _problem(field, mark.gates)
        if problem and is_never_on(mark, surface):
            hit = breaks(f"{element.path} {problem}, and its gate is off")
            hits = alike(hit, Direction.OLD_CLIENT, Direction.STORED, Direction.ROLLBACK)
            message = f"{element} is behind {named(mark.gates)}, which is off by default, and {problem}"
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
    """The server cannot drop a field that is always written."""
    for element, field, mark in guarded_fields(surface):
        if field.presence is not Presence.PLAIN or not is_never_on(mark, surface):
            continue
        read = f"clients of before get {element.path} in every object, and may not know it"
        stored = f"{element.path} is in every object that was written, and the release before drops it"
        hits = {Direction.OLD_CLIENT: depends(read), Direction.ROLLBACK: breaks(stored)}
        message = f"{element} is behind {named(mark.gates)}, which is off by default, and always written"
        yield Issue(element, field.place, Verdict(message, hits, patch="optional: true"))


@state_rule("gate-gone-still-marks", has_gates, severities="E/E/E")
def gate_gone_still_marks(surface: Surface, context: Context) -> Iterator[Issue]:
    """No server can enable a gate that was removed."""
    for element, field, mark in guarded_fields(surface) if surface.gates else ():
        for name in mark.gates:
            gate = surface.gates.get(name)
            if gate is not None and (not _is_gone(gate, surface) or is_settled(name, context)):
                continue
            how = "nothing knows" if gate is None else f"was removed in {gate.removed}"
            unsaid = f"whether a server drops {element.path} cannot be said any more"
            hits = {**everywhere(depends(unsaid)), Direction.OLD_CLIENT: breaks(unsaid)}
            yield Issue(element, field.place, Verdict(f"{element} is behind {name}, which {how}", hits), name)


def _is_gone(gate: Gate, surface: Surface) -> bool:
    release = surface.release_of(gate.series)
    return gate.removed is not None and release is not None and gate.removed <= release


@disagreement_rule("gate-differs-between-versions", severities="E/E/E")
def gate_differs_between_versions(difference: Difference) -> Verdict | None:
    """A field that the server drops in one version is accepted in the other."""
    change, element = difference.change, difference.change.element
    if not isinstance(change, Altered) or change.trait is not Trait.GATE or element.kind is not ElementKind.FIELD:
        return None
    before, after = value_words(change.before), value_words(change.after)
    lower, higher = difference.lower.name, difference.higher.name
    name = element.name
    sent = depends(f"a client that sets {name} loses it by the version that it speaks")
    stored = breaks(f"{name} is in stored objects or is not by the version that wrote them")
    hits = {**alike(sent, *CLIENTS), **alike(stored, Direction.STORED, Direction.ROLLBACK)}
    message = f"{name} is behind {before} in {lower}, and behind {after} in {higher}"
    return Verdict(message, hits)
