"""Structural schemas: the schema of a kind's version in the form of `apiextensions.k8s.io/v1`, and the cost of its rules.

Each node declares its type and `$ref` is not allowed, so each type is expanded at each use. The rules are those of
https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.crd.cel_cost import (
    COST_LIMIT,
    LARGEST_REQUEST,
    TOTAL_LIMIT,
    Call,
    Comprehension,
    Constant,
    Estimate,
    Expression,
    ListOf,
    Name,
    Sizes,
    estimated,
    parse,
    sizes_of,
)
from apigen.codegen.features import emulated_releases, runtime_gate
from apigen.codegen.json_schema.backend import (
    IMMUTABLE,
    Schema,
    constrained,
    constraint_words,
    merge_words,
    present,
    published_default,
    rules_of,
    scalar_schema,
    without_type,
)
from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.ir.model import (
    Alias,
    Declared,
    EnumType,
    Field,
    ListType,
    MapType,
    NamedType,
    Presence,
    Scalar,
    ScalarType,
    Struct,
    StructType,
    Type,
    TypeDef,
    TypeId,
    WellKnown,
    WellKnownType,
    declared_by,
    enum_of,
    struct_behind,
    struct_of,
    underlying,
)
from apigen.ir.requiredness import accepts_null
from apigen.ir.ruled import rules_of_struct
from apigen.language.json_values import JsonValue
from apigen.language.model import Constraints, GateJoin, GateSpec, Located, MergeSpec
from apigen.runtime.cel import CelError, find_cel
from apigen.runtime.features import Features
from apigen.runtime.rules import escaped, uses_old_self

_SAME: Expression = Call("_==_", None, (Name("self"), Name("oldSelf")), (), True)


@dataclass(frozen=True, slots=True)
class RuleAt:
    """A rule of a schema at a path of property names (`[]` for the elements of a list or map).

    `cost` is that of all its evaluations in an object; None if there is no library to parse it, or if it cannot be
    parsed. `message_cost` is likewise that of its `messageExpression`. `has_old` is whether `oldSelf` is known there.
    `unseen` is a field, or `self`, that it reads although the API server has no schema of it; empty without one.
    """

    path: tuple[str, ...]
    node: Schema
    rule: Schema
    cost: int | None
    message_cost: int | None
    has_old: bool
    unseen: str

    @property
    def is_implied(self) -> bool:
        """Return whether apigen wrote the rule for a constraint of another kind."""
        return _implied(self.rule) is not None

    @property
    def needs_old(self) -> bool:
        """Return whether the rule uses an old value that the API server cannot find, because the list has no keys."""
        return not self.has_old and uses_old_self(str(self.rule["rule"]))


def rules_in(schema: Schema) -> tuple[RuleAt, ...]:
    """Return all rules of the schema of a kind, with their locations in it."""
    return tuple(_rules(schema, (), 1, has_old=True))


def without_unaffordable(schema: Schema) -> list[RuleAt]:
    """Take those implied rules out of the schema of a kind that the API server would reject; returns them."""
    all_rules = rules_in(schema)
    costs = [min(rule.cost or 0, TOTAL_LIMIT + 1) for rule in all_rules]
    total = sum(costs)
    removed = []
    for rule, cost in sorted(zip(all_rules, costs, strict=True), key=lambda each: -each[1]):
        if rule.is_implied and (rule.needs_old or cost > COST_LIMIT or total > TOTAL_LIMIT):
            removed.append(rule)
            total -= cost
            rules = rule.node["x-kubernetes-validations"]
            assert isinstance(rules, list)
            remaining = [each for each in rules if each is not rule.rule]
            rule.node["x-kubernetes-validations"] = remaining
            if not remaining:
                del rule.node["x-kubernetes-validations"]
    return removed


def _implied(rule: Schema) -> Expression | None:
    if isinstance(rule, ImpliedRule):
        return rule.expression
    return _SAME if rule == IMMUTABLE else None


def _rules(schema: Schema, path: tuple[str, ...], most: int | None, *, has_old: bool) -> Iterator[RuleAt]:
    """Yield the rules of a node and of its parts; `most` is the maximum number of its values in an object, None if it
    is unbounded.
    """
    rules = schema.get("x-kubernetes-validations")
    sizes = sizes_of(schema, is_root=not path) if rules else None
    for rule in rules if isinstance(rules, list) else ():
        assert isinstance(rule, dict)
        once = None if sizes is None else _cost(rule, "rule", sizes)
        times = most if most is not None or sizes is None else LARGEST_REQUEST // (sizes.least_bytes + 1)
        cost = None if once is None or times is None else once.cost * times
        message = None if sizes is None or "messageExpression" not in rule else _cost(rule, "messageExpression", sizes)
        unseen = (
            "self"
            if sizes is None
            else next((each.unseen for each in (once, message) if each is not None and each.unseen), "")
        )
        yield RuleAt(path, schema, rule, cost, None if message is None else message.cost, has_old, unseen)
    properties, items = schema.get("properties"), schema.get("items")
    is_atomic = schema.get("x-kubernetes-map-type") == "atomic"
    for name, each in properties.items() if isinstance(properties, dict) else ():
        assert isinstance(each, dict)
        yield from _rules(each, (*path, name), most, has_old=has_old and not is_atomic)
    if isinstance(items, dict):
        is_map = schema.get("x-kubernetes-list-type") == "map"
        yield from _below(items, path, most, schema.get("maxItems"), has_old=has_old and is_map)
    values = schema.get("additionalProperties")
    if isinstance(values, dict):
        yield from _below(values, path, most, schema.get("maxProperties"), has_old=has_old and not is_atomic)


def _below(
    schema: Schema, path: tuple[str, ...], most: int | None, limit: JsonValue, *, has_old: bool
) -> Iterator[RuleAt]:
    times = most * limit if most is not None and isinstance(limit, int) else None
    yield from _rules(schema, (*path, "[]"), times, has_old=has_old)


def _cost(rule: Schema, word: str, sizes: Sizes) -> Estimate | None:
    implied = _implied(rule)
    if implied is not None:
        return estimated(implied, sizes)
    cel = find_cel()
    if cel is None:
        return None
    try:
        compiled = cel.compile(str(rule[word]), variables=("self", "oldSelf"))
    except CelError:
        return None  # reported where rules are checked
    return estimated(parse(compiled.serialized()), sizes)


@dataclass(frozen=True, slots=True)
class OwnGates:
    """The feature gates of the release series of the project's own groups, with their defaults in the next release."""

    features: Features
    names: frozenset[str]

    def is_disabled(self, gate: GateSpec | None) -> bool:
        """Return whether a gate is disabled in the CRD. A gate of another release series does not apply to embedded
        types.
        """
        if gate is None or not gate.gates or not self.names.issuperset(name.value for name in gate.gates):
            return False
        enabled = [self.features.enabled(name.value) for name in gate.gates]
        return not (any(enabled) if gate.join is GateJoin.ANY else all(enabled))


