"""The bodies of conversion functions: first simple values, then fields that move into nested structs, then remaining steps.

Kinds with `preserve:` have another body around it, which keeps the hub's object in an annotation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from apigen.codegen.python.blocks import (
    Assigned,
    Attempted,
    Block,
    Blocks,
    Within,
    loop_variables,
    within,
)
from apigen.codegen.python.conditions import Scope, has_at_top_level
from apigen.codegen.python.expressions import PythonExpressions
from apigen.codegen.python.source_text import Imports, alternative, literal, tuple_literal
from apigen.codegen.python.values import blank, copied_list, copied_map, zero
from apigen.codegen.python.walking import ItemVariables, attribute, guards, levels_to, present
from apigen.dataclass import dataclass, field, replace
from apigen.hub.holding import structs_in_fields
from apigen.hub.lenses.preserved import Preserved
from apigen.hub.steps import SOURCE, TARGET, Assign, Parent, Step, TypePlan
from apigen.ir.expressions import (
    AtEach,
    Attempt,
    Both,
    Build,
    Choice,
    Convert,
    Converted,
    Copied,
    EachItem,
    EachValue,
    Either,
    Entries,
    FromJson,
    IsNone,
    Items,
    Literal,
    Narrowed,
    Same,
    Set,
    Sharing,
    Statement,
    ToJson,
    UnlessNone,
    ValueConversion,
    When,
    Zero,
    at,
    innermost,
    narrows,
    variables,
)
from apigen.ir.graphs import reached
from apigen.ir.model import (
    Field,
    FieldPath,
    ListType,
    MapType,
    Struct,
    StructType,
    Type,
    TypeDef,
    TypeId,
    Union,
    WellKnown,
    WellKnownType,
    is_bytes,
    is_text,
    merge_of,
    optional_parents,
    struct_in,
    underlying,
)
from apigen.ir.names import snake_case


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop over items of `type`: `converted` is the expression for its variable. The list itself is used if it
    `may_be_shared`.
    """

    type: Type
    converted: Callable[[str], str]
    may_be_shared: bool


