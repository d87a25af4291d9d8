"""Evaluates the CEL rules of a place, and of its parts, for defaults and for values that gates set (AG0506).

Kubernetes rejects a CRD with such a default. Rules are evaluated as by a server that creates an object: transition
rules are skipped, those with `optionalOldSelf` have no old value. All values that a rule reads must be known: a struct
is not evaluated if defaults, gates or zero values other than scalars may add to the literal. Values that hand-written
functions set do not count, because schemas have the literal unchanged.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterator

from apigen.diagnostics import Related, Report
from apigen.diagnostics.quoting import quote
from apigen.ir.literal_reader import Limits, LiteralProblem, behind_names, plain, read_literal
from apigen.ir.literal_values import EnumText, KnownValue, LiteralValue, PlainValue
from apigen.ir.model import Api, Field, Presence, Struct
from apigen.ir.types import (
    ListType,
    MapType,
    Scalar,
    ScalarType,
    StructType,
    Type,
    WellKnown,
    WellKnownType,
    is_container,
    underlying,
)
from apigen.language.model import Items, LiteralNode, Located, Object, RuleSpec
from apigen.lint.set_values import ByPath
from apigen.runtime.cel import Cel, CelError
from apigen.runtime.rule_names import escaped
from apigen.runtime.rules import Rule, uses_old_self

_UNKNOWN = object()
"""A value that is unknown or unset."""

_ABSENT = object()
"""A field that JSON does not have."""

_ZEROS = {Scalar.BOOL: False, Scalar.STRING: "", Scalar.FLOAT32: 0.0, Scalar.FLOAT64: 0.0, Scalar.BYTES: b""}
"""The encoding of unset scalars; that of all others is 0."""

_OWN_VARIABLES = ("self", "oldSelf")
_NO_OLD_VALUE = {"oldSelf_": None, "hasOldSelf_": False}
_HINT = "use a value that the rule accepts, or change the rule"


def check_defaults_by_rules(api: Api, cel: Cel, report: Report, groups: Container[str]) -> None:
    """Report (AG0506) the values that these groups set themselves and that their own rules reject."""
    checker = _Checker(api, cel, report)
    for struct in api.types.values():
        if isinstance(struct, Struct) and struct.id.group in groups:
            checker.check(struct)


class _Checker:
    """Evaluates the rules of the values that structs set."""

    def __init__(self, api: Api, cel: Cel, report: Report) -> None:
        self._api = api
        self._cel = cel
        self._report = report
        self._by_path = ByPath.of(api)

    def check(self, struct: Struct) -> None:
        """Evaluate the rules of the values that a struct sets."""
        for found in self._by_path.set_values(struct, self._api):
            if not found.is_entry:
                self._field(found.field, found.node)
                continue
            limits, _ = behind_names(found.field.type, Limits().and_of(found.field), self._api.types)
            self._value(found.node, found.type, Limits(limits.values))

    def _field(self, field: Field, node: LiteralNode) -> object:
        """Evaluate the rules of the value of a field, and return its JSON."""
        if _stands_for_nothing(field, plain(node)):
            return _UNKNOWN
        return self._value(node, field.type, Limits().and_of(field))

    def _value(self, node: LiteralNode, type_: Type, limits: Limits) -> object:
        """Evaluate the rules of a value and of the values in it, and return it as CEL sees it."""
        limits, type_ = behind_names(type_, limits, self._api.types)
        rules = [rule for constraints in limits.own for rule in constraints.rules]
        match type_:
            case ListType(item) if isinstance(node, Items):
                value = _known([self._value(each, item, Limits(limits.items)) for each in node.items])
            case MapType(key, item) if isinstance(node, Object):
                for name, _ in node.members:
                    self._value(Located(name.value, name.place), key, Limits(limits.keys))
                members = {name.value: self._value(each, item, Limits(limits.values)) for name, each in node.members}
                value = _known(members)
            case StructType(id_) if isinstance(node, Object):
                struct = self._api.types[id_]
                assert isinstance(struct, Struct)
                rules = [*self._rules_of(struct), *rules]
                value = _known(self._members(struct, node))
            case _:
                value = self._leaf(node, type_)
        if value is not _UNKNOWN:
            for rule in rules:
                if self._rejects(rule, value):
                    self._report_rejection(rule, node)
        return value

    def _members(self, struct: Struct, node: Object) -> dict[str, object]:
        nodes = {name.value: inner for name, inner in node.members}
        found: dict[str, object] = {}
        for field in struct.fields:
            value = self._member(field, nodes.get(field.json_name))
            if value is not _ABSENT:
                found[escaped(field.json_name)] = value
        return found

    def _member(self, field: Field, node: LiteralNode | None) -> object:
        """Return the JSON value of a field of a struct that is set as a whole."""
        is_null = node is None or (isinstance(node, Located) and node.value is None)
        value = self._field(field, node) if node is not None and not is_null else _zero(field)
        if self._by_path.may_change(field):
            return _UNKNOWN
        is_unset = is_null or (not field.can_be_none and not value) or value == [] or value == {}
        return _UNKNOWN if is_unset and self._by_path.may_fill(field) else value

    def _leaf(self, node: LiteralNode, type_: Type) -> object:
        problems: list[LiteralProblem] = []
        value = read_literal(node, type_, self._api.types, problems)
        return _UNKNOWN if problems else self._as_cel_has(value)

    def _as_cel_has(self, value: LiteralValue) -> object:
        match value:
            case PlainValue(it):
                return it
            case EnumText(value=text):
                return text
            case KnownValue(WellKnown.TIME | WellKnown.MICRO_TIME, text):
                return self._cel.timestamp(text)
            case KnownValue(WellKnown.RAW_EXTENSION | WellKnown.FIELDS_V1, text):
                return json.loads(text)
            case KnownValue(_, text):
                return text
        return _UNKNOWN

    def _rules_of(self, struct: Struct) -> Iterator[RuleSpec]:
        """Return the rules of a struct and of its inlined structs."""
        yield from struct.constraints.rules
        for inline in struct.inlines:
            inlined = self._api.types.get(inline.type.id)
            if isinstance(inlined, Struct):
                yield from inlined.constraints.rules

    def _rejects(self, rule: RuleSpec, value: object) -> bool:
        """Return whether a rule is false of a new value. One that cannot be evaluated is not."""
        text = rule.rule.value
        if uses_old_self(Rule(text)) and not _applies_to_new(rule):
            return False
        try:
            program = self._cel.compile(text, variables=_OWN_VARIABLES, optional_old=_applies_to_new(rule))
            return program.evaluate({"self": value, **_NO_OLD_VALUE}) is False
        except CelError:
            return False

    def _report_rejection(self, rule: RuleSpec, node: LiteralNode) -> None:
        value = node.value if isinstance(node, Located) else None
        shown_value = "this" if value is None else quote(value) if isinstance(value, str) else json.dumps(value)
        where = " without an old value" if _applies_to_new(rule) else ""
        message = f"{shown_value} is rejected by the rule {quote(rule.rule.value.strip())}{where}"
        self._report.error("AG0506", node.place, message, hint=_HINT, related=[Related(rule.rule.place, "the rule")])


def _applies_to_new(rule: RuleSpec) -> bool:
    """Return whether a rule about `oldSelf` also applies without an old value."""
    return rule.optional_old_self is not None and rule.optional_old_self.value


def _stands_for_nothing(field: Field, value: object) -> bool:
    """Return whether a value may represent an unset field, so that rules may not apply to it."""
    behind = underlying(field.type)
    if field.presence is Presence.OMIT_EMPTY:
        is_zero = isinstance(behind, WellKnownType) and value in ("0", "0s")
        return not value or is_zero or (isinstance(behind, StructType) and _is_blank(value))
    return not value and field.presence is Presence.PLAIN and is_container(field.type)


def _is_blank(value: object) -> bool:
    return all(_is_blank(each) for each in value.values()) if isinstance(value, dict) else not value


def _zero(field: Field) -> object:
    """Return the JSON of an unset field."""
    if field.presence in (Presence.OPTIONAL, Presence.OMIT_EMPTY):
        return _ABSENT
    behind = underlying(field.type)
    if field.presence is Presence.PLAIN and isinstance(behind, ScalarType):
        return _ZEROS.get(behind.scalar, 0)
    return _UNKNOWN


def _known(value: list[object] | dict[str, object]) -> object:
    """A value of others, if all of them are known."""
    parts = value.values() if isinstance(value, dict) else value
    return _UNKNOWN if any(part is _UNKNOWN for part in parts) else value
