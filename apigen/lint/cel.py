"""Checks the CEL rules of specs: compiles each, with its types and the restrictions of its place, and reports its errors there.

The rules of a place, and of its parts, are evaluated for defaults and for values that gates set (AG0506). Kubernetes rejects a
CRD with such a default. Rules are evaluated as by a server that creates an object: transition rules are skipped, those with
`optionalOldSelf` have no old value. All values that a rule reads must be known: a struct is not evaluated if defaults, gates or
zero values other than scalars may add to the literal. Values that hand-written functions set do not count, because schemas have
the literal unchanged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterable, Sequence
from importlib import import_module
from typing import Any

from apigen.diagnostics import Place, Related, Report
from apigen.diagnostics.quoting import quote
from apigen.diagnostics.suggest import did_you_mean
from apigen.ir.literals import (
    EnumText,
    KnownValue,
    Limits,
    LiteralProblem,
    LiteralValue,
    PlainValue,
    behind_names,
    plain,
    read_literal,
)
from apigen.ir.model import (
    Api,
    EnumType,
    Field,
    ListType,
    MapType,
    Presence,
    Scalar,
    ScalarType,
    Struct,
    StructType,
    Type,
    TypeId,
    WellKnown,
    WellKnownType,
    is_container,
    struct_in,
    struct_of,
    underlying,
)
from apigen.ir.names import package_name
from apigen.ir.ruled import RuledPlace, ruled_places, rules_of_struct
from apigen.language.model import EmbeddedText, Items, LiteralNode, Located, Object, RuleSpec
from apigen.lint.set_values import ByPath
from apigen.runtime.cel import LIBRARY, Cel, CelError, Environment, Program, find_cel
from apigen.runtime.cel_functions import message_types
from apigen.runtime.rules import escaped, names_in_rules, path_steps, uses_old_self

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
    checker = _DefaultsChecker(api, cel, report)
    for struct in api.types.values():
        if isinstance(struct, Struct) and struct.id.group in groups:
            checker.check(struct)


class _DefaultsChecker:
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
                struct = struct_of(id_, self._api.types)
                rules = [*rules_of_struct(struct, self._api.types), *rules]
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
                found |= dict.fromkeys(names_in_rules(field.json_name), value)
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

    def _rejects(self, rule: RuleSpec, value: object) -> bool:
        """Return whether a rule is false of a new value. One that cannot be evaluated is not."""
        text = rule.rule.value
        if uses_old_self(text) and not _applies_to_new(rule):
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


PACKAGE = "api"
"""Of the messages: a name without one is not looked up."""

_DYNAMIC = ".google.protobuf.Value"
_TIMESTAMP = ".google.protobuf.Timestamp"
_METADATA = "MetadataOfRules"
_DOUBLE, _INT64, _BOOL, _STRING, _MESSAGE, _BYTES = 1, 3, 8, 9, 11, 12
_OPTIONAL, _REPEATED = 1, 3
_SCALARS = {
    Scalar.STRING: _STRING,
    Scalar.BOOL: _BOOL,
    Scalar.FLOAT32: _DOUBLE,
    Scalar.FLOAT64: _DOUBLE,
    Scalar.BYTES: _BYTES,
}
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

_OTHER_NAMES = 100_000
"""The distance of the numbers of fields under their other names; a struct has fewer fields."""

Kind = tuple[int, str]
"""A field's type in a descriptor: the number of the type, and the name of its message."""


