"""The body of a conversion function: first simple values, then fields that move into nested structs, then remaining
steps.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from apigen.codegen.conversions.values import Loop, ValueConverter
from apigen.codegen.python.conditions import Scope, has_at_top_level
from apigen.codegen.python.expressions import PythonExpressions
from apigen.codegen.python.field_paths import attribute, present
from apigen.codegen.python.source_text import Code, alternative, literal, text_literal
from apigen.codegen.python.walking import ItemVariables, walk
from apigen.codegen.python.zero import blank, write_list, zero
from apigen.dataclass import dataclass, field, replace
from apigen.hub.steps import SOURCE, TARGET, Assign, Parent, Step, TypePlan
from apigen.ir.expressions import (
    Both,
    Choice,
    Convert,
    Either,
    Entries,
    FromJson,
    IsNone,
    Items,
    Literal,
    ToJson,
    Zero,
    at,
    variables,
)
from apigen.ir.field_paths import FieldPath, optional_parents
from apigen.ir.model import Field, Struct
from apigen.ir.names import snake_case
from apigen.ir.statements import AtEach, Attempt, Build, Set, Statement, When
from apigen.ir.types import (
    ListType,
    MapType,
    StructType,
    Type,
    TypeId,
    WellKnown,
    WellKnownType,
    is_bytes,
    is_text,
    struct_in,
    underlying,
)
from apigen.ir.value_conversions import EachItem, EachValue, Sharing, ValueConversion


def _inner(value: ValueConversion) -> ValueConversion:
    """Return the conversion of the elements of a list or map; the elements of a copied value are copied."""
    match value:
        case EachItem(inner) | EachValue(inner):
            return inner
    return value


def write_statements(code: Code, statements: Iterable[Statement], expressions: PythonExpressions) -> None:
    """Write statements in their order."""
    for statement in statements:
        _write(code, statement, expressions)


def _write(code: Code, statement: Statement, expressions: PythonExpressions) -> None:
    match statement:
        case Set(place, value):
            code.line(f"{expressions.text(place)} = {expressions.text(value)}")
        case Build(root, path):
            for parent in optional_parents(path):
                built = expressions.text(at(root, parent))
                with code.block(f"if {built} is None:"):
                    code.line(f"{built} = {expressions.text(Zero(parent[-1].type))}")
        case When(tests, then, otherwise):
            with code.block(f"if {expressions.text(Both(tests))}:"):
                write_statements(code, then, expressions)
            if otherwise:
                with code.block("else:"):
                    write_statements(code, otherwise, expressions)
        case AtEach(root, steps, inner, present):

            def leaf(code: Code, here: str) -> None:
                write_statements(code, inner, replace(expressions, here=here))

            walk(code, steps, root, expressions.scope, leaf, present=present)
        case Attempt(inner, is_ignored):
            runtime = expressions.scope.imports.runtime
            with code.block("try:"):
                write_statements(code, inner, expressions)
            if is_ignored:
                with code.block(f"except {runtime('ApiError')}:"):
                    code.line("pass")
            else:
                with code.block(f"except {runtime('DecodeError')} as error:"):
                    code.line(f"raise {runtime('ConversionError')}(error.path, error.problem) from error")


@dataclass(frozen=True, slots=True)
class Conversions:
    """Writes expressions for one direction of one module."""

    converter: ValueConverter

    def text(self, tree: Convert | FromJson | ToJson | Items | Entries, writer: PythonExpressions) -> str:
        """The converted value."""
        match tree:
            case Convert(value, conversion, path, sharing, reverse):
                converter = replace(self.converter, to_hub=not self.converter.to_hub) if reverse else self.converter
                return converter.expression(conversion, writer.atom(value), sharing or converter.allowed, path)
            case FromJson(text, wire, conversion, path):
                return self._read(wire, conversion, writer.atom(text), path)
            case ToJson(value, wire, conversion, path):
                return self._text_of(wire, conversion, writer.atom(value), path)
            case Items():
                return self._items(tree, writer)
            case Entries():
                return self._entries(tree, writer)

    def _entries(self, tree: Entries, writer: PythonExpressions) -> str:
        key = f"item.{tree.key.py_name}"
        source_value = f"item.{tree.member.py_name}" if tree.member else "item"
        converted = self.converter.expression(tree.conversion, source_value, Sharing.ALL, tree.path)
        if tree.absent is not None:
            converted = f"{writer.text(tree.absent)} if {source_value} is None else {alternative(converted)}"
        source = writer.atom(tree.source)
        if tree.duplicates == "error":
            unique = self.converter.imports.runtime("unique_entries")
            return f"{unique}([({key}, {converted}) for item in {source}], {literal(tree.path)})"
        items = f"reversed({source})" if tree.duplicates == "first" else source
        return f"{{{key}: {alternative(converted)} for item in {items}}}"

    def _items(self, tree: Items, writer: PythonExpressions) -> str:
        key = tree.key.py_name
        # its key is set, so it is never one of the map's
        converted = self.converter.expression(tree.conversion, "entry", Sharing.NOTHING, tree.path)
        if tree.member is not None:
            item = f"{self.converter.imports.type_name(tree.item)}({key}=key, {tree.member.py_name}={converted})"
        else:
            item = f'{self.converter.imports.runtime("with_key")}({converted}, "{key}", key)'
        return f"[{item} for key, entry in sorted({writer.atom(tree.source)}.items())]"

    def _read(self, wire: Type, value: ValueConversion, text: str, path: str) -> str:
        """Return the hub value in JSON text; errors contain the `path` of the text."""
        where = literal(path)
        return self._decoded(wire, value, f"{self._runtime('parse_annotation')}({text}, {where})", where)

    def _text_of(self, wire: Type, value: ValueConversion, expression: str, path: str) -> str:
        """Return the expression of the JSON text of a hub value with this path. Functions of structs have already
        encoded all floats.
        """
        floats = "" if struct_in(wire) is None else ", floats_encoded=True"
        return f"{self._runtime('json_text')}({self._encoded(wire, value, expression, path)}{floats})"

    def _decoded(self, wire: Type, value: ValueConversion, parsed: str, where: str) -> str:
        behind = underlying(wire)
        match behind:
            case ListType(item):
                inner = self._decoded(item, _inner(value), "item", where)
                return f"[{inner} for item in {self._runtime('decode_list')}({parsed}, {where})]"
            case MapType(_, item):
                inner = self._decoded(item, _inner(value), "item", where)
                entries = f"{self._runtime('decode_object')}({parsed}, {where}).items()"
                return f"{{key: {inner} for key, item in {entries}}}"
            case StructType(id_):
                decode = self._codec("decode", id_)
            case _:
                decode = self._runtime(f"decode_{'string' if is_text(behind) else snake_case(str(behind))}")
        return self.converter.expression(value, f"{decode}({parsed}, {where})", self.converter.allowed)

    def _encoded(self, wire: Type, value: ValueConversion, expression: str, path: str) -> str:
        behind = underlying(wire)
        match behind:
            case ListType(item):
                return f"[{self._encoded(item, _inner(value), 'item', path)} for item in {expression}]"
            case MapType(_, item):
                inner = self._encoded(item, _inner(value), "item", path)
                return f"{{key: {inner} for key, item in sorted({expression}.items())}}"
        converted = self.converter.expression(value, expression, self.converter.allowed, path)
        match behind:
            case StructType(id_):
                return f"{self._codec('encode', id_)}({converted})"
            case WellKnownType(WellKnown.QUANTITY | WellKnown.TIME | WellKnown.MICRO_TIME | WellKnown.DURATION):
                return f"str({converted})"
        return f"{self._runtime('encode_bytes')}({converted})" if is_bytes(behind) else converted

    def _codec(self, verb: str, id_: TypeId) -> str:
        name = f"{verb}_{self.converter.types[id_].snake_name}"
        return self.converter.imports.function(id_, "json_codec", name)

    def _runtime(self, name: str) -> str:
        return self.converter.imports.runtime(name)


_LOOP = re.compile(r"\bfor (\w+) in ")
"""Matches the loop variables of following statements, which may have another type."""


@dataclass(frozen=True, slots=True)
class Body:
    """One direction of a conversion function that creates a `target`.

    Later statements change fields below the fields `owned` of the target: only direct fields of a struct created here,
    except for fields that are `deep`, where nested ones change.
    """

    to_hub: bool
    target: Struct
    scope: Scope
    converter: ValueConverter
    owned: frozenset[str]
    deep: frozenset[str]

    def expressions(self, target: FieldPath = ()) -> PythonExpressions:
        """Return the writer of expressions; with `target`, for the value of that place."""
        converter = replace(self.converter, allowed=self._sharing(target[0])) if target else self.converter
        return PythonExpressions(self.scope, Conversions(converter))

    def loop(self, assign: Assign) -> tuple[str, Loop] | None:
        """The list, which may be `None` on both sides, that a loop converts; None for other values."""
        match assign.value:
            case Choice(IsNone(value), Literal(None), Convert(same, conversion, _, None, False)) if same == value:
                loop = replace(self.converter, allowed=self._sharing(assign.target[0])).loop(conversion)
                return None if loop is None else (self.expressions().text(value), loop)
        return None

    def _sharing(self, field: Field) -> Sharing:
        """Return which parts of the source a field of the target may share, if the caller allows it."""
        if field.json_name in self.deep:
            return Sharing.NOTHING
        return Sharing.BELOW if field.json_name in self.owned else Sharing.ALL


@dataclass(slots=True)
class _Group:
    """Assignments that read from the same optional structs and write to the same ones."""

    guards: tuple[FieldPath, ...]
    parents: tuple[FieldPath, ...]
    members: list[Assign] = field(default_factory=list)

    @property
    def builds(self) -> bool:
        """Whether an optional struct of the target may be created for a value."""
        return not self.parents or any(a.is_set is not None or a.parent is Parent.ALWAYS for a in self.members)


def write_body(code: Code, plan: TypePlan, body: Body, result: str, api_version: str) -> None:
    """Write the statements that create `result`, a class whose objects have `api_version`, from the source."""
    assigned = [assign for step in plan.steps for assign in step.assignments(body.to_hub)]
    plain = [a for a in assigned if len(a.target) == 1 and not a.guards]
    for assign in plain:
        body.expressions().text(assign.is_set or Literal(False))  # not written, but modules import its names
    after = Code()
    wholes = {a.target for a in plain}
    built = set(wholes)
    for group in _groups(a for a in assigned if len(a.target) > 1 or a.guards):
        _write_group(after, group, body, built, wholes)
    statements = [each for step in _joined(plan.steps) for each in step.statements(body.to_hub)]
    write_statements(after, _together(statements), body.expressions())
    code.line(f"{TARGET} = {body.scope.imports.runtime('new')}({result})")
    used_names = ("new", "share", *_LOOP.findall(after.text()))
    _write_fields(code, body, plain, api_version, ItemVariables("copy", used_names))
    code.extend(after)
    code.line(f"return {TARGET}")


def _joined(steps: Iterable[Step]) -> list[Step]:
    """The steps; those that follow each other and can be one statement are one."""
    found: list[Step] = []
    for step in steps:
        joined = found[-1].joined(step) if found else None
        found[-1:] = [*found[-1:], step] if joined is None else [joined]
    return found


def _together(statements: Iterable[Statement]) -> list[Statement]:
    """The statements; those that follow each other for the same case are one."""
    found: list[Statement] = []
    for each in statements:
        match found[-1:], each:
            case [When(tests, then, ())], When(same, more, ()) if tests == same and TARGET not in variables(tests):
                found[-1] = When(tests, (*then, *more))
            case _:
                found.append(each)
    return found


def _write_fields(
    code: Code, body: Body, assigned: Iterable[Assign], api_version: str, variables: ItemVariables
) -> None:
    """Set every field of the target: it is made without running its defaults."""
    struct, scope = body.target, body.scope
    if struct.has_type_meta:
        code.line(f"{TARGET}.api_version = {text_literal(api_version)}")
        code.line(f"{TARGET}.kind = {text_literal(struct.id.name)}")
    assigns = {assign.target[0].json_name: assign for assign in assigned}
    for each in struct.fields:
        place, assign = f"{TARGET}.{each.py_name}", assigns.get(each.json_name)
        loop = body.loop(assign) if assign is not None else None
        if assign is None:
            code.line(f"{place} = {zero(each.type, each.can_be_none, scope.imports)}")
        elif loop is None:
            code.line(f"{place} = {body.expressions(assign.target).text(assign.value)}")
        else:
            _write_loop(code, place, *loop, variables)


def _write_loop(code: Code, place: str, source: str, items: Loop, variables: ItemVariables) -> None:
    """Write a list, which is `None` if that of the source is."""
    loop = Code()
    variable = variables.of(items.type)
    write_list(loop, source, variable, items.converted(variable), place)
    code.line(f"{place} = None")
    with code.block(f"if {source} is not None:"):
        if not items.may_be_shared:
            code.extend(loop)
            return
        with code.block("if share:"):
            code.line(f"{place} = {source}")
        with code.block("else:"):
            code.extend(loop)


def _groups(assigned: Iterable[Assign]) -> list[_Group]:
    groups: dict[tuple[tuple[FieldPath, ...], tuple[FieldPath, ...]], _Group] = {}
    for assign in assigned:
        parents = optional_parents(assign.target)
        groups.setdefault((assign.guards, parents), _Group(assign.guards, parents)).members.append(assign)
    return sorted(groups.values(), key=lambda group: not group.builds)  # the others need structs that these build


def _write_group(code: Code, group: _Group, body: Body, built: set[FieldPath], wholes: set[FieldPath]) -> None:
    """Write the assignments of a group. `built` are the structs that may be set already; the fields `wholes` also have
    the optional structs in them if they have been converted.
    """
    conditions = present(SOURCE, group.guards)
    always = any(a.parent is Parent.ALWAYS for a in group.members)
    tests = [a.is_set for a in group.members if a.is_set is not None]
    if group.parents and not always:
        if tests:
            any_set = body.expressions().text(Either(tuple(tests)))
            conditions.append(f"({any_set})" if conditions and has_at_top_level(any_set, " or ") else any_set)
        else:
            conditions += present(TARGET, group.parents)
    with code.when(conditions):
        inside = {parent for parent in group.parents if any(parent[:i] in wholes for i in range(1, len(parent)))}
        known = built | inside if conditions or inside else built
        _write_members(code, group, body, known, build=bool(tests) or always)
    built.update(group.parents if conditions or inside else ())


def _write_members(code: Code, group: _Group, body: Body, built: set[FieldPath], *, build: bool) -> None:
    for parent in group.parents if build else ():
        inner = underlying(parent[-1].type)
        assert isinstance(inner, StructType)
        place = attribute(TARGET, parent)
        with code.when([f"{place} is None"] if parent in built else []):
            code.line(f"{place} = {blank(inner, body.scope.imports)}")
        built.add(parent)
    for assign in group.members:
        code.line(f"{attribute(TARGET, assign.target)} = {body.expressions(assign.target).text(assign.value)}")