def gates_of(backend_input: BackendInput) -> OwnGates:
    """The gates of the project's own groups."""
    releases = {name: str(release) for name, release in emulated_releases(backend_input).items()}
    own = releases.pop("")
    series = {group.series for group in backend_input.api.groups if group.folder in backend_input.own}
    names = frozenset(feature.name for feature in backend_input.api.features if feature.series in series)
    return OwnGates(Features(map(runtime_gate, backend_input.api.features), own, series=releases), names)


def names_of(gate: GateSpec) -> str:
    """The gates of a mark, in words."""
    word = " or " if gate.join is GateJoin.ANY else " and "
    return word.join(name.value for name in gate.gates)


_API_VERSION: Schema = {
    "type": "string",
    "description": "The group and version of the schema of this object, such as `example.com/v1`.",
}
_KIND: Schema = {"type": "string", "description": "The kind of this object."}
_NOT_STRUCTURAL = ("x-kubernetes-patch-strategy", "x-kubernetes-patch-merge-key")
"""Keywords of Kubernetes' own OpenAPI that a CustomResourceDefinition does not have."""
_QUANTITY = (
    r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$"
)
"""The pattern of a quantity in text, as the documentation of resource.Quantity defines it."""
_TIMES = (WellKnownType(WellKnown.TIME), WellKnownType(WellKnown.MICRO_TIME))
_ANYTHING: Schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}