class Messages:
    """Return the messages of the structs with rules, and of all structs in them."""

    def __init__(self, api: Api, structs: Iterable[TypeId]) -> None:
        self._api = api
        self._names: dict[tuple[TypeId, bool], str] = {}
        descriptors = import_module("google.protobuf.descriptor_pb2")
        self._file = descriptors.FileDescriptorProto(name="api.proto", package=PACKAGE, syntax="proto2")
        self._file.dependency.extend(["google/protobuf/struct.proto", "google/protobuf/timestamp.proto"])
        metadata = self._file.message_type.add(name=_METADATA)
        for number, name in enumerate(("name", "generateName"), 1):
            metadata.field.add(name=name, json_name=name, number=number, type=_STRING, label=_OPTIONAL)
        for id_ in structs:
            self._message(id_)
            self._message(id_, is_self=True)

    def files(self) -> list[bytes]:
        """The files of descriptors, each after those that it needs."""
        well_known = ("google.protobuf.struct_pb2", "google.protobuf.timestamp_pb2")
        files: list[bytes] = [import_module(name).DESCRIPTOR.serialized_pb for name in well_known]
        return [*files, *message_types(), self._file.SerializeToString()]

    def type_of(self, type_: Type, cel_types: Any) -> Any:
        """The type as the checker has it; `cel_types` is the library's class of types."""
        match underlying(type_):
            case ListType(item):
                return cel_types.List(self._element(item, cel_types))
            case MapType(_, value):
                return cel_types.Map(cel_types.STRING, self._element(value, cel_types))
            case StructType(id_):
                return cel_types(f"{PACKAGE}.{self._message(id_, is_self=True)}")
            case _:
                number, name = self._kind(type_)
                if name == _TIMESTAMP:
                    return cel_types.TIMESTAMP
                plain = {
                    _DOUBLE: cel_types.DOUBLE,
                    _INT64: cel_types.INT,
                    _BOOL: cel_types.BOOL,
                    _STRING: cel_types.STRING,
                    _BYTES: cel_types.BYTES,
                }
                return plain.get(number, cel_types.DYN)

    def _element(self, type_: Type, cel_types: Any) -> Any:
        behind = underlying(type_)
        if isinstance(behind, StructType):
            return cel_types(f"{PACKAGE}.{self._message(behind.id)}")
        return self.type_of(type_, cel_types)

    def struct_named(self, message: str) -> Struct | None:
        """Return the struct of a message."""
        return next((self._api.struct(id_) for (id_, _), name in self._names.items() if name == message), None)

    def _message(self, id_: TypeId, *, is_self: bool = False) -> str:
        """Return the name of the message of a struct. A rule cannot read all metadata of the object that it is declared
        on, but that of objects in it.
        """
        struct = self._api.struct(id_)
        key = (id_, is_self and struct.is_root)
        name = self._names.get(key)
        if name is not None:
            return name
        name = id_.name if id_.name not in self._names.values() else f"{id_.name}_of_{package_name(id_.group)}"
        while name in self._names.values():
            name = f"{name}_{id_.version}"
        self._names[key] = name
        message = self._file.message_type.add(name=name)
        members = [(f.json_name, f) for f in struct.fields]
        number = 0
        for number, (json_name, member) in enumerate(members, 1):
            if key[1] and json_name == "metadata":
                self._add(message, json_name, number, (_MESSAGE, f".{PACKAGE}.{_METADATA}"), _OPTIONAL)
            else:
                self._field(message, member, number)
        if struct.has_type_meta:
            for offset, json_name in enumerate(("apiVersion", "kind"), 1):
                self._add(message, json_name, number + offset, (_STRING, ""), _OPTIONAL)
        return name

    def _field(self, message: Any, member: Field, number: int) -> None:
        behind = underlying(member.type)
        if member.presence is Presence.NULLABLE:
            self._add(message, member.json_name, number, (_MESSAGE, _DYNAMIC), _OPTIONAL)
        elif isinstance(behind, ListType):
            self._add(message, member.json_name, number, self._kind(behind.item), _REPEATED)
        elif isinstance(behind, MapType):
            name = _entry_name(escaped(member.json_name))
            entry = message.nested_type.add(name=name)
            entry.options.map_entry = True
            self._add(entry, "key", 1, (_STRING, ""), _OPTIONAL)
            self._add(entry, "value", 2, self._kind(behind.value), _OPTIONAL)
            kind = (_MESSAGE, f".{PACKAGE}.{message.name}.{name}")
            self._add(message, member.json_name, number, kind, _REPEATED)
        else:
            self._add(message, member.json_name, number, self._kind(member.type), _OPTIONAL)

    def _add(self, message: Any, json_name: str, number: int, kind: Kind, label: int) -> None:
        for index, name in enumerate(names_in_rules(json_name)):
            if _IDENTIFIER.fullmatch(name) is not None:  # no expression could name the others
                number += index * _OTHER_NAMES
                message.field.add(
                    name=name, json_name=name, number=number, type=kind[0], type_name=kind[1] or None, label=label
                )

    def _kind(self, type_: Type) -> Kind:
        match underlying(type_):
            case ScalarType(scalar):
                return _SCALARS.get(scalar, _INT64), ""
            case EnumType():
                return _STRING, ""
            case WellKnownType(WellKnown.TIME | WellKnown.MICRO_TIME):
                return _MESSAGE, _TIMESTAMP
            case WellKnownType(WellKnown.QUANTITY | WellKnown.DURATION):
                return _STRING, ""
            case StructType(id_):
                return _MESSAGE, f".{PACKAGE}.{self._message(id_)}"
            case _:
                return _MESSAGE, _DYNAMIC


def _entry_name(field_name: str) -> str:
    """Return the name that protobuf requires for the message of a map's entries."""
    return "".join(part[:1].upper() + part[1:] for part in field_name.split("_")) + "Entry"


