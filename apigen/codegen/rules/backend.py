"""CEL rules as tables that the run-time library evaluates: `rules.py` of each hub with kinds that have any."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.source_text import HEADER, Imports, call, literal, tuple_literal
from apigen.codegen.rendering import render
from apigen.codegen.strategies.backend import kinds_with_hub, title_of
from apigen.codegen.strategies.operations import status_is_reset
from apigen.codegen.strategies.walks import all_places
from apigen.dataclass import dataclass
from apigen.ir.graphs import breadth_first
from apigen.ir.model import (
    Alias,
    Declared,
    Kind,
    ListType,
    MapType,
    Scalar,
    ScalarType,
    Struct,
    StructType,
    Type,
    TypeId,
    WellKnown,
    WellKnownType,
    declared_by,
    declared_of,
    innermost_type,
    named_in,
    underlying,
)
from apigen.ir.names import Module
from apigen.ir.ruled import rules_of_struct
from apigen.language.model import Located, MergeSpec, RuleSpec
from apigen.runtime.errors import with_article
from apigen.runtime.rules import escaped

_REASONS = {"FieldValueForbidden": "FORBIDDEN", "FieldValueRequired": "REQUIRED", "FieldValueDuplicate": "DUPLICATE"}
_FLOATS = frozenset({Scalar.FLOAT32, Scalar.FLOAT64})


class RuledStructs:
    """Return the structs of all versions that the runtime needs to evaluate rules.

    These are structs with a rule in or below them, and structs that a rule can read with a value whose type in CEL
    differs from that in JSON, or with a field that has another name in rules.
    """

    def __init__(self, backend_input: BackendInput) -> None:
        self._backend_input = backend_input
        self._places = backend_input.once(all_places)
        structs = [s for s in backend_input.types.values() if isinstance(s, Struct) and s.id.version != "hub"]
        ruled = [s.id for s in structs if self._rules_in(s)]
        self.has_rules = bool(ruled)
        self._above = self._places.above(ruled)
        seen = frozenset(id_ for start in self._starts(structs) for id_ in self._places.below(start))
        structs_seen = [self._places.struct(id_) for id_ in seen]
        special = self._places.above(
            s.id for s in structs_seen if _has_odd_names(s) or any(_form(innermost_type(f.type)) for f in s.fields)
        )
        self._seen = seen
        self._emitted = self._above | (special & seen)

    def are_below(self, root: TypeId) -> bool:
        """Return whether a struct or a struct below it has a rule."""
        return root in self._above

    def emitted(self, root: TypeId) -> tuple[TypeId, ...]:
        """Return the structs below a root that need an entry, from the outside in; rules cannot access metadata."""

        def inside(id_: TypeId) -> Iterator[TypeId]:
            is_root = self._places.struct(id_).is_root
            for child in self._places.children(id_):
                if child.struct in self._emitted and not (is_root and child.field.json_name == "metadata"):
                    yield child.struct

        return breadth_first(root, inside)

    def name(self, id_: TypeId) -> str:
        """Return the name of a struct in the table."""
        return f"{id_.group}/{id_.version}.{id_.name}"

    def expression(self, id_: TypeId, imports: Imports) -> str:
        """The entry of a struct."""
        struct = self._places.struct(id_)
        parts = self._rules(rules_of_struct(struct, self._backend_input.types), imports)
        members = {}
        for member in struct.fields:
            if struct.is_root and member.json_name == "metadata":
                continue
            text = self._value(member.type, declared_by(member), imports, seen=id_ in self._seen)
            if text is not None:
                members[member.json_name] = text
        if members or (id_ in self._seen and _has_odd_names(struct)):
            for member in struct.fields:  # a name that rules spell otherwise is known by being here
                if escaped(member.json_name) != member.json_name:
                    members.setdefault(member.json_name, f"{imports.runtime('Ruled')}()")
            parts.append(f"fields={{{', '.join(f'{literal(name)}: {text}' for name, text in members.items())}}}")
        if _is(struct.merge.struct_type, "atomic"):
            parts.append("atomic=True")
        return f"{imports.runtime('Ruled')}({', '.join(parts)})"

    def _rules_in(self, struct: Struct) -> bool:
        if rules_of_struct(struct, self._backend_input.types):
            return True
        return any(
            c.rules
            for f in struct.fields
            for c in (f.constraints, f.item_constraints, f.key_constraints, f.value_constraints)
        ) or any(self._alias_rules(f.type) for f in struct.fields)

    def _alias_rules(self, type_: Type) -> bool:
        """Return whether a name in a type expression has rules."""
        aliases = (self._backend_input.types.get(id_) for id_ in named_in(type_))
        return any(
            c.rules
            for alias in aliases
            if isinstance(alias, Alias)
            for c in (alias.constraints, alias.item_constraints, alias.key_constraints, alias.value_constraints)
        )

    def _starts(self, structs: list[Struct]) -> Iterator[TypeId]:
        """The structs that a rule sees whole."""
        for struct in structs:
            if rules_of_struct(struct, self._backend_input.types):
                yield struct.id
            for child in self._places.children(struct.id):
                member = child.field
                constraints = (member.constraints, member.item_constraints, member.value_constraints)
                if any(c.rules for c in constraints) or self._alias_rules(member.type):
                    yield child.struct

    def _value(self, type_: Type, declared: Declared, imports: Imports, *, seen: bool) -> str | None:
        """Return the entry of a value: the name of its type if that is sufficient, None if it needs no entry."""
        declared = declared_of(type_, declared, self._backend_input.types)
        rules = tuple(rule for each in declared.own for rule in each.rules)
        seen = seen or bool(rules)
        parts = self._rules(rules, imports)
        match underlying(type_):
            case StructType(id_):
                if id_ in self._emitted:
                    name = literal(self.name(id_))
                    if not parts:
                        return name
                    parts.append(f"struct={name}")
            case ListType(item):
                text = self._value(item, Declared(declared.items), imports, seen=seen)
                if text is not None:
                    parts.append(f"items={text}")
                    parts += _identity(declared.merge)
            case MapType(key, value):
                keys = self._value(key, Declared(declared.keys), imports, seen=False)
                text = self._value(value, Declared(declared.values), imports, seen=seen)
                parts += [f"keys={keys}"] if keys is not None else []
                parts += [f"values={text}"] if text is not None else []
                if parts and _is(declared.merge.map_type, "atomic"):
                    parts.append("atomic=True")
            case _ if seen and (form := _form(type_)):
                parts.append(f"form={literal(form)}")
        return f"{imports.runtime('Ruled')}({', '.join(parts)})" if parts else None

    def _rules(self, rules: tuple[RuleSpec, ...], imports: Imports) -> list[str]:
        if not rules:
            return []
        return [f"rules={tuple_literal([_rule(rule, imports) for rule in rules])}"]


def _rule(rule: RuleSpec, imports: Imports) -> str:
    reason = "" if rule.reason is None else _REASONS.get(rule.reason.value, "")
    is_old_optional = rule.optional_old_self is not None and rule.optional_old_self.value
    return call(
        imports.runtime("Rule"),
        literal(rule.rule.value),
        message=_text_of(rule.message),
        message_expression=_text_of(rule.message_expression),
        reason=f"{imports.runtime('ErrorType')}.{reason}" if reason else "",
        field_path=_text_of(rule.field_path),
        optional_old_self="True" if is_old_optional else "",
    )


def _text_of(written: Located[str] | None) -> str:
    return "" if written is None else literal(written.value)


def _identity(merge: MergeSpec) -> list[str]:
    if _is(merge.list_type, "map"):
        return [f"list_keys={literal(tuple(key.value for key in merge.list_map_keys))}"]
    return ["is_set=True"] if _is(merge.list_type, "set") else []


def _is(written: object, word: str) -> bool:
    return getattr(written, "value", None) == word


def _form(type_: Type) -> str:
    """Return the type of a value in CEL, if it differs from that in JSON; else empty."""
    match underlying(type_):
        case WellKnownType(WellKnown.TIME | WellKnown.MICRO_TIME):
            return "timestamp"
        case ScalarType(Scalar.BYTES):
            return "bytes"
        case ScalarType(scalar) if scalar in _FLOATS:
            return "double"
    return ""


def _has_odd_names(struct: Struct) -> bool:
    return any(escaped(f.json_name) != f.json_name for f in struct.fields)


MODULE = "rules"


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """One module for each hub whose kinds have rules, in the version that the hub follows."""
    modules: dict[Module, list[RuledKind]] = {}
    for ruled in backend_input.once(ruled_kinds):
        modules.setdefault(Module.of(ruled.hub.id.group, ruled.hub.id.version, MODULE), []).append(ruled)
    for module, kinds in sorted(modules.items()):
        yield text_file(module.path, _text(backend_input, module, kinds))


@dataclass(frozen=True, slots=True)
class RuledKind:
    """A kind with rules: its hub, the type of the version whose rules are evaluated, and its structs with rules."""

    kind: Kind
    hub: Struct
    version: Struct
    structs: RuledStructs

    def call(self, imports: Imports) -> str:
        """Return the call that evaluates the rules of an object, `obj`, and of the change from `old`."""
        return f"{imports.function(self.hub.id, MODULE, f'evaluate_{self.hub.snake_name}')}(obj, old)"


def ruled_kinds(backend_input: BackendInput) -> list[RuledKind]:
    """The kinds that have rules; for `BackendInput.once`."""
    structs = RuledStructs(backend_input)
    found = []
    for kind, hub in kinds_with_hub(backend_input) if structs.has_rules else ():
        version = backend_input.types.get(backend_input.hub.named.get(hub.id, hub.id))
        if isinstance(version, Struct) and structs.are_below(version.id):
            found.append(RuledKind(kind, hub, version, structs))
    return found


def _text(backend_input: BackendInput, module: Module, kinds: Sequence[RuledKind]) -> str:
    imports = Imports(module, taken=frozenset({"TYPES"}))
    for name in ("RuledTypes", "FieldError", "evaluate_rules"):
        imports.runtime(name)
    entries: dict[str, str] = {}
    for ruled in kinds:
        for id_ in ruled.structs.emitted(ruled.version.id):
            entries.setdefault(literal(ruled.structs.name(id_)), ruled.structs.expression(id_, imports))
    values = [_values(ruled, imports) for ruled in kinds]
    return render(
        "rules/module.py.jinja",
        header=HEADER,
        summary=f"The CEL rules of objects of {title_of(backend_input, module)}.",
        imports=imports.render(),
        types=entries,
        kinds=values,
    )


def _values(ruled: RuledKind, imports: Imports) -> dict[str, object]:
    """Return the values of the template for a kind, whose objects are encoded as clients of the version see them."""
    version = ruled.version
    has_conversion = version.id != ruled.hub.id
    conversion = f"{version.snake_name}_from_hub"
    return {
        "function": ruled.hub.snake_name,
        "type": imports.type_name(ruled.hub.id),
        "name": with_article(ruled.kind.name),
        "version": version.id.version,
        "root": literal(ruled.structs.name(version.id)),
        "status_is_reset": status_is_reset(ruled.kind, ruled.hub),
        "encode": imports.function(version.id, "json_codec", f"encode_{version.snake_name}"),
        "from_hub": imports.function(version.id, "conversions", conversion) if has_conversion else "",
    }