_LISTED = re.compile(r"self in (\[.*\])")
_SET = r"has\(self\.\w+\)"
_COUNTED = re.compile(
    rf"{_SET}(?: \|\| {_SET})*|\[(?:{_SET}(?:, )?)+\]\.filter\(\w+, \w+\)\.size\(\) (?P<sign>[<>]=) (?P<number>\d+)"
)
"""A rule that counts fields, as `apigen import go` writes it for `MinProperties` of a struct."""
LIMITED_METADATA = ("name", "generateName")
"""The fields of an object's metadata of which the API server accepts constraints."""


class StructuralSchemas:
    """Makes the schemas of one input of the backends."""

    def __init__(self, backend_input: BackendInput) -> None:
        self._backend_input = backend_input
        self._gates = backend_input.once(gates_of)
        self._open: list[TypeId] = []
        self._has_defaults = True
        """Whether defaults are written: not for types of another release series."""
        self._opted = False
        self.incomplete: dict[Place, tuple[str, str]] = {}
        """Fields whose default is omitted because a member is missing in it: the location, and the names of field and
        member.
        """

    def of_kind(self, struct: Struct) -> Schema:
        """The schema of a kind in a version. The API server has a schema of `metadata` itself."""
        schema = self._struct(struct)
        properties = schema.setdefault("properties", {})
        assert isinstance(properties, dict)
        properties["metadata"] = {"type": "object"}
        metadata = struct.field("metadata")
        limits = () if metadata is None else metadata.constraints.subfields
        if named := {each.name.value: each for each in limits if each.name.value in LIMITED_METADATA}:
            text = ScalarType(Scalar.STRING)
            found = {name: {"type": "string", **_words(each.constraints, text)} for name, each in named.items()}
            properties["metadata"] = {"type": "object", "properties": {**found}}
        return schema

    def _struct(self, struct: Struct) -> Schema:
        """Return the expanded schema of a struct; a recursive struct ends in an object whose members are not pruned."""
        if struct.id in self._open:
            return self._described(dict(_ANYTHING), struct.doc)
        outside = self._has_defaults
        if self._open and self._backend_input.api.is_value(self._open[-1], struct.id):
            self._has_defaults = self._opted
        self._open.append(struct.id)
        is_note = self._backend_input.crd.gated != "leave-out"
        fields = [field for field in struct.fields if is_note or not self._gates.is_disabled(field.gate)]
        schema = self._described({"type": "object"}, struct.doc)
        properties: Schema = {}
        if struct.has_type_meta:
            properties = {"apiVersion": dict(_API_VERSION), "kind": dict(_KIND)}
        properties |= {field.json_name: self._field(field) for field in fields}
        required = sorted(field.json_name for field in fields if field.required)
        schema |= present({"properties": properties, "required": list[JsonValue](required)})
        schema |= _structural(merge_words(struct.merge))
        rules: list[JsonValue] = []
        for rule in rules_of(Constraints(rules=rules_of_struct(struct, self._backend_input.types))):
            if limit := _counted(rule, properties):
                schema |= limit
            else:
                rules.append(rule)
        schema |= present({"x-kubernetes-validations": rules})
        schema |= _one_of(struct, {field.json_name for field in fields})
        self._open.pop()
        self._has_defaults = outside
        return schema

    def _field(self, field: Field) -> Schema:
        outside, self._opted = self._opted, field.defaults
        schema = self._value(field.type, declared_by(field))
        self._opted = outside
        schema = self._described(schema, self._doc(field))
        default = structural_default(field, self._backend_input.types) if self._has_defaults else None
        missing = None if default is None else missing_member(default, schema)
        if missing is not None:
            self.incomplete[field.place] = (field.json_name, missing)
        elif default is not None:
            schema["default"] = default
        # clients in Go write null for a time that is omitted: there, a structure cannot be omitted
        if field.presence is not Presence.OPTIONAL and (accepts_null(field) or underlying(field.type) in _TIMES):
            schema["nullable"] = True
        return schema

    def _doc(self, field: Field) -> str | None:
        if field.gate is None or not self._gates.is_disabled(field.gate):
            return field.doc
        note = f"Ignored unless the feature gate {names_of(field.gate)} is enabled."
        return f"{field.doc}\n\n{note}" if field.doc else note

    def _described(self, schema: Schema, doc: str | None) -> Schema:
        most = self._backend_input.crd.descriptions
        if doc and most != 0:
            short = doc if most is None or len(doc) <= most else f"{doc[: max(most - 1, 0)].rstrip()}…"
            return {**schema, "description": short}
        return schema

    def _value(self, type_: Type, declared: Declared) -> Schema:
        schema: Schema
        match type_:
            case NamedType():
                return self._named(type_, declared)
            case StructType(id_):
                struct = struct_of(id_, self._backend_input.types)
                schema = self._struct(struct)
                for each in declared.own:
                    self._add_subfields(schema, struct, each)
            case ListType(item):
                items = self._value(item, Declared(declared.items))
                self._add_defaults_of_keys(items, item, declared.merge)
                schema = {"type": "array", "items": items}
                if declared.merge.list_map_keys and "properties" not in items:
                    # an item that contains itself: its keys have no schema
                    declared = Declared(declared.own)
            case MapType(key, value):
                schema = {"type": "object", "additionalProperties": self._value(value, Declared(declared.values))}
                rule = _key_rule(self._value(key, Declared(declared.keys)))
                if rule:
                    schema["x-kubernetes-validations"] = [rule]
            case EnumType(id_):
                schema = self._enum(id_)
            case ScalarType() | WellKnownType():
                schema = scalar_schema(type_)
                schema.pop("nullable", None)
                if isinstance(type_, WellKnownType) and type_.known is WellKnown.QUANTITY:
                    schema["pattern"] = _QUANTITY
        schema |= _structural(merge_words(declared.merge))
        for each in declared.own:
            schema = _constrained(schema, each, type_)
        return schema

    def _add_defaults_of_keys(self, items: Schema, item: Type, merge: MergeSpec) -> None:
        """Add the defaults of list map keys: a key must be required or have a default, in every release series."""
        behind, properties = underlying(item), items.get("properties")
        struct = struct_behind(behind, self._backend_input.types)
        if struct is None or not isinstance(properties, dict):
            return
        for key in merge.list_map_keys:
            field, schema = struct.field(key.value), properties.get(key.value)
            if field is not None and not field.required and isinstance(schema, dict):
                default = structural_default(field, self._backend_input.types)
                properties[key.value] = schema if default is None else {**schema, "default": default}

    def _add_subfields(self, schema: Schema, struct: Struct, constraints: Constraints) -> None:
        """Add the constraints that a use of a struct declares for its fields to its schema."""
        properties = schema.get("properties")
        assert isinstance(properties, dict) or not constraints.subfields
        for each in constraints.subfields:
            name, field = each.name.value, struct.field(each.name.value)
            if (
                field is None
                or not isinstance(properties, dict)
                or not isinstance(schema_ := properties.get(name), dict)
            ):
                continue
            properties[name] = _constrained(schema_, each.constraints, underlying(field.type))
            required = schema.get("required", [])
            if each.constraints.required is not None and each.constraints.required.value and isinstance(required, list):
                schema["required"] = list[JsonValue](sorted({*map(str, required), name}))

    def _named(self, type_: NamedType, declared: Declared) -> Schema:
        alias = self._backend_input.types.get(type_.id)
        if not isinstance(alias, Alias):
            return self._value(type_.target, declared)
        schema = self._value(type_.target, declared.with_named(alias))
        return {**schema, "nullable": True} if type_.nullable else schema

    def _enum(self, id_: TypeId) -> Schema:
        enum = enum_of(id_, self._backend_input.types)
        if enum.open:
            return {"type": "string"}
        is_kept = self._backend_input.crd.gated == "note"
        values = [each.value for each in enum.values if is_kept or not self._gates.is_disabled(each.gate)]
        return {"type": "string", "enum": list[JsonValue](values)}