_NO_FIELD = re.compile(r"undefined field '(\w+)' not found in struct 'api\.(\w+)'")
_MIXED_NUMBERS = re.compile(r"for '_(?:<|<=|>|>=|==|!=)_' applied to '\((?:int|uint|double), (?:int|uint|double)\)'")
_UNEXPECTED = re.compile(r"(?:at: |input )'([^']+)'")
_OPERATORS = {"and": "&&", "or": "||", "&": "&&", "|": "||", "=>": ">=", "=<": "<=", "=": "=="}
"""Operators of other languages with those of CEL."""
_VARIABLES: tuple[str, ...] = ("self", "oldSelf")


def check_cel_rules(api: Api, report: Report, groups: Container[str]) -> None:
    """Check the rules of these groups, and their defaults by rules (AG0506).

    Without a CEL library, say once how many rules are not checked (AG1368).
    """
    everywhere = list(ruled_places(api))
    places = [place for place in everywhere if place.owner.group in groups]
    _check_reach(places, api, report)
    if not everywhere:
        return
    cel = find_cel()
    if cel is not None:
        check_defaults_by_rules(api, cel, report, groups)
    if not places:
        return
    if cel is None:
        count = f"{len(places)} CEL rules are" if len(places) > 1 else "a CEL rule is"
        report.warning(
            "AG1368",
            places[0].rule.rule.place,
            f"{count} not checked, because the library for CEL is not installed",
            hint=_INSTALL,
        )
        return
    checker = _Checker(api, cel, report, places)
    for place in places:
        checker.check(place)


def _operator_hint(problem: str) -> str | None:
    """Return the hint for a syntax error at an operator of another language; None at anything else."""
    found = _UNEXPECTED.search(problem)
    right = _OPERATORS.get(found[1].strip()) if found else None
    return None if right is None else f"write `{right}`"


_INSTALL = f"install {LIBRARY}"


class _Checker:
    """Checks rules about the types of one API."""

    def __init__(self, api: Api, cel: Cel, report: Report, places: Sequence[RuledPlace]) -> None:
        self._api = api
        self._cel = cel
        self._report = report
        structs = [id_ for place in places if (id_ := struct_in(place.type)) is not None]
        self._messages = Messages(api, structs)
        self._files = self._messages.files()
        self._environments: dict[str, Environment] = {}

    def check(self, place: RuledPlace) -> None:
        """Report the errors of one rule."""
        rule = place.rule
        optional = rule.optional_old_self is not None and rule.optional_old_self.value
        if not self._check_old_self(place, optional):
            return
        environment = self._environment(place.type)
        program = self._compiled(rule.rule, environment, optional)
        if program is not None and program.type_name not in ("BOOL", "DYN"):
            message = f"a rule must be a boolean, but this is of type {program.type_name.lower()}"
            self._report.error("AG1362", rule.rule.place, message)
        if rule.message_expression is not None:
            message_program = self._compiled(rule.message_expression, environment, False)
            if message_program is not None and message_program.type_name not in ("STRING", "DYN"):
                message = f"a message must be a string, but this is of type {message_program.type_name.lower()}"
                self._report.error("AG1362", rule.message_expression.place, message)
        self._check_field_path(place)

    def _environment(self, type_: Type) -> Environment:
        key = str(type_) if not isinstance(underlying(type_), StructType) else repr(underlying(type_))
        if key not in self._environments:
            known = self._messages.type_of(type_, self._cel.library.Type)
            types = dict.fromkeys(_VARIABLES, known)
            self._environments[key] = self._cel.environment(types, self._files)
        return self._environments[key]

    def _compiled(self, text: EmbeddedText, environment: Environment, optional: bool) -> Program | None:
        try:
            return environment.compile(text.value, _VARIABLES, optional_old=optional)
        except CelError as error:
            if _MIXED_NUMBERS.search(error.problem) and (program := self._of_any_number(text, optional)) is not None:
                return program
            column = error.column + 1 if _NO_FIELD.search(error.problem) else error.column  # it names the dot
            place = text.place_of(error.line, max(column, 1)) if error.line else text.place
            where = "" if text.begins is not None or not error.line else f" (line {error.line}, {error.column})"
            code = "AG1360" if error.problem.startswith("Syntax error") or not error.line else "AG1361"
            message, hint = self._in_words(error.problem)
            self._report.error(code, place, f"{message}{where}", hint=hint)
            return None

    def _of_any_number(self, text: EmbeddedText, optional: bool) -> Program | None:
        """The rule without types: Kubernetes compares numbers of different types, this library's checker does not."""
        try:
            return self._cel.compile(text.value, variables=_VARIABLES, optional_old=optional)
        except CelError:
            return None

    def _in_words(self, problem: str) -> tuple[str, str | None]:
        """Return the library's message, with the name of a field as in specs, and a hint."""
        found = _NO_FIELD.search(problem)
        if found is None:
            return problem.partition(" expecting {")[0].replace(f"{PACKAGE}.", ""), _operator_hint(problem)
        struct = self._messages.struct_named(found[2])
        if struct is None:
            message = f"a rule can use `name` and `generateName` of metadata, not {quote(found[1])}"
            return message, "check other metadata in an admission webhook"
        names = [name for f in struct.fields for name in names_in_rules(f.json_name)]
        return f"`{struct.id.name}` has no field {quote(found[1])}", did_you_mean(found[1], names)

    def _check_old_self(self, place: RuledPlace, optional: bool) -> bool:
        rule = place.rule
        uses = uses_old_self(rule.rule.value)
        if optional and not uses and rule.optional_old_self is not None:
            message = "`optionalOldSelf` has no effect, because the rule does not use `oldSelf`"
            self._report.error("AG1363", rule.optional_old_self.place, message, hint="remove it")
            return False
        if uses and not place.has_old:
            column = rule.rule.value.find("oldSelf") + 1
            at = rule.rule.place_of(1, column) if "\n" not in rule.rule.value[:column] else rule.rule.place
            self._report.error(
                "AG1364",
                at,
                "elements of this list have no corresponding old value",
                hint="give the list `listType: map` with `listMapKeys`, or declare the rule on the list",
            )
            return False
        return True

    def _check_field_path(self, place: RuledPlace) -> None:
        written = place.rule.field_path
        if written is None:
            return
        type_: Type = place.type
        try:
            steps = list(path_steps(written.value))
        except ValueError as error:
            self._report.error("AG1365", written.place, f"{quote(written.value)} is not a field path: {error}")
            return
        for name, key in steps:
            behind = underlying(type_)
            struct = self._api.types.get(behind.id) if isinstance(behind, StructType) else None
            if isinstance(behind, MapType):
                type_ = behind.value
                continue
            member = struct.field(name or key) if isinstance(struct, Struct) else None
            if member is None:
                known = [f.json_name for f in struct.fields] if isinstance(struct, Struct) else []
                message = f"{quote(written.value)} is not a field: {type_} has no {quote(name or key)}"
                self._report.error("AG1365", written.place, message, hint=did_you_mean(name or key, known))
                return
            type_ = member.type