@dataclass(frozen=True, slots=True)
class ValueConverter:
    """Write expressions for one direction of one module. `borrowed`: the types whose class serves version and hub."""

    to_hub: bool
    imports: Imports
    types: Mapping[TypeId, TypeDef]
    borrowed: Mapping[TypeId, TypeId]
    allowed: Sharing = Sharing.ALL
    """The parts of the source that the target place may share."""
    share: str = "share"
    """Whether the caller allows that: an expression. `True` for values that nothing else uses."""

    def expression(
        self, value: ValueConversion, expression: str, sharing: Sharing = Sharing.ALL, path: str = ""
    ) -> str:
        """The converted value of `expression`, which is not `None`; `path` leads to it from the source, for errors."""
        may_be_itself = sharing is Sharing.ALL and self._is_as_it_was(value)
        if isinstance(value, Same) or (may_be_itself and self.share == "True"):
            return expression
        result = self._converted_text(value, expression, sharing, 0, path)
        return f"{expression} if {self.share} else {alternative(result)}" if may_be_itself else result

    def loop(self, value: ValueConversion) -> Loop | None:
        """Return the loop that converts a list that is not `None`; None for all but lists of structs."""
        match value:
            case EachItem(Copied(id_) as inner):
                type_ = id_
            case EachItem(Converted(version, hub) as inner):
                type_ = version if self.to_hub else hub
            case _:
                return None
        converted = partial(self._converted_text, inner, sharing=self.allowed, depth=1)
        return Loop(StructType(type_), converted, self.allowed is Sharing.ALL and self._is_as_it_was(value))

    def _is_as_it_was(self, value: ValueConversion) -> bool:
        """Return whether the value itself would do, if it may be shared."""
        match innermost(value):
            case Same() | Copied():
                return True
            case Converted(version, hub):
                return self.borrowed.get(hub) == version
        return False

    def _converted_text(
        self, value: ValueConversion, expression: str, sharing: Sharing, depth: int, path: str = ""
    ) -> str:
        number = str(depth + 1) if depth else ""
        match value:
            case Same():
                return expression
            case Narrowed(version, hub):
                from_, to = (version, hub) if self.to_hub else (hub, version)
                if not narrows(from_, to):
                    return expression
                return f"{self.imports.runtime(f'checked_{to}')}({expression}, {literal(path)})"
            case Copied(id_):
                return self._copied(id_, expression)
            case Converted(version, hub):
                if self.borrowed.get(hub) == version:
                    return self._copied(version, expression)
                return self._converted(version, expression, sharing)
            case UnlessNone(inner):
                result = self._converted_text(inner, expression, sharing, depth, path)
                return f"None if {expression} is None else {alternative(result)}"
            case EachItem(Same()):
                return copied_list(expression)
            case EachItem(inner):
                return f"[{self._converted_text(inner, f'item{number}', sharing, depth + 1, path)} for item{number} in {expression}]"
            case EachValue(Same()):
                return copied_map(expression)
            case EachValue(inner):
                result = self._converted_text(inner, f"item{number}", sharing, depth + 1, path)
                return f"{{key{number}: {result} for key{number}, item{number} in {expression}.items()}}"

    def _copied(self, id_: TypeId, expression: str) -> str:
        return f"{self._function('copying', 'copy', id_)}({expression})"

    def _converted(self, version: TypeId, expression: str, sharing: Sharing) -> str:
        struct = self.types[version]
        direction = "to_hub" if self.to_hub else "from_hub"
        name = self.imports.function(version, "conversions", f"{struct.snake_name}_{direction}")
        call = f"{name}({expression})" if sharing is Sharing.NOTHING else f"{name}({expression}, share={self.share})"
        if not self.to_hub and isinstance(struct, Struct) and struct.has_type_meta:
            return f"{self.imports.runtime('without_type_meta')}({call})"
        return call

    def text(self, tree: Convert | FromJson | ToJson | Items | Entries, writer: PythonExpressions) -> str:
        """Return the converted value. JSON is read on the way to the hub, and written on the way from it."""
        match tree:
            case Convert(value, conversion, path, sharing, reverse):
                converter = replace(self, to_hub=not self.to_hub) if reverse else self
                return converter.expression(conversion, writer.atom(value), sharing or self.allowed, path)
            case FromJson(text, wire, conversion, path):
                parsed = f"{self.imports.runtime('parse_annotation')}({writer.atom(text)}, {literal(path)})"
                # errors contain the path of the text
                return replace(self, to_hub=True, share="True")._decoded(wire, conversion, parsed, literal(path))
            case ToJson(value, wire, conversion, path):
                # functions of structs have already encoded all floats
                floats = "" if struct_in(wire) is None else ", floats_encoded=True"
                encoded = replace(self, to_hub=False, share="True")._encoded(wire, conversion, writer.atom(value), path)
                return f"{self.imports.runtime('json_text')}({encoded}{floats})"
            case Items():
                return self._items(tree, writer)
            case Entries():
                return self._entries(tree, writer)

    def _entries(self, tree: Entries, writer: PythonExpressions) -> str:
        key = f"item.{tree.key.py_name}"
        source_value = f"item.{tree.member.py_name}" if tree.member else "item"
        converted = self.expression(tree.conversion, source_value, Sharing.ALL, tree.path)
        if tree.absent is not None:
            converted = f"{writer.text(tree.absent)} if {source_value} is None else {alternative(converted)}"
        source = writer.atom(tree.source)
        if tree.duplicates == "error":
            unique = self.imports.runtime("unique_entries")
            return f"{unique}([({key}, {converted}) for item in {source}], {literal(tree.path)})"
        items = f"reversed({source})" if tree.duplicates == "first" else source
        return f"{{{key}: {alternative(converted)} for item in {items}}}"

    def _items(self, tree: Items, writer: PythonExpressions) -> str:
        key = tree.key.py_name
        # its key is set, so it is never one of the map's
        converted = self.expression(tree.conversion, "entry", Sharing.NOTHING, tree.path)
        if tree.member is not None:
            item = f"{self.imports.type_name(tree.item)}({key}=key, {tree.member.py_name}={converted})"
        else:
            item = f'{self.imports.runtime("with_key")}({converted}, "{key}", key)'
        return f"[{item} for key, entry in sorted({writer.atom(tree.source)}.items())]"

    def _decoded(self, wire: Type, value: ValueConversion, parsed: str, where: str) -> str:
        if isinstance(value, UnlessNone):
            return f"None if {parsed} is None else {alternative(self._decoded(wire, value.inner, parsed, where))}"
        behind = underlying(wire)
        match behind:
            case ListType(item):
                inner = self._decoded(item, _inner(value), "item", where)
                return f"[{inner} for item in {self.imports.runtime('decode_list')}({parsed}, {where})]"
            case MapType(_, item):
                inner = self._decoded(item, _inner(value), "item", where)
                entries = f"{self.imports.runtime('decode_object')}({parsed}, {where}).items()"
                return f"{{key: {inner} for key, item in {entries}}}"
            case StructType(id_):
                decode = self._function("json_codec", "decode", id_)
            case _:
                decode = self.imports.runtime(f"decode_{'string' if is_text(behind) else snake_case(str(behind))}")
        return self.expression(value, f"{decode}({parsed}, {where})")

    def _encoded(self, wire: Type, value: ValueConversion, expression: str, path: str) -> str:
        if isinstance(value, UnlessNone):
            return (
                f"None if {expression} is None else {alternative(self._encoded(wire, value.inner, expression, path))}"
            )
        behind = underlying(wire)
        match behind:
            case ListType(item):
                return f"[{self._encoded(item, _inner(value), 'item', path)} for item in {expression}]"
            case MapType(_, item):
                inner = self._encoded(item, _inner(value), "item", path)
                return f"{{key: {inner} for key, item in sorted({expression}.items())}}"
        converted = self.expression(value, expression, path=path)
        match behind:
            case StructType(id_):
                return f"{self._function('json_codec', 'encode', id_)}({converted})"
            case WellKnownType(WellKnown.QUANTITY | WellKnown.TIME | WellKnown.MICRO_TIME | WellKnown.DURATION):
                return f"str({converted})"
        return f"{self.imports.runtime('encode_bytes')}({converted})" if is_bytes(behind) else converted

    def _function(self, module: str, verb: str, id_: TypeId) -> str:
        return self.imports.function(id_, module, f"{verb}_{self.types[id_].snake_name}")