def _words(constraints: Constraints, type_: Type) -> Schema:
    """Return the keywords for constraints on a value, as far as structural schemas have them."""
    words = constraint_words(constraints, type_)
    rules = words.pop("x-kubernetes-validations", [])
    assert isinstance(rules, list)
    kept: list[JsonValue] = []
    for rule in rules:
        listed = _listed(rule)
        if listed is not None and "enum" not in words:
            words["enum"] = listed
        else:
            kept.append(rule)
    rejected = constraints.not_value
    other: Schema = {"enum": [rejected.value]} if isinstance(rejected, Located) else {}
    return words | present({"x-kubernetes-validations": kept, "not": other})


def _listed(rule: JsonValue) -> list[JsonValue] | None:
    """Return the values of a rule that only lists values: `enum` is equivalent, and the API server estimates no cost
    for it.
    """
    found = _LISTED.fullmatch(str(rule["rule"])) if isinstance(rule, dict) else None
    try:
        values = [] if found is None else json.loads(found[1])
    except ValueError:
        return None
    return values if values and all(isinstance(value, str | int) for value in values) else None


def _counted(rule: JsonValue, properties: Schema) -> Schema:
    """Return the keyword for a rule that counts set fields, if it counts all of them: `minProperties` or
    `maxProperties`.

    Such a rule may count fields of any JSON value, which rules of the API server cannot access.
    """
    found = _COUNTED.fullmatch(str(rule["rule"])) if isinstance(rule, dict) else None
    if found is None or sorted(re.findall(r"self\.(\w+)", found[0])) != sorted(map(escaped, properties)):
        return {}
    word = "maxProperties" if found["sign"] == "<=" else "minProperties"
    return {word: int(found["number"] or 1)}


