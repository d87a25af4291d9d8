"""Schemas in `allOf`, `anyOf`, `oneOf` and `not`, their annotations, and constraints under a condition."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from apigen.dataclass import dataclass, replace
from apigen.ir.surface import (
    Branch,
    Constraint,
    Discriminator,
    Element,
    ElementKind,
    Keyword,
    Messages,
    Named,
    Scalar,
    Scalars,
    Slot,
    Struct,
    Surface,
    Type,
    constraint_value,
    nested_in,
    restrictions,
    slot_at,
    slots_of,
)
from apigen.language.json_values import JsonValue
from apigen.review.changes.change import Added, Altered, Removed, Trait, Value
from apigen.review.changes.words import from_to, value_words
from apigen.review.context import Context
from apigen.review.effects.member import quoted
from apigen.review.gating import switched_gates
from apigen.review.mitigations import ratcheting, ratcheting_before
from apigen.review.prover.keywords import satisfies
from apigen.review.prover.result import INCLUDED, Inclusion, NotProven
from apigen.review.results import Direction, Effects, RuleResult, Severities, breaks, depends
from apigen.review.rules.constraints.values import (
    COMPARED_BY_VALUES,
    CONDITIONAL,
    change_in_words,
    loosened_effects,
    tightened_effects,
)
from apigen.review.rules.rule import (
    INFO,
    Issue,
    about,
    added,
    altered,
    change_rule,
    constraint,
    note,
    removed,
    silent,
    state_rule,
)
from apigen.review.rules.types import accepts

_OVERLAPPING = "oneOf (may overlap)"
_ALTERNATIVES = frozenset({"anyOf", "oneOf", _OVERLAPPING, "enum"})
_LIMITS = frozenset(
    {
        *("allOf", "not", "if", "contains", "propertyNames", "dependencies", "dependentRequired", "dependentSchemas"),
        *("keys", "values"),
    }
)
_MEMBERS = frozenset({"patternProperties", "additionalProperties"})


@dataclass(frozen=True, slots=True)
class BranchEffect:
    """Whether accepted values may be rejected, and the reverse; `is_certain`: both are known.

    `doubt` is the condition of the effect, if it is known.
    """

    branch: Branch
    tightens: bool
    loosens: bool
    is_certain: bool
    doubt: str = ""

    @property
    def reason(self) -> str:
        """The doubt as the end of a sentence."""
        return f", as {self.doubt}" if self.doubt else ""


def branch_effect(change: Added | Removed, context: Context) -> BranchEffect:
    """Return the effect of an added or removed branch: by comparing the whole schemas, if possible, or as written."""
    found = _as_written(change, context)
    if not context.new.schemas or not (found.tightens or found.loosens):
        return found
    step = context.whole_schemas.step(change.element, of_holder=False)
    if step is None:
        return found
    if step.keeps is not step.adds_nothing:
        agrees = found.is_certain and found.tightens is not step.keeps
        found = BranchEffect(found.branch, tightens=not step.keeps, loosens=step.keeps, is_certain=agrees)
    doubt = (step.may_keep if found.tightens else "") or (step.may_add_nothing if found.loosens else "")
    return replace(found, is_certain=False, doubt=doubt) if doubt and not (step.keeps and step.adds_nothing) else found


def _as_written(change: Added | Removed, context: Context) -> BranchEffect:
    branch, is_added = change.part, isinstance(change, Added)
    assert isinstance(branch, Branch)
    if branch.keyword == "definitions":
        return BranchEffect(branch, tightens=False, loosens=False, is_certain=True)
    if branch.keyword == "$ref":  # to another document, which is not read
        return BranchEffect(branch, tightens=is_added, loosens=not is_added, is_certain=False)
    if branch.keyword in _MEMBERS and _says_nothing(branch.slot):
        is_felt = not _keeps_all(context.old if is_added else context.new, change, branch)
        return BranchEffect(branch, tightens=not is_added and is_felt, loosens=is_added and is_felt, is_certain=True)
    if _is_limit(branch, change, context):
        return BranchEffect(branch, tightens=is_added, loosens=not is_added, is_certain=True)
    if branch.keyword in _ALTERNATIVES:
        path = change.element.path.removesuffix(f"({branch.keyword}[{branch.label}])")
        return _alternative(branch, is_added, slot_at(context.old, replace(change.element, path=path)), change.holder)
    return BranchEffect(branch, tightens=True, loosens=True, is_certain=False)


def _is_limit(branch: Branch, change: Added | Removed, context: Context) -> bool:
    """Return whether the branch only adds a condition. A property or tuple item also changes which other conditions apply."""
    if branch.keyword in _LIMITS or (branch.keyword == "items" and not branch.label):
        return True
    return branch.keyword in _MEMBERS and all(_keeps_all(side, change, branch) for side in (context.old, context.new))


def _says_nothing(slot: Slot) -> bool:
    """Return whether the branch accepts any value, so that it only excludes properties from other conditions."""
    is_any = slot.type == Scalar(Scalars.ANYTHING) and slot.nullable
    return is_any and not (slot.constraints or slot.branches or slot.rules)


def _keeps_all(side: Surface, change: Added | Removed, branch: Branch) -> bool:
    """Return whether an object accepts all undeclared properties, apart from this branch."""
    slot = slot_at(side, change.element)
    struct = side.type(slot.type.name) if slot is not None and isinstance(slot.type, Named) else None
    if slot is None or not isinstance(struct, Struct) or not struct.unknown.keeps:
        return False
    others = (each for each in slot.branches if (each.keyword, each.label) != (branch.keyword, branch.label))
    return not any(each.keyword in _MEMBERS or each.keyword.startswith("unevaluated") for each in others)


def _alternative(branch: Branch, is_added: bool, old: Slot | None, new: object) -> BranchEffect:
    """Return the effect of an alternative: another one accepts more, the first one rejects the rest, a disjoint one both."""
    others = _number(old if is_added else new, branch.keyword)
    if not others:
        with_it, without = (new, old) if is_added else (old, new)
        is_felt = branch.keyword == _OVERLAPPING or not _is_covered(without, with_it, branch.keyword)
        return BranchEffect(branch, tightens=is_added and is_felt, loosens=not is_added and is_felt, is_certain=True)
    if branch.keyword == _OVERLAPPING:
        return BranchEffect(branch, tightens=True, loosens=True, is_certain=False)
    return BranchEffect(branch, tightens=not is_added, loosens=is_added, is_certain=True)


def _is_covered(slot: object, other: object, keyword: str) -> bool:
    """Return whether one alternative of the other slot certainly accepts all values of a slot."""
    if not isinstance(slot, Slot) or not isinstance(other, Slot):
        return False
    return any(each.keyword == keyword and _takes_all(each.slot, slot) for each in other.branches)


def _takes_all(wide: Slot, slot: Slot) -> bool:
    """Return whether it certainly does; an alternative that was not compared counts as unknown."""
    if not isinstance(wide.type, Scalar) or wide.type.name is Scalars.ANYTHING:
        return False
    is_free = not (wide.rules or wide.branches or set(wide.constraints) - set(slot.constraints))
    same = all(slot.constraints.get(keyword) == limit for keyword, limit in wide.constraints.items())
    has_null = wide.nullable or not slot.nullable
    return is_free and same and has_null and accepts(wide.type, slot.type)


def _number(slot: object, keyword: str) -> int:
    return sum(branch.keyword == keyword for branch in slot.branches) if isinstance(slot, Slot) else 0


_NUMBERS = frozenset({Keyword.MINIMUM, Keyword.MAXIMUM, Keyword.EXCLUSIVE_MINIMUM, Keyword.EXCLUSIVE_MAXIMUM})
_COMPARED_BY_VALUES = {word.value: word for word in COMPARED_BY_VALUES if word is not Keyword.FORBIDDEN}
_ADDED_REJECTS = frozenset({"required", "immutable", "monotonic", "forbidden", "update", "requires", "forbids"})
_DEPTH = {Keyword.IF_MODE: 2}


@dataclass(frozen=True, slots=True)
class Nested:
    """The constraints that are tighter and looser, and the reasons for what could not be decided."""

    tighter: tuple[str, ...]
    looser: tuple[str, ...]
    doubts: tuple[str, ...]


def nested_change(change: Altered, context: Context) -> Nested:
    """Compare the blocks of both sides, one by one and keyword by keyword."""
    assert change.keyword is not None and isinstance(change.old, Slot) and isinstance(change.new, Slot)
    depth = _DEPTH.get(change.keyword, 1)
    old, new = dict(_blocks(change.before, depth)), dict(_blocks(change.after, depth))
    compared_words: list[tuple[str, Inclusion, Inclusion]] = []
    for name in sorted({*old, *new}):
        where = ".".join(name)
        if change.keyword is Keyword.IF_MODE and (name in old) != (name in new):
            compared_words.append(_mode(where, name in new, change))
            continue
        old_block, new_block = old.get(name, {}), new.get(name, {})
        for word in sorted({*old_block, *new_block}):
            if old_block.get(word) != new_block.get(word):
                forward, backward = _compared(word, old_block.get(word), new_block.get(word), change, context)
                compared_words.append((f"{where}.{word}", forward, backward))
    doubts = (each.reason for _, *inclusions in compared_words for each in inclusions if isinstance(each, NotProven))
    return Nested(
        tuple(where for where, forward, _ in compared_words if forward != INCLUDED),
        tuple(where for where, _, backward in compared_words if backward != INCLUDED),
        tuple(dict.fromkeys(doubts)),
    )


def _blocks(value: Value, depth: int) -> Iterator[tuple[tuple[str, ...], Mapping[str, JsonValue]]]:
    try:
        read: JsonValue = json.loads(value) if isinstance(value, str) else {}
    except ValueError:
        read = {"": {"": str(value)}}
    yield from _below((), read, depth)


def _below(
    path: tuple[str, ...], value: JsonValue, depth: int
) -> Iterator[tuple[tuple[str, ...], Mapping[str, JsonValue]]]:
    if not isinstance(value, dict):
        yield path, {"": value}
    elif depth == 0:
        yield path, value
    else:
        for name, inner in value.items():
            yield from _below((*path, name), inner, depth - 1)


def _mode(where: str, is_new: bool, change: Altered) -> tuple[str, Inclusion, Inclusion]:
    """Return the result for a mode in which the value may now be set, or no longer; unlisted modes do not allow it."""
    other = NotProven("the values that an unlisted mode accepts are unknown")
    if change.before is None:
        return where, other, INCLUDED
    if change.after is None:
        return where, INCLUDED, other
    return (where, INCLUDED, other) if is_new else (where, other, INCLUDED)


def _compared(
    word: str, before: JsonValue, after: JsonValue, change: Altered, context: Context
) -> tuple[Inclusion, Inclusion]:
    if word in _COMPARED_BY_VALUES and change.keyword is not Keyword.IF_MODE:
        keyword, of_part = _COMPARED_BY_VALUES[word], change.keyword is Keyword.SUBFIELDS
        old_slot, new_slot = change.both(Slot)
        return (
            _satisfies(_slot(old_slot, keyword, before, of_part), context.old, keyword, after),
            _satisfies(_slot(new_slot, keyword, after, of_part), context.new, keyword, before),
        )
    if word in _ADDED_REJECTS:
        old, new = _words(before), _words(after)
        doubt = NotProven(f"the values that `{word}` rejects there are unknown")
        return INCLUDED if new <= old else doubt, INCLUDED if old <= new else doubt
    doubt = NotProven(f"the effect of a change of `{word}` is unknown")
    return doubt, doubt


def _satisfies(slot: Slot, surface: Surface, keyword: Keyword, value: JsonValue) -> Inclusion:
    return INCLUDED if value is None else satisfies(slot, surface, [(keyword, constraint_value(keyword, value))])


def _slot(slot: Slot, keyword: Keyword, value: JsonValue, of_part: bool) -> Slot:
    """Return the slot with the constraints of a block; the type of a part is unknown."""
    constraints = {} if of_part else dict(slot.constraints)
    if value is not None:
        constraints[keyword] = Constraint(constraint_value(keyword, value), slot.place)
    type_: Type = Scalar(Scalars.NUMBER if keyword in _NUMBERS else Scalars.STRING)
    return Slot(type_ if of_part else slot.type, slot.place, constraints=constraints)


def _words(value: JsonValue) -> frozenset[str]:
    return restrictions(tuple(map(str, value)) if isinstance(value, list) else True if value is True else None)


@change_rule(
    "schema-tightened",
    added(ElementKind.BRANCH),
    removed(ElementKind.BRANCH),
    severities="W/E/E",
    mitigated_by=(ratcheting,),
)
@about(branch_effect)
def schema_tightened(change: Added | Removed, found: BranchEffect, context: Context) -> RuleResult | None:
    """`allOf`, `not` and the like were added, an alternative of `anyOf` or `oneOf` was removed, or it is not known."""
    if not found.tightens:
        return None
    loosened = loosened_effects("values that it rejects") if found.loosens else {}
    accepted = " and which it accepts" if found.loosens else ""
    effects = {**loosened, **tightened_effects("values that it no longer accepts")}
    return _result(change, found, f"it is unknown which values the schema rejects{accepted}", effects)


def _words_of(change: Added | Removed, branch: Branch) -> str:
    label = f" with {branch.label}" if branch.label else ""
    return f"`{branch.keyword}`{label} was {'added to' if isinstance(change, Added) else 'removed from'} the schema"


def _result(change: Added | Removed, found: BranchEffect, doubt: str, effects: Effects) -> RuleResult:
    reason = "" if found.is_certain else f"{doubt}{found.reason}"
    return RuleResult(_words_of(change, found.branch), effects, not_verified=reason)


@change_rule("schema-loosened", added(ElementKind.BRANCH), removed(ElementKind.BRANCH), severities="I/W/W")
@about(branch_effect)
def schema_loosened(change: Added | Removed, found: BranchEffect, context: Context) -> RuleResult:
    """`allOf`, `not` and the like were removed, or an alternative was added."""
    if not found.loosens:
        return silent(f"{_words_of(change, found.branch)}, which does not affect validation")
    doubt = "it is unknown which values the schema now accepts"
    return _result(change, found, doubt, loosened_effects("values that were rejected"))


@change_rule(
    "conditional-constraint-tightened",
    constraint(*CONDITIONAL),
    severities="W/E/E",
    mitigated_by=(ratcheting, ratcheting_before),
)
@about(nested_change)
def conditional_constraint_tightened(change: Altered, nested: Nested, context: Context) -> RuleResult | None:
    """`ifEnabled`, `ifDisabled`, `ifMode` or `subfields` reject more."""
    if not nested.tighter:
        return None
    loosened = (
        loosened_effects(f"a value that {quoted(dict.fromkeys(nested.looser))} rejected") if nested.looser else {}
    )
    tightened = tightened_effects(f"a value that violates {quoted(dict.fromkeys(nested.tighter))}")
    return _conditional_result(change, nested, {**loosened, **tightened})


def _conditional_result(change: Altered, nested: Nested, effects: Effects) -> RuleResult:
    names = quoted(dict.fromkeys((*nested.tighter, *nested.looser)))
    message = f"`{change.keyword}` of {change.element.words} changed for {names}"
    return RuleResult(message, effects, not_verified=", and ".join(nested.doubts))


@change_rule(
    "conditional-constraint-loosened", constraint(*CONDITIONAL), severities="I/W/W", mitigated_by=(ratcheting_before,)
)
@about(nested_change)
def conditional_constraint_loosened(change: Altered, nested: Nested, context: Context) -> RuleResult | None:
    """`ifEnabled`, `ifDisabled`, `ifMode` or `subfields` reject less."""
    if not nested.looser:
        return note(f"{change_in_words(change)}, without effect")
    return _conditional_result(change, nested, loosened_effects(f"a value that {quoted(nested.looser)} rejected"))


_IN_FORCE = {Keyword.IF_ENABLED: True, Keyword.IF_DISABLED: False}


@state_rule("conditional-constraint-switched", severities="W/E/E")
def conditional_constraint_switched(surface: Surface, context: Context) -> Iterator[Issue]:
    """`ifEnabled` and `ifDisabled` are the same, but their gate was enabled or disabled by default."""
    switched = switched_gates(context.old, context.new) if surface is context.new else {}
    for type_ in surface.types() if switched else ():
        old = context.old.type(type_.name)
        known = dict(slots_of(old)) if old is not None else {}
        for element, slot in slots_of(type_):
            if element in known:
                yield from _of_slot(element, known[element], slot, switched)


def _of_slot(element: Element, old: Slot, new: Slot, switched: dict[str, bool]) -> Iterator[Issue]:
    for word, in_force in _IN_FORCE.items():
        before, after = nested_in(old.constraints, word), nested_in(new.constraints, word)
        for gate in sorted(before.keys() & after.keys() & switched.keys()):
            result = _switched(element, gate, switched[gate], is_in_force=switched[gate] is in_force)
            yield Issue(element, new.constraints[word].place, result, f"{word} {gate}")


def _switched(element: Element, gate: str, is_enabled: bool, *, is_in_force: bool) -> RuleResult:
    state, was = ("enabled", "disabled") if is_enabled else ("disabled", "enabled")
    key = "ifEnabled" if is_enabled is is_in_force else "ifDisabled"
    gate_change = f"the feature gate changed from {was} to {state} by default"
    if not is_in_force:
        effects = loosened_effects(f"values that were rejected while {gate} was {was}")
        message = f"constraints of {element.words} under `{key}: {gate}` are no longer enforced: {gate_change}"
        return RuleResult(message, effects, severities=Severities.of("I/W/W"))
    message = f"constraints of {element.words} under `{key}: {gate}` are now enforced: {gate_change}"
    return RuleResult(message, tightened_effects(f"values that are rejected while {gate} is {state}"))


_VALIDATING = frozenset(
    {
        *("allOf", "anyOf", "oneOf", "oneOf (may overlap)", "not", "if", "contains", "enum", "definitions"),
        *("items", "keys", "values", "propertyNames", "patternProperties", "additionalProperties"),
        *("dependencies", "dependentRequired", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems"),
        *("$ref", "$dynamicRef", "$recursiveRef", "discriminator", "extends", "disallow", "divisibleBy"),
    }
)
"""Keywords of any draft of JSON Schema, or of OpenAPI, that affect validation."""


@change_rule("schema-annotation-changed", added(ElementKind.BRANCH), removed(ElementKind.BRANCH), severities="I/I/I")
def schema_annotation_changed(change: Added | Removed, context: Context) -> RuleResult | None:
    """Validators ignore unknown keywords; tools that know them do not."""
    branch = change.part
    if not isinstance(branch, Branch) or branch.keyword in _VALIDATING:
        return None
    holder = str(change.element).removesuffix(f"({branch.keyword}[{branch.label}])").rstrip(".")
    how = "was added to" if isinstance(change, Added) else "was removed from"
    return RuleResult(f"annotation {branch.keyword} {branch.label} {how} {holder}, without effect on validation")


@change_rule("schema-discriminator-changed", altered(Trait.DISCRIMINATOR), severities="W/E/E", knows_messages=True)
def schema_discriminator_changed(change: Altered, context: Context) -> RuleResult | None:
    """Clients and servers choose the schema of a value by different properties, or map the same value differently."""
    if not isinstance(change.old, Slot):
        return None
    before, after, name = change.before, change.after, change.element.words
    if not isinstance(before, Discriminator):
        return note(f"discriminator `{value_words(after)}` was added to {name}")
    message = f"discriminator of {name} changed {from_to(change, 'none')}"
    if not isinstance(after, Discriminator):
        effect = depends(f"older clients choose the schema by `{before.property}`, which the newer server may not set")
        return RuleResult(message, {Direction.OLD_CLIENT: effect}, severities=Severities.of("I/W/W"))
    if after.property == before.property:
        return _other_mapping(change, before, after, context)
    old, new = f"by `{before.property}`", f"by `{after.property}`"
    effects: Effects = {
        Direction.OLD_CLIENT: breaks(f"older clients choose the schema {old}, newer servers {new}"),
        Direction.NEW_CLIENT: breaks(f"newer clients choose the schema {new}, older servers {old}"),
    }
    return RuleResult(message, effects)


def _other_mapping(change: Altered, before: Discriminator, after: Discriminator, context: Context) -> RuleResult:
    old, new = dict(before.mapping), dict(after.mapping)
    message = f"mapping of discriminator `{before.property}` of {change.element.words} changed"
    message = f"{message} from {value_words(before.mapping, 'none')} to {value_words(after.mapping, 'none')}"
    differing = quoted(value for value, schema in old.items() if new.get(value) != schema)
    if differing:
        text = f"older clients and the newer server choose different schemas for {differing}"
        return RuleResult(message, {Direction.OLD_CLIENT: breaks(text)})
    unknown = quoted(value for value in new if value not in old)
    if context.messages(change.element) is Messages.REQUEST:
        effect = depends(f"an older server does not map {unknown} of newer clients to a schema")
        return RuleResult(message, {Direction.NEW_CLIENT: effect}, severities=INFO)
    effect = depends(f"older clients do not map {unknown} to a schema")
    return RuleResult(message, {Direction.OLD_CLIENT: effect}, severities=Severities.of("I/W/W"))