def preserved_step(plan: TypePlan) -> Preserved | None:
    """Return the step for `preserve:` of a kind, if it has one."""
    return next((step for step in plan.steps if isinstance(step, Preserved)), None)


@dataclass(frozen=True, slots=True)
class PreservingFunctions:
    """The functions of one kind around its conversions without the annotation."""

    imports: Imports
    types: Mapping[TypeId, TypeDef]
    step: Preserved

    def values(self) -> dict[str, object]:
        """Return the values of the template; all but the name of the annotation are source text."""
        name, followed = self.types[self.step.version].snake_name, self.types[self.step.followed].snake_name
        self.imports.runtime("Preservation")
        version_function = partial(self.imports.function, self.step.version)
        followed_function = partial(self.imports.function, self.step.followed)
        return {
            "function": f"_preservation_of_{name}",
            "annotation": self.step.key,
            "key": literal(self.step.key),
            "annotations": attribute("source", self.step.annotations),
            "name": name,
            "kind": literal(self.step.version.name),
            "encode": version_function("json_codec", f"encode_{name}"),
            "decode": version_function("json_codec", f"decode_{name}"),
            "encode_followed": followed_function("json_codec", f"encode_{followed}"),
            "decode_followed": followed_function("json_codec", f"decode_{followed}"),
            "followed_to_hub": followed_function("conversions", f"{followed}_to_hub"),
            "followed_from_hub": followed_function("conversions", f"{followed}_from_hub"),
            "list_keys": list(self._keys()),
            "unions": list(self._unions()),
        }

    def _structs(self) -> list[Struct]:
        """The structs of the hub's object, apart from its metadata, in order of their names."""
        ids = reached({self.step.hub}, lambda id_: structs_in_fields(id_, self.types, without="metadata"))
        return [struct for id_ in sorted(ids, key=str) if isinstance(struct := self.types.get(id_), Struct)]

    def _keys(self) -> Iterator[str]:
        """The attributes that identify the items of lists, by class and attribute of the list."""
        for struct in self._structs():
            for member in struct.fields:
                keys = self._keys_of(member)
                if keys:
                    yield f"({self.imports.type_name(struct.id)}, {literal(member.py_name)}): {tuple_literal(keys)}"

    def _keys_of(self, field: Field) -> list[str]:
        behind = underlying(field.type)
        item = struct_in(behind.item) if isinstance(behind, ListType) else None
        struct = self.types.get(item) if item is not None else None
        merge = merge_of(field.type, field.merge, self.types)
        names = [key.value for key in merge.list_map_keys]
        if not names and merge.patch_merge_key is not None:
            names = [merge.patch_merge_key.value]
        found = [struct.field(name) for name in names] if isinstance(struct, Struct) else []
        return [literal(f.py_name) for f in found if f is not None] if None not in found else []

    def _unions(self) -> Iterator[str]:
        """The attributes of unions, by class."""
        for struct in self._structs():
            unions = [self._union(struct, union) for union in struct.unions]
            if unions:
                yield f"{self.imports.type_name(struct.id)}: {tuple_literal(unions)}"

    def _union(self, struct: Struct, union: Union) -> str:
        names = [*(member.json_name for member in union.members), *filter(None, [union.discriminator])]
        members = (struct.field(name) for name in names)
        return tuple_literal([literal(each.py_name) for each in members if each is not None])


def _inner(value: ValueConversion) -> ValueConversion:
    """Return the conversion of the elements of a list or map; the elements of a copied value are copied."""
    match value:
        case EachItem(inner) | EachValue(inner):
            return inner
    return value