MOST_INTEGER = 2**63 - 1
"""The largest integer of the API server, for values of `uint64` and their bounds."""


def structural_default(field: Field, types: Mapping[TypeId, TypeDef]) -> JsonValue:
    """Return the published default of a field; None also for a number that the API server does not have."""
    default = published_default(field, types)
    return None if isinstance(default, int) and default > MOST_INTEGER else default


def missing_member(value: JsonValue, schema: Schema) -> str | None:
    """The first required member that a default does not have; None if it has all. The API server applies no defaults in
    it.
    """
    if isinstance(value, dict) and isinstance(properties := schema.get("properties"), dict):
        required = schema.get("required")
        missing = (
            next((str(each) for each in required if each not in value), None) if isinstance(required, list) else None
        )
        inside = ((each, properties.get(name)) for name, each in value.items())
    else:
        missing, inner = None, schema.get("items" if isinstance(value, list) else "additionalProperties")
        values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        inside = ((each, inner) for each in values)
    if missing is not None:
        return missing
    missing_inside = (missing_member(each, inner) for each, inner in inside if isinstance(inner, dict))
    return next((name for name in missing_inside if name is not None), None)


def _structural(words: Schema) -> Schema:
    return {word: value for word, value in words.items() if word not in _NOT_STRUCTURAL}


def _constrained(schema: Schema, constraints: Constraints, type_: Type) -> Schema:
    """A schema with constraints."""
    words = _words(constraints, type_)
    enum, listed = schema.get("enum"), words.get("enum")
    if isinstance(enum, list) and isinstance(listed, list):
        words = {**words, "enum": [value for value in enum if value in listed]}
    found = constrained(without_type(schema, constraints), words)
    if isinstance(most := found.get("maximum"), int) and most > MOST_INTEGER:
        del found["maximum"]  # the API server would reject all values
    return found


