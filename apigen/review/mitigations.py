"""Mitigations: facts about both sides that lower the severity of a finding, and how they are verified."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from apigen.dataclass import dataclass
from apigen.ir.model import Lifecycle
from apigen.ir.stability import Stability, stability
from apigen.ir.surface import (
    Branch,
    CelRule,
    Default,
    Element,
    ElementKind,
    Enum,
    EnumValue,
    Field,
    GateMark,
    Keyword,
    KindVersion,
    Slot,
    Struct,
    Surface,
    TypeDef,
    TypeName,
    Version,
    field_of,
    struct_of,
)
from apigen.language.json_values import JsonValue
from apigen.review.changes.change import Added, Altered, AnyChange, Removed, Trait, Value
from apigen.review.changes.words import value_words
from apigen.review.context import Context
from apigen.review.gating import OF_TYPES, Use, first_enabled, is_accepted, is_never_enabled, mark_of, named
from apigen.review.results import CLIENTS, Direction, Effects, Impact, MitigationResult, RuleResult, Severity, depends
from apigen.review.windows import too_early

Consider = Callable[[AnyChange, RuleResult, Context], MitigationResult | None]
"""Return whether the mitigation applies to a change, with the reason; None if it is not relevant for the change."""


@dataclass(frozen=True, slots=True, eq=False)
class Mitigation:
    """A fact that lowers the severity of a change, verified on both sides.

    `from_severity` is the minimum severity of changes for which it is evaluated.
    """

    name: str
    consider: Consider
    from_severity: Severity


def mitigation(name: str, *, from_severity: Severity = Severity.SILENT) -> Callable[[Consider], Mitigation]:
    """Make a function the mitigation of this name."""
    return lambda consider: Mitigation(name, consider, from_severity)


_ALL = frozenset(Direction)
_BY_NEW = frozenset({Direction.OLD_CLIENT, Direction.STORED})
"""The directions in which the revision reads older values."""


@mitigation("disabled gate")
def gate_disabled(change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
    """The element is behind a gate that is disabled by default in both releases, and in all earlier ones.

    The gate is on the element, or on each path from a kind to it. Only objects of servers with the gate enabled contain
    the element, so only their clients are affected.

    Returns None for elements without values, and without a gate on either side.
    """
    element = change.element
    if element.kind not in OF_TYPES or not result.effects:
        return None
    uses = (context.old_facts.openness.use(element), context.new_facts.openness.use(element))
    marked = next((side for side in (context.new, context.old) if mark_of(element, side) is not None), None)
    if Use.NEVER not in uses:
        return None if marked is None else MitigationResult(False, _why_on(element, marked, ""))
    if Use.OPEN in uses:
        side, which = (context.old, "base") if uses[0] is Use.OPEN else (context.new, "revision")
        return MitigationResult(False, _why_on(element, side, which))
    mark = None if marked is None else mark_of(element, marked)
    guard = f"every field that uses `{element.type}` is behind a gate that is"
    if mark is not None:
        guard = f"{named(mark.gates)} {'is' if len(mark.gates) == 1 else 'are'}"
    reason = f"{guard} disabled by default in both releases and all earlier ones"
    return MitigationResult(True, reason, softens=_ALL, at_most=Severity.WARNING)


def _why_on(element: Element, side: Surface, which: str) -> str:
    mark = mark_of(element, side)
    if mark is None:
        return f"the {which} has no feature gate on {element.words}"
    names = named(mark.gates)
    if not mark.is_dropped:
        return f"{names} does not drop the element: objects keep it while the gate is disabled"
    since = first_enabled(mark, side)
    return f"the stages of {names} are unknown" if since is None else f"{names} is enabled by default since {since}"


@mitigation("default with disabled gates")
def default_gates_disabled(change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
    """If its gates are disabled, as they are by default in both releases and all earlier ones, a default is unchanged.

    Only servers with a gate enabled read an object differently.

    Returns None for changes other than defaults, and for unknown computations.
    """
    if not isinstance(change, Altered) or change.trait is not Trait.DEFAULT or not result.effects:
        return None
    before, after = _without_gates(change.before), _without_gates(change.after)
    if before is None or after is None:
        return None
    defaults = [each for each in (change.before, change.after) if isinstance(each, Default)]
    gates = named(tuple(sorted({gate for each in defaults for gate in each.gates})))
    if not (_are_disabled(change.before, context.old) and _are_disabled(change.after, context.new)):
        return MitigationResult(False, f"{gates} was enabled by default in a release, or is unknown")
    if before != after:
        return MitigationResult(False, f"the default also differs if {gates} is disabled")
    reason = f"the default is unchanged while {gates} is disabled, as in both releases and all earlier ones"
    return MitigationResult(True, reason, softens=_ALL, at_most=Severity.WARNING)


def _are_disabled(default: Value, side: Surface) -> bool:
    """Return whether none of the gates of a default was ever enabled by default on a side."""
    if not isinstance(default, Default) or not default.gates:
        return True
    return is_never_enabled(GateMark(default.gates, True, "", default.place), side)


def _without_gates(default: Value) -> list[JsonValue] | None:
    """Return the cases that remain if all gates are disabled, as in the spec language; None if they are unknown."""
    if not isinstance(default, Default):
        return []
    if not default.is_computed:
        return [{"value": json.loads(default.text)}]
    cases: JsonValue = json.loads(default.cases) if default.cases else None
    if not isinstance(cases, list):
        return None
    remaining: list[JsonValue] = []
    for case in cases:
        entry = dict(case) if isinstance(case, dict) else {}
        when = _reduced(entry.pop("when", True))
        if when is True:
            return [*remaining, {**entry}]
        if when is not False:
            remaining.append({**entry, "when": when})
    return remaining


def _reduced(condition: JsonValue) -> JsonValue:
    """Return a condition with all gates disabled: true, false, or the rest of it."""
    if not isinstance(condition, dict):
        return condition
    if "gate" in condition:
        return False
    if "not" in condition:
        inner = _reduced(condition["not"])
        return not inner if isinstance(inner, bool) else {"not": inner}
    for word, decides in (("all", False), ("any", True)):
        parts = condition.get(word)
        if isinstance(parts, list):
            reduced = [_reduced(each) for each in parts]
            if any(each is decides for each in reduced):
                return decides
            remaining = [each for each in reduced if not isinstance(each, bool)]
            return {word: remaining} if remaining else not decides
    return condition


@mitigation("never enabled")
def never_enabled(change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
    """The removed field or value was never available by default: no release enabled its gate by default, or the value was only
    tolerated. Its name and number are reserved.

    Kubernetes removes alpha fields of stable types like this. Clients of servers with the gate enabled lose it.

    Returns None for other changes, and for elements that were available by default.
    """
    if not isinstance(change, Removed) or change.element.kind not in (ElementKind.FIELD, ElementKind.ENUM_VALUE):
        return None
    mark = mark_of(change.element, context.old)
    if mark is None:
        if not isinstance(change.part, EnumValue) or is_accepted(change.part, context.old, change.element.group):
            return None
        return _given_up(change, f"`{change.element.path}` was only tolerated")
    names = named(mark.gates)
    if not is_never_enabled(mark, context.old):
        since = first_enabled(mark, context.old)
        known = "is unknown" if since is None else f"was enabled by default in {since}"
        return MitigationResult(False, f"{names} {known}")
    now = [context.new.gates[name] for name in mark.gates if name in context.new.gates]
    later = next((gate for gate in now if gate.may_be_enabled(context.new.release_of(gate.series))), None)
    if later is not None:
        return MitigationResult(False, f"`{later.name}` is now enabled by default")
    return _given_up(change, f"{names} was disabled by default in every release")


def _given_up(change: Removed, reason: str) -> MitigationResult:
    part, name = change.part, change.element.path
    tombstones = change.holder.tombstones if isinstance(change.holder, Struct | Enum) else ()
    number = part.number if isinstance(part, Field | EnumValue) else None
    has_number = number is None or any(each.numbers is not None and number in each.numbers for each in tombstones)
    if not has_number or all(each.name != name for each in tombstones):
        return MitigationResult(False, f"no tombstone reserves `{name}` and its number")
    is_stable = stability(change.element.version) is Stability.STABLE
    at_most = Severity.WARNING if is_stable else Severity.INFO
    reason = f"{reason}, and a tombstone reserves the name"
    return MitigationResult(True, reason, softens=_ALL, at_most=at_most)


_EVALUATED_WITHOUT_CHANGE = "a CEL rule that uses `oldSelf` is evaluated for every update, also if it changes nothing"


@mitigation("deprecation period")
def window_elapsed(change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
    """The removed element was deprecated for the period that its stability requires. (Deprecation policy, rule 4a)

    Users were informed and had time to migrate; clients that did not still break. CRDs and `.proto` files have no releases,
    so it cannot be verified there.

    Returns None for other changes, and for elements without a lifecycle.
    """
    life = lifecycle_of(change)
    if life is None:
        return None
    element = change.element
    old, new = (side.release_in(element.group) for side in (context.old, context.new))
    problem = too_early(life, element.version, old, new)
    if problem:
        return MitigationResult(False, problem)
    reason = "alpha elements may be removed at any time"
    if life.deprecated is not None:
        reason = f"it was deprecated in {life.deprecated}, and the deprecation period is over"
    return MitigationResult(True, reason, at_most=Severity.WARNING)


def lifecycle_of(change: AnyChange) -> Lifecycle | None:
    """Return the lifecycle of an element that was removed, or is no longer served; None for other changes."""
    match change:
        case Removed(part=Version() | KindVersion() | Field() | EnumValue() as part):
            return part.lifecycle
        case Altered(old=Version() | KindVersion() as part, trait=Trait.SERVED):
            return part.lifecycle
    return None


@mitigation("ratcheting")
def ratcheting(change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
    """Ratcheting: an update is not validated for values that it does not change, so stored objects stay usable.

    A change that only tightens is then at most a warning, as in Kubernetes' own releases, which declare validation that was
    hand-written before; one that also affects newer clients or a rollback is not. Compared with a recorded release, which
    declares such validation by `enforcedByHand`, it stays an error: older clients are rejected. Elements of an atomic list
    have no old counterparts: an update that changes one validates all. Returns None if stored objects were not affected.
    """
    is_lowered = result.effects.keys() <= _BY_NEW and not context.old.is_recorded
    return _ratcheted(change, result, context, Severity.WARNING if is_lowered else None)


@mitigation("ratcheting")
def ratcheting_of_enum(change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
    """Ratcheting of removed enum values: stored objects stay usable, but clients rely on each value by name.

    An accepted value stays accepted. (Kubernetes, api_changes.md: removing one needs a new version)
    """
    return _ratcheted(change, result, context, None)


def _ratcheted(
    change: AnyChange, result: RuleResult, context: Context, at_most: Severity | None
) -> MitigationResult | None:
    if Direction.STORED not in result.effects:
        return None
    if not context.new.ratchets:
        return MitigationResult(False, "validation may check unchanged values")
    if _is_evaluated_without_change(change):
        return MitigationResult(False, _EVALUATED_WITHOUT_CHANGE)
    if _is_set_by_updates(change.element, context.new, context):
        return MitigationResult(False, _SET_BY_UPDATES)
    if context.new_facts.is_in_atomic_list(change.element):
        reason = f"unchanged values are not validated, {_ATOMIC}"
        return MitigationResult(True, reason, softens=_STORED, at_most=at_most)
    return MitigationResult(True, "unchanged values are not validated", _STORED, at_most=at_most)


_STORED, _BACK = frozenset({Direction.STORED}), frozenset({Direction.ROLLBACK})
_ATOMIC = "but all elements of an atomic list are if one changes"


@mitigation("ratcheting of the previous release")
def ratcheting_before(change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
    """Ratcheting after a rollback: objects that the newer release stored can be updated if the value does not change.

    The counterpart of `ratcheting` for changes that loosen; it does not affect clients of either side. An enum value is
    kept, too, but the previous release does not know its meaning.

    Returns None if the base does not ratchet, or if a rollback was not affected.
    """
    if Direction.ROLLBACK not in result.effects or not context.old.ratchets:
        return None
    if _is_evaluated_without_change(change):
        return MitigationResult(False, _EVALUATED_WITHOUT_CHANGE)
    if _is_set_by_updates(change.element, context.old, context):
        return MitigationResult(False, _SET_BY_UPDATES)
    reason = "the previous release does not validate unchanged values"
    if context.old_facts.is_in_atomic_list(change.element):
        return MitigationResult(True, f"{reason}, {_ATOMIC}", softens=_BACK)
    if change.element.kind is ElementKind.ENUM_VALUE:
        return MitigationResult(True, f"{reason}, but it does not know the value", softens=_BACK)
    return MitigationResult(True, reason, clears=_BACK)


@mitigation("default on read")
def read_time_default(change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
    """Objects without the field get its default before validation, the same in every version.

    The default must be a literal without gates, applied when objects are read, and equal in all served versions. The
    meaning of stored objects without the field then depends on the default.

    Returns None for other elements, and without a default on the revision.
    """
    element = change.element
    if element.kind is not ElementKind.FIELD or not _BY_NEW & set(result.effects):
        return None
    fields = {version.name: field_of(struct, element.path) for version, struct in counterparts(element, context.new)}
    defaults = {version: field.slot.default for version, field in fields.items() if field and field.slot.default}
    if element.version not in fields:
        return None
    texts = {version: defaults[version].text if version in defaults else "" for version in fields}
    own = texts[element.version]
    other = next((version for version, text in texts.items() if text != own), None)
    if other is not None:
        words = f"the default is {texts[other] or 'unset'} in {other}, and {own} in {element.version}"
        return MitigationResult(False, words)
    if not own:
        return None
    problems = (_why_not_on_read(version, default) for version, default in defaults.items())
    problem = next(filter(None, problems), "")
    if problem:
        return MitigationResult(False, problem)
    reason = f"{' and '.join(defaults)} {'apply' if len(defaults) > 1 else 'applies'} the default {own} when an object is read"
    return MitigationResult(True, reason, softens=_BY_NEW, at_most=Severity.WARNING)


def counterparts(element: Element, side: Surface) -> Iterator[tuple[Version, Struct]]:
    """Yield the struct of an element in all served versions of its group, and in its own version."""
    for version in side.versions_of(element.group):
        type_ = version.types.get(element.type)
        if isinstance(type_, Struct) and (version.served or version.name == element.version):
            yield version, type_


def _why_not_on_read(version: str, default: Default) -> str:
    if default.is_computed:
        return f"the default of {version} is computed, and may not apply to every object"
    if default.gates:
        return f"the default of {version} depends on {named(default.gates)}"
    if not default.is_read_time:
        return f"the default of {version} is applied when an object is written, not when it is read"
    return ""


_SET_BY_UPDATES = "each update changes the field itself, so its value is validated"


def _is_set_by_updates(element: Element, side: Surface, context: Context) -> bool:
    """Return whether the strategy of a kind clears or sets the field of an element in each update."""
    struct = struct_of(side, element)
    field = None if struct is None else field_of(struct, element.path)
    return field is not None and (element.type_name, field.name) in context.facts(side).set_by_updates


def _is_evaluated_without_change(change: AnyChange) -> bool:
    """Return whether the added or removed CEL rule can reject an update that does not change the value.

    As in Kubernetes, a rule that uses `oldSelf` is evaluated for every update. With `optionalOldSelf`, it is also evaluated
    for values without an old one, such as elements of atomic lists. (`docs/explanation/cel.md`)
    """
    if not isinstance(change, Added | Removed) or not isinstance(change.part, CelRule):
        return False
    if not change.part.is_transition:
        return False
    # imported here, because few changes need the analysis of rules
    from apigen.review.prover.cel import is_true_without_change

    return change.part.optional_old_self or not is_true_without_change(change.part.text)


@mitigation("added everywhere")
def added_everywhere(change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
    """All served versions get the field, so conversions preserve it. The mitigation makes no direction safe: it states
    that no version lacks the field.

    Returns None for other changes, and if there is only one version.
    """
    if not isinstance(change, Added) or change.element.kind is not ElementKind.FIELD:
        return None
    found = list(counterparts(change.element, context.new))
    if len(found) < 2:
        return None
    lacking = [version.name for version, struct in found if change.element.path not in struct.fields]
    if lacking:
        return MitigationResult(
            False, f"{' and '.join(lacking)} {'does' if len(lacking) == 1 else 'do'} not have the field"
        )
    return MitigationResult(True, f"{' and '.join(version.name for version, _ in found)} have the field")


@mitigation("unused type")
def unused_type(change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
    """No served or stored kind of either side uses the type, so no request and no object contains it.

    It does not apply to versions without kinds: other projects may use types of a library, or of an input without kinds.
    Objects of a kind that is no longer served may still be stored: then only clients are safe.

    Returns None if a kind uses the type, and if there are no kinds.
    """
    element = change.element
    versions = [side.version(element.group, element.version) for side in (context.old, context.new)]
    existing = [version for version in versions if version is not None]
    if element.kind not in OF_TYPES or not result.effects or not existing or not all(each.kinds for each in existing):
        return None
    names = {element.type_name, *_validated_by(element, context.old), *_validated_by(element, context.new)}
    if any(facts.reach.kinds(name) for facts in (context.old_facts, context.new_facts) for name in names):
        return None
    known = (facts.known.kinds(name) for facts in (context.old_facts, context.new_facts) for name in names)
    unserved = sorted(frozenset[str]().union(*known))
    if unserved:
        reason = f"only {unserved[0]} uses `{element.type}` and is not served, but objects may be stored"
        return MitigationResult(True, reason, clears=frozenset(CLIENTS))
    reason = f"no served or stored kind uses `{element.type}`"
    return MitigationResult(True, reason, clears=_ALL, at_most=Severity.INFO)


def _validated_by(element: Element, side: Surface) -> Iterator[TypeName]:
    """Yield the types of other versions that share the hub type of an element in the version that the hub follows: their
    objects are validated by its constraints.
    """
    group = side.groups.get(element.group)
    if group is None or group.hub != element.version:
        return
    types = [type_ for version in group.versions.values() for type_ in version.types.values()]
    shared = {_hub_type(type_) for type_ in types if type_.name == element.type_name}
    yield from (type_.name for type_ in types if _hub_type(type_) in shared)


def _hub_type(type_: TypeDef) -> str:
    return (type_.hub_name if isinstance(type_, Struct) else None) or type_.name.name


@mitigation("enforced by hand")
def enforced_by_hand(change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
    """A side declares with `enforcedByHand` that its hand-written code rejects what generated code of the other side rejects.

    The rejected values of both sides are compared as a whole. Kubernetes declares its validation in this way: first next to
    the code that enforces it, then in its place.

    Returns None for other changes, and without `enforcedByHand`.
    """
    if not isinstance(change, Altered) or change.trait is not Trait.CONSTRAINT or not result.effects:
        return None
    old, new, word = change.old, change.new, change.keyword
    if not isinstance(old, Slot) or not isinstance(new, Slot) or word in (None, Keyword.ENFORCED_BY_HAND):
        return None
    if not any(Keyword.ENFORCED_BY_HAND in slot.constraints for slot in (old, new)):
        return None
    from apigen.review.prover.enforced import by_hand, rejects_no_more

    reasons = []
    for slot, when in ((old, "enforced it before"), (new, "enforces it now")):
        value = by_hand(slot.constraints).get(word)
        if value is not None:
            place = slot.constraints[Keyword.ENFORCED_BY_HAND].place
            reasons.append(f"hand-written code {when} (`{word}: {value_words(value)}`, line {place.line})")
    if not reasons:
        return None
    reason = " and ".join(reasons)
    if not rejects_no_more(old, context.old, new, word):
        return MitigationResult(False, f"{reason}, but it may not reject all values that are rejected now")
    if rejects_no_more(new, context.new, old, word):
        return MitigationResult(True, reason, clears=_ALL, at_most=Severity.INFO)
    if result.effects.keys() <= _BY_NEW:
        return MitigationResult(True, reason, clears=_BY_NEW, at_most=Severity.INFO)
    return MitigationResult(False, f"{reason}, but it may not reject all values that were rejected before")


_OF_VALUES = frozenset({Trait.TYPE, Trait.NULLABLE, Trait.FORM, Trait.UNKNOWN_FIELDS, Trait.REQUIRED})
_NOT_OF_VALUES = frozenset({Keyword.READ_ONLY, Keyword.WRITE_ONLY})

_MAY_READ = {
    True: (Direction.OLD_CLIENT, depends("older clients may receive a value that no object could contain")),
    False: (
        Direction.NEW_CLIENT,
        depends("newer clients may receive a value of older objects that no object can contain any more"),
    ),
}
"""The remaining effect on clients if the whole schema keeps all values, and if it adds none."""


@mitigation("whole schema", from_severity=Severity.WARNING)  # the comparison is slow
def whole_schema(change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
    """A part of a JSON Schema changed, but the whole accepts the same values, no fewer, or no more.

    A direction in which a value would be rejected is then safe: accepted values still are (older clients that write, stored
    objects), or were before (newer clients that write, a rollback). Readers are only affected by additional values.

    Returns None for changes that do not affect accepted values, and if nothing was verified.
    """
    if not result.effects or not context.new.schemas or not _is_of_values(change):
        return None
    # the containing object declares that a field is required, alone or next to another one
    of_holder = isinstance(change, Added | Removed) and isinstance(change.part, Field)
    if isinstance(change, Altered):
        of_holder = change.trait is Trait.REQUIRED or change.keyword is Keyword.REQUIRES
    step = context.whole_schemas.step(change.element, of_holder=of_holder)
    if step is None:
        return None
    if not (step.keeps or step.adds_nothing):
        reason = step.given_up or ("" if result.not_verified else step.may_keep or step.may_add_nothing)
        return MitigationResult(False, f"not verified, because {reason}") if reason else None
    cleared, words = _ALL, "the same values as before"
    if not step.adds_nothing:
        words = "every value that it accepted before"
        cleared = frozenset({Direction.STORED}) if Direction.ROLLBACK in result.effects else _ALL
    elif not step.keeps:
        words = "no value that it did not accept before"
        cleared = frozenset({Direction.ROLLBACK}) if Direction.STORED in result.effects else _ALL
    at_most: Severity | None = Severity.INFO
    readers: Effects = {}
    if not result.effects.keys() <= cleared:
        at_most = None
        # clients of the side whose values the other side accepts read the values of the other one
        direction, remaining = _MAY_READ[step.keeps]
        effect = result.effects.get(direction)
        readers = {} if effect is None or effect.impact is not Impact.BREAKS else {direction: remaining}
    if not (cleared | readers.keys()) & result.effects.keys():
        return None
    return MitigationResult(True, f"the whole schema accepts {words}", cleared, instead=readers, at_most=at_most)


def _is_of_values(change: AnyChange) -> bool:
    """Return whether a change only affects which values are accepted, and not their meaning (defaults, removed fields)."""
    if isinstance(change, Altered):
        if change.trait is Trait.CONSTRAINT:
            return change.keyword not in _NOT_OF_VALUES
        return change.trait in _OF_VALUES
    if isinstance(change, Added) and isinstance(change.part, Field):
        return change.part.slot.default is None
    is_of_each_value = isinstance(change.part, CelRule) and not change.part.is_transition
    return is_of_each_value or isinstance(change.part, Branch | EnumValue)


COMMON = (gate_disabled, unused_type, enforced_by_hand, whole_schema)
"""The mitigations that are evaluated for every rule about a change, in addition to its own."""