def blocks_of(statements: Iterable[Statement], expressions: PythonExpressions) -> Blocks:
    """Return the blocks of statements, in their order."""
    return tuple(block for statement in statements for block in _blocks(statement, expressions))


def _blocks(statement: Statement, expressions: PythonExpressions) -> Iterator[Block]:
    match statement:
        case Set(place, value):
            yield Assigned(expressions.text(place), expressions.text(value))
        case Build(root, path):
            for parent in optional_parents(path):
                built = expressions.text(at(root, parent))
                yield from within(
                    guards([f"{built} is None"]), (Assigned(built, expressions.text(Zero(parent[-1].type))),)
                )
        case When(tests, then, otherwise):
            levels = guards([expressions.text(Both(tests))])
            yield Within(levels, blocks_of(then, expressions), blocks_of(otherwise, expressions))
        case AtEach(root, steps, inner, present):
            levels, here = levels_to(steps, root, expressions.scope, present=present)
            yield from within(levels, blocks_of(inner, replace(expressions, here=here)))
        case Attempt(inner, is_ignored):
            expressions.scope.imports.uses(*(("ApiError",) if is_ignored else ("DecodeError", "ConversionError")))
            yield Attempted(blocks_of(inner, expressions), is_ignored)


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
        return PythonExpressions(self.scope, converter)

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


@dataclass(frozen=True, slots=True)
class FieldLine:
    """The first value of a field of the target. If `items` is a list, that is `None` if the list is, and otherwise has
    the value for each `variable`.
    """

    place: str
    value: str
    items: str = ""
    variable: str = ""
    may_be_shared: bool = False


def body_of(plan: TypePlan, body: Body) -> tuple[list[FieldLine], Blocks]:
    """Return the values of all fields of the target, which is created without running its defaults, and what follows."""
    assigned = [assign for step in plan.steps for assign in step.assignments(body.to_hub)]
    plain = [a for a in assigned if len(a.target) == 1 and not a.guards]
    wholes = {a.target for a in plain}
    built = set(wholes)
    groups = _groups(a for a in assigned if len(a.target) > 1 or a.guards)
    following = tuple(block for group in groups for block in _group_blocks(group, body, built, wholes))
    statements = [each for step in _joined(plan.steps) for each in step.statements(body.to_hub)]
    following += blocks_of(_together(statements), body.expressions())
    used_names = ("new", "share", *loop_variables(following))
    return list(_field_lines(body, plain, ItemVariables("copy", used_names))), following


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


def _field_lines(body: Body, assigned: Iterable[Assign], variables: ItemVariables) -> Iterator[FieldLine]:
    assigns = {assign.target[0].json_name: assign for assign in assigned}
    for each in body.target.fields:
        place, assign = f"{TARGET}.{each.py_name}", assigns.get(each.json_name)
        loop = body.loop(assign) if assign is not None else None
        if assign is None:
            yield FieldLine(place, zero(each.type, each.can_be_none, body.scope.imports))
        elif loop is None:
            yield FieldLine(place, body.expressions(assign.target).text(assign.value))
        else:
            source, items = loop
            variable = variables.of(items.type)
            yield FieldLine(place, items.converted(variable), source, variable, items.may_be_shared)


def _groups(assigned: Iterable[Assign]) -> list[_Group]:
    groups: dict[tuple[tuple[FieldPath, ...], tuple[FieldPath, ...]], _Group] = {}
    for assign in assigned:
        parents = optional_parents(assign.target)
        groups.setdefault((assign.guards, parents), _Group(assign.guards, parents)).members.append(assign)
    return sorted(groups.values(), key=lambda group: not group.builds)  # the others need structs that these build


def _group_blocks(group: _Group, body: Body, built: set[FieldPath], wholes: set[FieldPath]) -> Blocks:
    """The assignments of a group. `built` are the structs that may be set already; the fields `wholes` also have the
    optional structs in them if they have been converted.
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
    inside = {parent for parent in group.parents if any(parent[:i] in wholes for i in range(1, len(parent)))}
    known = built | inside if conditions or inside else built
    members = tuple(_member_blocks(group, body, known, build=bool(tests) or always))
    built.update(group.parents if conditions or inside else ())
    return within(guards(conditions), members)


def _member_blocks(group: _Group, body: Body, built: set[FieldPath], *, build: bool) -> Iterator[Block]:
    for parent in group.parents if build else ():
        inner = underlying(parent[-1].type)
        assert isinstance(inner, StructType)
        place = attribute(TARGET, parent)
        levels = guards([f"{place} is None"] if parent in built else [])
        yield from within(levels, (Assigned(place, blank(inner, body.scope.imports)),))
        built.add(parent)
    for assign in group.members:
        yield Assigned(attribute(TARGET, assign.target), body.expressions(assign.target).text(assign.value))