def _check_reach(places: Sequence[RuledPlace], api: Api, report: Report) -> None:
    """Warn of rules that are never evaluated, because validation runs on one version of a group (AG1367)."""
    evaluated_rules = {
        (place.owner.group, place.owner.name, place.place, place.rule.rule.value)
        for place in places
        if api.group(place.owner.group).hub == place.owner.version
    }
    for place in places:
        owner = place.owner
        hub = api.group(owner.group).hub
        where, rule = _with_names_of_hub(place, api)
        if hub not in (None, owner.version) and (owner.group, owner.name, where, rule) not in evaluated_rules:
            renamed = "" if rule == place.rule.rule.value else f": `{{rule: {json.dumps(rule, ensure_ascii=False)}}}`"
            report.warning(
                "AG1367",
                place.rule.rule.place,
                f"this rule is never evaluated: validation uses {hub}, which does not have the rule",
                hint=f"declare it in {hub}, too{renamed}",
            )
    _check_hub_overrides(api, report)


def _with_names_of_hub(place: RuledPlace, api: Api) -> tuple[str, str]:
    """Return the place of a rule and its text, with the names in the hub for renamed fields of `self`."""
    type_ = api.types[place.owner]
    fields = type_.fields if isinstance(type_, Struct) else ()
    moved = {
        field.json_name: str(field.hub.to) for field in fields if field.hub is not None and field.hub.to is not None
    }
    text = _FIELD_OF_SELF.sub(lambda found: f"self.{moved.get(found[1], found[1])}", place.rule.rule.value)
    return _FIRST_FIELD.sub(lambda found: moved.get(found[0], found[0]), place.place), text


_FIELD_OF_SELF = re.compile(r"\bself\.([A-Za-z_][A-Za-z0-9_]*)")
_FIRST_FIELD = re.compile(r"^[A-Za-z_$][A-Za-z0-9_$-]*")


def _check_hub_overrides(api: Api, report: Report) -> None:
    for group in api.groups:
        for type_ in group.hub_overrides:
            texts: list[Place] = [rule.rule.place for rule in type_.constraints.rules]
            texts += [rule.rule.place for member in type_.fields for rule in member.constraints.rules]
            for place in texts:
                report.error("AG1366", place, "a rule must be declared in a version, not in hub.yaml", hint=_OF_VERSION)


_OF_VERSION = "declare it in the version that the hub follows"