class ImpliedRule(dict[str, JsonValue]):
    """A CEL rule, with its tree, that apigen writes for a constraint without a keyword in structural schemas."""

    def __init__(self, rule: str, message: str, expression: Expression) -> None:
        super().__init__(rule=rule, message=message)
        self.expression = expression


def _key_rule(names: Schema) -> ImpliedRule | None:
    """Return the constraints of map keys, which structural schemas do not have, as a CEL rule."""
    key = Name("key")
    tests: list[tuple[str, Expression]] = []
    for word, sign in (("minLength", ">="), ("maxLength", "<=")):
        if isinstance(limit := names.get(word), int):
            size = Call("size", None, (key,), (), True)
            tests.append((f"size(key) {sign} {limit}", Call(f"_{sign}_", None, (size, Constant(1)), (), True)))
    if isinstance(pattern := names.get("pattern"), str):
        text = f"key.matches({_cel_text(pattern)})"
        tests.append((text, Call("matches", key, (Constant(len(pattern)),), (), True)))
    if isinstance(values := names.get("enum"), list):
        listed = ListOf(tuple(Constant(len(str(each))) for each in values))
        text = f"key in [{', '.join(_cel_text(str(each)) for each in values)}]"
        tests.append((text, Call("@in", None, (key, listed), (), True)))
    if not tests:
        return None
    so_far = Name("@result")
    step = Call("_&&_", None, (so_far, *(expression for _, expression in tests)), (), True)
    condition = Call("@not_strictly_false", None, (so_far,), (), True)
    loop = Comprehension("key", "", Name("self"), "@result", Constant(1), condition, step, so_far)
    return ImpliedRule(f"self.all(key, {' && '.join(text for text, _ in tests)})", "a key is not valid", loop)


def _one_of(struct: Struct, names: set[str]) -> Schema:
    """Return the schema that requires one member of each union to be set, as far as keywords can recognize set members.

    A CEL rule would have a better message, but a rule in a list without bounds costs more than the API server allows.
    """
    alternatives: list[JsonValue] = []
    for union in struct.unions:
        members = [member.json_name for member in union.members if member.json_name in names]
        each = [found for name in members if (found := set_member(name, struct)) is not None]
        if len(members) < 2 or len(each) < len(members):
            continue
        if union.optional or union.discriminator is not None or len(members) < len(union.members):
            each.append({"not": {"anyOf": [*each]}})
        alternatives.append({"oneOf": [*each]})
    if not alternatives:
        return {}
    first = alternatives[0]
    assert isinstance(first, dict)
    return first if len(alternatives) == 1 else {"allOf": alternatives}


def set_member(name: str, struct: Struct) -> Schema | None:
    """Return the schema of objects in which a member of a union is set, by its name in JSON and as in generated validation;
    None if keywords cannot express that.
    """
    field = struct.field(name)
    if field is None:
        return None
    type_ = underlying(field.type)
    if isinstance(type_, ListType | MapType):
        keyword: Schema = {"minItems": 1} if isinstance(type_, ListType) else {"minProperties": 1}
    elif field.presence is Presence.OPTIONAL:
        return {"required": [name]} if isinstance(type_, StructType | ScalarType | EnumType) else None
    elif field.presence is Presence.OMIT_EMPTY and isinstance(type_, ScalarType | EnumType):
        keyword = (
            _NOT_ZERO.get(type_.scalar, {"not": {"enum": [0]}}) if isinstance(type_, ScalarType) else {"minLength": 1}
        )
    else:
        return None
    return {"required": [name], "properties": {name: {**keyword}}}


_NOT_ZERO: Mapping[Scalar, Schema] = {
    Scalar.STRING: {"minLength": 1},
    Scalar.BYTES: {"minLength": 1},
    Scalar.BOOL: {"enum": [True]},
}
"""The keywords of a value that is not zero; other scalars are numbers."""


def _cel_text(text: str) -> str:
    """A string literal of CEL."""
    escaped = (
        text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
    )
    return f'"{escaped}"'
