"""Feature gates and elements that depend on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apigen.dataclass import dataclass, replace
from apigen.ir.features import STABILITY, removal_of
from apigen.ir.model import Feature, FeatureStage, Presence, Release
from apigen.ir.stability import Stability, stability
from apigen.ir.surface import (
    Element,
    ElementKind,
    Enum,
    Field,
    GateMark,
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
    members_of,
)
from apigen.language.model import Stage
from apigen.review.changes.change import Added, Altered, Removed, Trait
from apigen.review.changes.words import Entries, from_to, value_words
from apigen.review.context import Context
from apigen.review.effects.validation import effects_of_defaulted_struct
from apigen.review.gating import is_never_enabled, mark_of, named
from apigen.review.results import (
    CLIENTS,
    Direction,
    Effect,
    RuleResult,
    Severities,
    Severity,
    Side,
    alike,
    breaks,
    depends,
    everywhere,
    joined,
)
from apigen.review.rules.defaults import is_filled, omission_effect
from apigen.review.rules.lifecycle.disagreements import disagreement_rule
from apigen.review.rules.rule import (
    INFO,
    Issue,
    about,
    added,
    altered,
    at,
    change_rule,
    flat,
    note,
    release_of,
    removed,
    state_rule,
)
from apigen.review.served import Difference


def guarded_fields(surface: Surface) -> Iterator[tuple[Element, Field, GateMark]]:
    """Return the fields behind gates in the reviewed groups, each with its element and its gates."""
    for type_ in surface.types(own=True):
        for element, member in members_of(type_):
            if isinstance(member, Field) and member.gate is not None:
                yield element, member, member.gate


@dataclass(frozen=True, slots=True)
class Marks:
    """The feature gates of a field on both sides."""

    before: GateMark | None
    after: GateMark | None
    context: Context

    @classmethod
    def of(cls, change: Altered, context: Context) -> Marks:
        """Return the gates of a change of the trait `gate`."""
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
        """Return whether the new gates drop or replace values in their own way, and one of them is disabled by default."""
        return self.after is not None and not self.after.is_dropped and bool(self._off(self.after.gates))

    @property
    def is_settled(self) -> bool:
        """Return whether no server can disable any of the gates: they are GA, enabled and locked."""
        return all(is_settled(gate, self.context) for gate in self._gates)

    @property
    def may_differ_by_default(self) -> bool:
        """Return whether some gate is disabled by default on a side, so that the other options of `featureGate:` matter."""
        sides = (self.context.old, self.context.new)
        return any(is_disabled(gate, side) for gate in self._gates for side in sides)

    @property
    def _gates(self) -> tuple[str, ...]:
        return tuple(gate for mark in (self.before, self.after) if mark is not None for gate in mark.gates)

    def _off(self, gates: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(gate for gate in gates if is_disabled(gate, self.context.new))


def is_disabled(gate: str, side: Surface) -> bool:
    """Return whether a gate is known, and disabled by default at the release of a side."""
    found = side.gates.get(gate)
    return found is not None and not found.is_enabled(side.release_of(found.series))


def was_disabled(gate: str, context: Context) -> bool:
    """Return whether a stage of a gate had begun by the previous release, which is known, and disabled the gate by default."""
    stage = context.gate(context.old, gate)
    is_known = stage is not None and context.old.release_of(context.old.gates[gate].series) is not None
    return is_known and not _is_enabled(stage)


def is_settled(gate: str, context: Context) -> bool:
    """Return whether no server can disable a gate: it is GA, enabled and locked in the next release, or was when it was removed."""
    found = context.new.gates.get(gate) or context.old.gates.get(gate)
    if found is None:
        return False
    stage = found.at(context.new.release_of(found.series))
    if stage is None and found.stages and found.removed is not None:
        stage = found.stages[-1]
    return stage is not None and stage.stage is Stage.GA and stage.default and stage.locked


def _dropping(mark: GateMark | None) -> tuple[str, ...]:
    """Return the gates of a field that they drop; empty if they keep it."""
    return mark.gates if mark is not None and mark.is_dropped else ()


PROMISE = {
    Stage.ALPHA: Stability.ALPHA,
    Stage.BETA: Stability.BETA,
    Stage.GA: Stability.STABLE,
    Stage.DEPRECATED: Stability.STABLE,
}
"""The stability of a stage. A feature that was enabled until it was deprecated was stable."""


Stages = tuple[FeatureStage | None, FeatureStage | None]
"""The stages of a gate at the releases of both sides; None before the first stage, and after the gate was removed."""


def stages_of(gate: str, context: Context) -> Stages:
    """Return the stages of a gate on both sides."""
    return context.gate(context.old, gate), context.gate(context.new, gate)


def step(gate: str, stages: Stages, context: Context) -> RuleResult:
    """Return the result for a step from one stage to the next. An older server drops by default what the gate now
    enables.
    """
    before, after = stages
    was = before.words if before else "undeclared"
    now = after.words if after else "undeclared"
    message = f"feature gate `{gate}` changed from {was} to {now} in {_release_of_gates([gate], context)}"
    return RuleResult(
        message,
        enabled_effects(gate, context) if _is_enabled(after) and not _is_enabled(before) else {},
        severities=INFO,
    )


def _is_enabled(stage: FeatureStage | None) -> bool:
    return stage is not None and stage.default


def _release_of_gates(gates: Iterable[str], context: Context) -> str:
    """Return the next release of the series of some gates, which all belong to one series."""
    found = (side.gates[name].series for side in (context.new, context.old) for name in gates if name in side.gates)
    return release_of(context, next(found, ""))


def enabled_effects(gate: str, context: Context) -> dict[Direction, Effect]:
    """Return the effects of a gate that changed to enabled by default."""
    dropped = (
        f"newer clients set fields or values behind `{gate}`, and an older server with the gate disabled drops them"
    )
    kept = f"the previous release disables `{gate}`: objects keep fields behind it, but no other object can get them"
    effects = {Direction.NEW_CLIENT: depends(dropped), Direction.ROLLBACK: depends(kept)}
    filled = context.cached(_filled)[1].get(gate)
    if filled:
        found = f"older clients omit `{filled}`: a default sets it, and the server now keeps and validates it"
        effects[Direction.OLD_CLIENT] = depends(found)
    return effects


def disabled_effects(gate: str, context: Context) -> dict[Direction, Effect]:
    """Return the effects of a gate that changed to disabled by default."""
    effects = {
        Direction.OLD_CLIENT: breaks(f"older clients set fields or values behind `{gate}`, and the server drops them"),
        Direction.STORED: depends(f"stored objects keep fields behind `{gate}`, but no other object can get them"),
    }
    filled = context.cached(_filled)[0].get(gate)
    if filled:
        effects[Direction.NEW_CLIENT] = omission_effect(filled)
    return effects


def _filled(context: Context) -> tuple[dict[str, str], dict[str, str]]:
    """Return a field behind each gate that has a default, for both sides."""
    return _filled_on(context.old, context), _filled_on(context.new, context)


def _filled_on(side: Surface, context: Context) -> dict[str, str]:
    found: dict[str, str] = {}
    for element, _, mark in guarded_fields(side):
        for gate in mark.gates:
            if is_filled(element, side, context, gate):
                found.setdefault(gate, element.path)
    return found


@change_rule("gate-added-to-field", altered(Trait.GATE, ElementKind.FIELD), severities="W/E/E", is_excusable=False)
@about(Marks.of)
def gate_added_to_field(change: Altered, marks: Marks, context: Context) -> RuleResult | None:
    """Servers silently drop values that clients set if the gate is disabled."""
    off = marks.narrowing
    if not off:
        return None
    path = change.element.path
    promised = {
        Direction.OLD_CLIENT: breaks(f"older clients set `{path}`, and a server with {named(off)} disabled drops it"),
        Direction.STORED: depends(f"objects that use `{path}` keep it, but no other object can get it"),
    }
    if is_filled(change.element, context.old, context):
        gets_default = f"newer clients omit `{path}`, and an older server sets it by default"
        promised[Direction.NEW_CLIENT] = depends(gets_default)
    of_structs = effects_of_defaulted_struct(context.old, context.new, change.element, Side.OLD)
    effects = joined((of_structs, promised))
    message = f"{change.element.words} was put behind {named(off)}, which is disabled by default in {_release_of_gates(off, context)}"
    promise = context.stability_behind(marks.before, change.element.version)
    severities = at(gate_added_to_field.severities, promise)
    fix, patch = _restored(marks.before, context) if _dropping(marks.before) and context.new.is_of_specs else ("", "")
    if marks.before is None and all(was_disabled(gate, context) for gate in off):
        message += " and in the previous release"
        doubt = "the gate may have controlled the field without `featureGate:`"
        return RuleResult(message, effects, severities=flat(Severity.WARNING), not_verified=doubt)
    return RuleResult(message, effects, fix, patch, severities=severities)


def _restored(mark: GateMark | None, context: Context) -> tuple[str, str]:
    """Return the fix that restores the gates of a field, and the text to write; without a fix, that of the rule applies."""
    gates = () if mark is None else mark.gates
    names = gates[0] if len(gates) == 1 else f"{{{'any' if mark and mark.is_any else 'all'}: [{', '.join(gates)}]}}"
    patch = f"featureGate: {names}"
    missing = [context.old.gates[gate] for gate in gates if gate in context.old.gates.keys() - context.new.gates.keys()]
    if missing:
        declared = ", ".join(f"`{gate.name}: {{{_stages_as_yaml(gate.stages)}}}`" for gate in missing)
        return f"restore `{patch}`, and in features.yaml {declared}", patch
    return f"restore `{patch}`", patch


@change_rule("gate-mark-removed", altered(Trait.GATE, ElementKind.FIELD), severities="W/E/E", is_excusable=False)
@about(Marks.of)
def gate_mark_removed(change: Altered, marks: Marks, context: Context) -> RuleResult | None:
    """The previous release still disables the gate, and drops the field that the new release accepts."""
    open_ = marks.widening
    if not open_:
        return None
    path = change.element.path
    effects = {
        Direction.ROLLBACK: breaks(f"the previous release drops `{path}` if {named(open_)} is disabled there"),
        Direction.NEW_CLIENT: breaks(
            f"newer clients set `{path}`, and an older server with {named(open_)} disabled drops it"
        ),
    }
    if marks.may_take:
        may_be_dropped = depends(f"the server may drop or replace `{path}` of older clients, as its new gate declares")
        effects |= {Direction.OLD_CLIENT: may_be_dropped, Direction.STORED: may_be_dropped}
    elif is_filled(change.element, context.new, context):
        gets_default = (
            f"older clients omit `{path}`, and the server now sets it by default, which {named(open_)} prevented"
        )
        effects[Direction.OLD_CLIENT] = depends(gets_default)
    of_structs = effects_of_defaulted_struct(context.new, context.old, change.element, Side.NEW)
    message = f"{named(open_)} was removed from {change.element.words}, but is not GA and locked in {_release_of_gates(open_, context)}"
    severities = at(gate_mark_removed.severities, stability(change.element.version))
    fix, patch = _restored(marks.before, context)
    if not context.new.is_of_specs or all(gate in context.new.gates for gate in open_):
        fix = ""
    return RuleResult(message, joined((of_structs, effects)), fix, patch, severities=severities)


@change_rule("gate-mark-changed", altered(Trait.GATE, ElementKind.FIELD), severities="I/W/W")
@about(Marks.of)
def gate_mark_changed(change: Altered, marks: Marks, context: Context) -> RuleResult | None:
    """Only servers with other gate settings are affected."""
    message = f"feature gates of {change.element.words} changed {from_to(change, 'none')}"
    path = change.element.path
    if marks.is_settled:
        return note(message if marks.after is not None else f"{message}; it was locked", "no action is needed")
    effects = {Direction.OLD_CLIENT: depends(f"servers with other gate settings may treat `{path}` differently")}
    if marks.may_differ_by_default:
        text = f"one of the two servers may drop or replace `{path}`, and the other one keeps it"
        effects = everywhere(depends(text))
    return RuleResult(message, effects)


@change_rule("gate-removed", removed(ElementKind.GATE), altered(Trait.REMOVED, ElementKind.GATE), severities="W/E/E")
def gate_removed(change: Removed | Altered, context: Context) -> RuleResult | None:
    """Servers whose configuration names the gate do not start, and the fields behind it cannot be disabled."""
    match change:
        case Removed(part=Feature() as gate):
            return _removed(gate, context)
        case Altered(old=Feature() as old, new=Feature() as new) if _is_removed(new, context.new):
            return _removed(old, context)
        case Altered(old=Feature(removed=before), new=Feature(removed=after), element=element):
            return note(
                f"removal release of feature gate `{element.path}` changed from {before or 'none'} to {after or 'none'}"
            )
    return None


def _removed(gate: Feature, context: Context) -> RuleResult:
    release, name = context.new.release_of(gate.series), gate.name
    known = [gate.at(side.release_of(gate.series)) for side in (context.new, context.old)]
    stage = next((each for each in (*known, *reversed(gate.stages)) if each is not None), None)
    if stage is None or _may_be_removed(gate, stage, release):
        words = stage.words if stage else "undeclared"
        return note(f"feature gate `{name}` was removed; it was {words}", "no action is needed")
    message = f"feature gate `{name}` was removed, but is {stage.words} in {release_of(context, gate.series)}"
    fix, effect = "", breaks(f"the previous release can disable `{name}`, and then drops the fields behind it")
    if stage.locked:
        effect = depends(
            f"servers whose configuration sets `{name}`, or that emulate an earlier release, need the gate"
        )
    if release is not None and stage.stage is not Stage.ALPHA:
        end = removal_of(gate.stages)
        message = f"feature gate `{name}` was removed in {release}: {end.reason}"
        fix = f"restore the gate, and remove it in {end.release}" if end.release is not None else ""
    patch = f"{name}: {{{_stages_as_yaml(gate.stages)}}}"
    severities = at(gate_removed.severities, PROMISE[stage.stage])
    return RuleResult(message, {Direction.ROLLBACK: effect}, fix, patch, severities=severities)


def _may_be_removed(gate: Feature, stage: FeatureStage, release: Release | None) -> bool:
    """Return whether a gate in a stage may be removed in a release. Whether an announced removal is early enough is
    reported when it is announced.
    """
    if release is None:
        return stage.locked
    end = removal_of(gate.stages)
    is_due = end.release is not None and end.release <= release and stage.stage is not Stage.ALPHA
    return is_due or (gate.removed is not None and gate.removed <= release)


@change_rule(
    "gate-history-changed", added(ElementKind.GATE), altered(Trait.STAGES, ElementKind.GATE), severities="E/E/E"
)
def gate_history_changed(change: Added | Altered, context: Context) -> RuleResult | None:
    """A server that emulates a release behaves like it, so the released stages of a gate must not change."""
    old, new = (None, change.part) if isinstance(change, Added) else (change.old, change.new)
    assert isinstance(new, Feature) and (old is None or isinstance(old, Feature))
    was = () if old is None else _released_stages(old, context)
    now = _released_stages(new, context)
    if old is None and now and new.stages[0].stage is Stage.GA:  # it describes the behavior before the gate
        was, now = now[:1], now[1:]
    if old is None:
        fix = "let the gate begin in the next release"
        problem = f"feature gate `{new.name}` is new, but {now[0].release} was released without it" if now else ""
        begun = now[:1]
    else:
        fix, problem = "", "; ".join(_changed_stages(was, now, new.name))
        begun = tuple(stage for stage in now[-1:] if not was or _is_step(was[-1], stage))
    if not problem:
        return None
    before, after = stages_of(new.name, context)
    effects = step(new.name, (before, after), context).effects
    if _is_enabled(before) and not _is_enabled(after):
        effects = disabled_effects(new.name, context)
    since = context.old.release_of(new.series)
    text = f"the stages determine which fields behind `{new.name}` objects may contain since {since}"
    planned = tuple(stage for stage in new.stages if stage not in now and stage not in was)
    stages = (*was, *_moved(begun, planned, context.new.release_of(new.series)), *planned)
    patch = _stages_as_yaml(stages) if stages else ""
    return RuleResult(problem, joined((effects, {Direction.STORED: depends(text)})), fix, patch)


def _released_stages(gate: Feature, context: Context) -> tuple[FeatureStage, ...]:
    """Return the stages of a gate that begin in a release which the base shipped; none if that is not known.

    A base that is not recorded may still be about the next release.
    """
    newest, following = context.old.release_of(gate.series), context.new.release_of(gate.series)
    if newest is None:
        return ()
    is_shipped = context.old.is_recorded or following is None or newest < following
    return tuple(stage for stage in gate.stages if stage.release < newest or (is_shipped and stage.release == newest))


def _changed_stages(was: tuple[FeatureStage, ...], now: tuple[FeatureStage, ...], name: str) -> Iterator[str]:
    """Yield the differences of released stages, for messages."""
    known, current = ({(stage.release, stage.min_compatibility): stage for stage in stages} for stages in (was, now))
    for key, stage in known.items():
        words = f"stage {stage.release} of feature gate `{name}`"
        if key not in current:
            yield f"{words} was removed, but it is released: {stage.words}"
        elif current[key] != stage:
            yield f"{words} changed from {stage.words} to {current[key].words}, but it is released"
    for key, stage in current.items():
        if key not in known:
            yield f"stage {stage.release} of feature gate `{name}` is new, but {stage.release} was released without it"


def _moved(
    begun: tuple[FeatureStage, ...], planned: tuple[FeatureStage, ...], following: Release | None
) -> tuple[FeatureStage, ...]:
    """Return stages that begin in the next release instead; none if it is not known, or has a planned stage."""
    if following is None or any(stage.release <= following for stage in planned):
        return ()
    return tuple(replace(stage, release=following) for stage in begun)


def _is_step(before: FeatureStage, after: FeatureStage) -> bool:
    """Return whether a gate may go from one stage to another one: it is as stable, as enabled, and not the same."""
    if (after.stage, after.default, after.locked) == (before.stage, before.default, before.locked):
        return False
    return (
        after.release > before.release
        and STABILITY[after.stage] >= STABILITY[before.stage]
        and after.default >= before.default
    )


@change_rule("gate-regressed", altered(Trait.STAGES, ElementKind.GATE), severities="W/E/E")
def gate_regressed(change: Altered, context: Context) -> RuleResult | None:
    """A feature that clients rely on is not available any more by default."""
    name = change.element.path
    before, after = stages_of(name, context)
    if before is None or after is None:
        return None
    went_off = before.default and not after.default
    if not went_off and STABILITY[after.stage] >= STABILITY[before.stage]:
        return None
    effects = {Direction.OLD_CLIENT: depends(f"`{name}` is less stable than older clients expect")}
    if went_off:
        effects = disabled_effects(name, context)
    message = f"feature gate `{name}` moved back from {before.words} to {after.words}"
    promise = PROMISE[Stage.BETA if before.default and before.stage is Stage.ALPHA else before.stage]
    assert isinstance(change.old, Feature)
    severities = at(gate_regressed.severities, promise)
    return RuleResult(message, effects, patch=_stages_as_yaml(change.old.stages), severities=severities)


def _stages_as_yaml(stages: Iterable[FeatureStage]) -> str:
    return f"stages: [{', '.join(stage.as_yaml for stage in stages)}]"


@change_rule("gate-graduated", added(ElementKind.GATE), altered(Trait.STAGES, ElementKind.GATE), severities="I/I/I")
def gate_graduated(change: Added | Altered, context: Context) -> RuleResult:
    """The gate is new, or more stable, or more stages are planned."""
    name = change.element.path
    before, after = stages_of(name, context)
    if isinstance(change, Added):
        return note(f"feature gate `{name}` was added: {after.words if after else 'not declared yet'}")
    if before == after:
        return note(f"planned stages of feature gate `{name}` changed to {value_words(change.after)}")
    return step(name, (before, after), context)


@change_rule("gate-dependencies-changed", altered(Trait.DEPENDS_ON, ElementKind.GATE), severities="I/I/I")
def gate_dependencies_changed(change: Altered, context: Context) -> RuleResult | None:
    """Configurations that set the gate may need to set more gates."""
    entries = Entries.of(change)
    name = change.element.path
    message = f"dependencies of feature gate `{name}` changed: {entries.words}"
    off = [gate for gate in entries.new if is_disabled(gate, context.new)]
    if not off:
        return RuleResult(message)
    effect = depends(f"a configuration that enables `{name}` must also enable `{off[0]}`")
    return RuleResult(message, {Direction.OLD_CLIENT: effect}, severities=Severities.of("W/W/W"))


@state_rule("gate-step-reached", severities="I/I/I")
def gate_step_reached(surface: Surface, context: Context) -> Iterator[Issue]:
    """The specs did not change, but a planned stage begins with this release."""
    for name, gate in surface.gates.items() if surface is context.new else ():
        known = None if name in surface.borrowed_gates else context.old.gates.get(name)
        old, new = context.old.release_of(gate.series), context.new.release_of(gate.series)
        if old is None or new is None or known is None or known.stages != gate.stages:
            continue
        before, after = known.at(old), gate.at(new)
        if before == after:
            continue
        result = step(name, (before, after), context)
        if before is not None and before.default and after is not None and not after.default:
            severities = flat(Severity.WARNING if before.locked or after.locked else Severity.ERROR)
            result = replace(result, effects=disabled_effects(name, context), severities=severities)
        yield Issue(Element(ElementKind.GATE, path=name), gate.place, result, after.words if after else "gone")


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
def gated_field_reshaped(change: Altered, context: Context) -> RuleResult | None:
    """Servers with the gate enabled may have stored objects with the old form."""
    types = (change.before, context.old), (change.after, context.new)
    before, after = (_form(type_, side) for type_, side in types if isinstance(type_, Type))
    if not before or not after or before == after:
        return None
    if not all(is_never_enabled(mark_of(change.element, side), side) for side in (context.old, context.new)):
        return None
    effect = breaks(f"`{change.element.path}` is {before} on one side, and {after} on the other")
    reason = "its gate is alpha, but stored objects may contain it"
    message = f"type of {change.element.words} changed {from_to(change)} under the same name; {reason}"
    return RuleResult(message, everywhere(effect))


def _form(type_: Type, side: Surface) -> str:
    """Return the JSON form of a value; empty if it can have several."""
    match behind(side, type_):
        case Scalar(Scalars.BOOL):
            return "a boolean"
        case Scalar(name) if name in _TEXTS:
            return "a string"
        case Scalar(name):
            return "" if name in _MIXED or name is Scalars.NULL else "a number"
        case ListOf():
            return "a list"
        case MapOf():
            return "an object"
        case Named() as named:
            return {Struct: "an object", Enum: "a string"}.get(type(definition(side, named)), "")
    return ""


@state_rule("gated-field-always-present", severities="E/E/E")
def gated_field_always_present(surface: Surface, context: Context) -> Iterator[Issue]:
    """If the gate is disabled, the server treats objects as if the field did not exist."""
    for element, field, mark in guarded_fields(surface):
        if field.required and is_never_enabled(mark, surface):
            effect = breaks(f"`{element.path}` is required, and its gate is disabled")
            effects = alike(effect, Direction.OLD_CLIENT, Direction.STORED, Direction.ROLLBACK)
            message = f"{element.words} is behind {named(mark.gates)}, which is disabled by default, but is required"
            yield Issue(element, field.place, RuleResult(message, effects, patch="optional: true"), "is required")


@state_rule("gated-field-always-written", severities="W/E/E")
def gated_field_always_written(surface: Surface, context: Context) -> Iterator[Issue]:
    """The server cannot drop a field that is always written."""
    for element, field, mark in guarded_fields(surface):
        if field.presence is not Presence.PLAIN or not is_never_enabled(mark, surface):
            continue
        read = f"older clients receive `{element.path}` in every object, and may not know it"
        stored = f"every written object contains `{element.path}`, and the previous release drops it"
        effects = {Direction.OLD_CLIENT: depends(read), Direction.ROLLBACK: breaks(stored)}
        message = f"{element.words} is behind {named(mark.gates)}, which is disabled by default, but is always written"
        yield Issue(element, field.place, RuleResult(message, effects, patch="optional: true"))


@state_rule("removed-gate-still-referenced", severities="E/E/E")
def removed_gate_still_referenced(surface: Surface, context: Context) -> Iterator[Issue]:
    """No server can enable a gate that was removed."""
    for element, field, mark in guarded_fields(surface) if surface.gates else ():
        for name in mark.gates:
            gate = surface.gates.get(name)
            if gate is not None and (not _is_removed(gate, surface) or is_settled(name, context)):
                continue
            how = "is not declared" if gate is None else f"was removed in {gate.removed}"
            unknown = f"servers can no longer enable or disable `{element.path}`"
            effects = {**everywhere(depends(unknown)), Direction.OLD_CLIENT: breaks(unknown)}
            yield Issue(
                element,
                field.place,
                RuleResult(f"{element.words} is behind feature gate `{name}`, which {how}", effects),
                name,
            )


def _is_removed(gate: Feature, surface: Surface) -> bool:
    release = surface.release_of(gate.series)
    return release is not None and gate.is_removed(release)


@disagreement_rule("gate-differs-between-versions", severities="E/E/E")
def gate_differs_between_versions(difference: Difference) -> RuleResult | None:
    """A field that the server drops in one version is accepted in the other."""
    change, element = difference.change, difference.change.element
    if not isinstance(change, Altered) or change.trait is not Trait.GATE or element.kind is not ElementKind.FIELD:
        return None
    before, after = value_words(change.before), value_words(change.after)
    lower, higher = difference.lower.name, difference.higher.name
    name = element.name
    sent = depends(f"clients that set `{name}` lose it in one of the versions")
    stored = breaks(f"stored objects contain `{name}` only if they were written in one of the versions")
    effects = {**alike(sent, *CLIENTS), **alike(stored, Direction.STORED, Direction.ROLLBACK)}
    message = f"feature gates of `{name}` differ: {before} in {lower}, {after} in {higher}"
    return RuleResult(message, effects)
