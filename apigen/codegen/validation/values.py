"""Writes the checks of one value: bounds, lengths, patterns, formats, elements, keys and nested structs.

Elements of lists and maps are paired with those of the old one.
"""

from __future__ import annotations

from apigen.codegen.hub_names import ShownNames
from apigen.codegen.python.conditions import Scope
from apigen.codegen.python.source_text import Code, Imports, if_all, literal, numbered, text_literal
from apigen.codegen.python.walking import item_key
from apigen.codegen.strategies.values import element_name, function_name
from apigen.codegen.types.annotations import item_can_be_none
from apigen.codegen.validation.plan import (
    MAP,
    SET,
    ValidationPlan,
    alias_constraints,
    identity_of,
    is_immutable,
    is_validated_enum,
    unique_items,
)
from apigen.dataclass import dataclass
from apigen.ir.formats import EMBEDDED_RESOURCE, FORMATS, is_format
from apigen.ir.model import (
    EnumType,
    Field,
    ListType,
    MapType,
    Scalar,
    ScalarType,
    Struct,
    StructType,
    Type,
    TypeId,
    WellKnownType,
    declared_by,
    declared_of,
    enum_of,
    is_bytes,
    is_text,
    merge_of,
    underlying,
)
from apigen.ir.patterns import python_pattern
from apigen.language.model import Constraints, LiteralNode, Located

_NUMBERS = frozenset(Scalar) - {Scalar.STRING, Scalar.BOOL, Scalar.BYTES}


@dataclass(frozen=True, slots=True)
class Spot:
    """A value in the code: its expression, the expression of its path, its type, how deep in loops it is."""

    value: str
    path: str
    type: Type
    name: str = "item"
    depth: int = 0

    @property
    def element(self) -> str:
        """The loop variable for an element or value."""
        return element_name(self.name, self.depth)

    def inner(self, name: str) -> str:
        """The loop variable for an index or key."""
        return numbered(name, self.depth)


@dataclass(frozen=True, slots=True)
class Root:
    """The expressions of a struct, the old one and its path. `is_part`: only the given fields are validated."""

    value: str
    old: str
    path: str
    is_part: bool = False


ROOT = Root("obj", "old", "path")


@dataclass(slots=True)
class ValueWriter:
    """Writes checks into the functions of one module."""

    imports: Imports
    plan: ValidationPlan
    names: ShownNames

    def scope(self, struct: Struct) -> Scope:
        """Return the scope of expressions about a struct, with `obj` as the object."""
        return Scope.of("obj", struct, self.plan.compilation.types, self.imports)

    def runtime(self, name: str) -> str:
        """Return how the module spells a name of the run-time's validation."""
        return self.imports.runtime(name, "validation")

    def report(self, code: Code, error: str, *arguments: str) -> None:
        """Add an error to the list."""
        code.line(f"errors.append({self.runtime(error)}({', '.join(arguments)}))")

    def report_if(self, code: Code, test: str, error: str, *arguments: str) -> None:
        """Add an error to the list if a test is true."""
        with code.block(f"if {test}:"):
            self.report(code, error, *arguments)

    def value(self, code: Code, spot: Spot, *given: Constraints) -> None:
        """Write the checks of a value that is set: those of its type, then those of its named types, then `given`."""
        behind = underlying(spot.type)
        constraints = (*alias_constraints(spot.type, self.plan.compilation.types), *given)
        if isinstance(behind, EnumType) and is_validated_enum(enum_of(behind.id, self.plan.compilation.types)):
            code.line(f"{self.enum_function(behind.id)}({spot.value}, {spot.path}, options, errors)")
        for each in constraints:
            self.limits(code, spot, each)

    def limits(self, code: Code, spot: Spot, constraints: Constraints) -> None:
        """Write the checks of a value that is set for `constraints` only."""
        behind = underlying(spot.type)
        if constraints.not_value is not None:
            self._not(code, spot, constraints.not_value)
        if isinstance(behind, ScalarType) and behind.scalar in _NUMBERS:
            self._number(code, spot, constraints)
        elif is_text(behind) or is_bytes(behind):
            self._text(code, spot, constraints)
        elif isinstance(behind, ListType | MapType):
            self._size(code, spot, constraints)
        elif isinstance(behind, WellKnownType) and is_format(constraints, EMBEDDED_RESOURCE):
            self._format(code, spot, EMBEDDED_RESOURCE)

    def _not(self, code: Code, spot: Spot, other: LiteralNode) -> None:
        value = other.value if isinstance(other, Located) else None
        assert isinstance(value, str | int)
        if isinstance(value, bool):
            test = spot.value if value else f"not {spot.value}"
        else:
            test = f"{spot.value} == {literal(value)}"
        self.report_if(code, test, "excluded", spot.path, spot.value, literal(value))

    def struct_call(self, struct: TypeId, value: str, old: str, path: str) -> str:
        """Return the call that validates a struct."""
        name = f"validate_{self._struct(struct).snake_name}"
        return f"{function_name(self.imports, struct, 'validation', name)}({value}, {old}, {path}, options, errors)"

    def enum_function(self, enum: TypeId) -> str:
        """Return the function that validates a value of an enum."""
        return function_name(
            self.imports, enum, "validation", f"validate_{enum_of(enum, self.plan.compilation.types).snake_name}"
        )

    def _struct(self, id_: TypeId) -> Struct:
        return self.plan.places.struct(id_)

    def _number(self, code: Code, spot: Spot, constraints: Constraints) -> None:
        for bound, operator, error, *exclusive in (
            (constraints.minimum, "<", "too_small"),
            (constraints.maximum, ">", "too_large"),
            (constraints.exclusive_minimum, "<=", "too_small", "exclusive=True"),
            (constraints.exclusive_maximum, ">=", "too_large", "exclusive=True"),
        ):
            if bound is not None:
                limit = literal(bound.value)
                test = f"{spot.value} {operator} {limit}"
                self.report_if(code, test, error, spot.path, spot.value, limit, *exclusive)
        if constraints.multiple_of is not None:
            step = literal(constraints.multiple_of.value)
            self.report_if(code, f"{spot.value} % {step} != 0", "not_multiple", spot.path, spot.value, step)

    def _text(self, code: Code, spot: Spot, constraints: Constraints) -> None:
        length = f"len({spot.value})"
        size = length if is_bytes(spot.type) else f"len({spot.value}.encode())"
        for bound, test, error in (
            (constraints.min_length, f"{length} <", "too_short"),
            (constraints.max_length, f"{length} >", "too_long_characters"),
            (constraints.max_bytes, f"{size} >", "too_long"),
        ):
            if bound is not None:
                self.report_if(code, f"{test} {bound.value}", error, spot.path, str(bound.value))
        if is_bytes(spot.type):
            return
        if constraints.pattern is not None:
            self._pattern(code, spot, constraints.pattern.value)
        if constraints.format is not None and constraints.format.value in FORMATS:
            self._format(code, spot, constraints.format.value)

    def _format(self, code: Code, spot: Spot, name: str) -> None:
        function = self.imports.runtime(name.replace("-", "_"), "formats")
        code.line(f"errors.extend({function}({spot.path}, {spot.value}))")

    def _pattern(self, code: Code, spot: Spot, pattern: str) -> None:
        """`re` runs a pattern that is proven linear there, the runtime's matcher runs any other."""
        written = python_pattern(pattern)
        if written is None:
            fails = f"not {self.imports.runtime('matches')}({text_literal(pattern)}, {spot.value})"
        else:
            re = self.imports.standard("re")
            fails = f"{re}.search({text_literal(written)}, {spot.value}, {re}.ASCII) is None"
        self.report_if(code, fails, "not_matching", spot.path, spot.value, text_literal(pattern))

    def _size(self, code: Code, spot: Spot, constraints: Constraints) -> None:
        length = f"len({spot.value})"
        for bound, operator, error in (
            (constraints.min_items or constraints.min_properties, "<", "too_few"),
            (constraints.max_items or constraints.max_properties, ">", "too_many"),
        ):
            if bound is not None:
                test = f"{length} {operator} {bound.value}"
                self.report_if(code, test, error, spot.path, length, str(bound.value))


class ListWriter:
    """Write the checks of the elements of one field.

    Elements of a list map are paired by their keys and those of a set by value, entries of a map by key: paired
    elements that are unchanged are not validated. In any other list all elements are validated if the list has
    changed. Without an old list (`has_old` is false: the field is immutable), elements are not paired.
    """

    def __init__(self, struct: Struct, member: Field, writer: ValueWriter, *, has_old: bool, root: Root) -> None:
        self._struct = struct
        self._member = member
        self._writer = writer
        self._types = writer.plan.compilation.types
        self._declared = declared_of(member.type, declared_by(member), self._types)
        self._has_old = has_old
        self._root = root
        self._old = f"{root.old}.{member.py_name} if {root.old} is not None else None"
        self._kept = f"old_{member.py_name}"

    def elements(self, code: Code, spot: Spot) -> None:
        """The checks of all elements."""
        behind = underlying(spot.type)
        if isinstance(behind, MapType):
            self._map(code, spot, behind)
            return
        assert isinstance(behind, ListType)
        identity = identity_of(self._member, self._types)
        # with `uniqueItems: false`, a hand-written function validates duplicates
        if identity is not None and unique_items(self._member, self._types) is not False:
            self._unique(code, spot, behind.item, identity)
        path = f"{spot.path}.index({spot.inner('index')})"
        item = Spot(spot.element, path, behind.item, spot.name, spot.depth + 1)
        body = Code()
        old = self._item(body, item, identity)
        if old:
            code.line(old)
        code.nest(f"for {spot.inner('index')}, {item.value} in enumerate({spot.value}):", body)

    def _item(self, code: Code, item: Spot, identity: str | None) -> str:
        """Write the checks of an element; return the line that collects the old elements, if they are needed."""
        behind = underlying(item.type)
        checks = Code()
        gather = ""
        if isinstance(behind, StructType) and self._is_validated(behind, identity):
            old = "None"
            if identity == MAP and self._has_old:
                first_by = self._writer.runtime("first_by")
                gather = f"{self._kept} = {first_by}({self._old}, lambda item: {self._key('item', behind)})"
                old = f"{self._kept}.get({self._key(item.value, behind)})"
            call = Code()
            if behind.id in self._writer.plan.validated:
                call.line(self._writer.struct_call(behind.id, item.value, old, item.path))
            rejected = self._rejected(self._declared.items)
            if rejected and gather:
                self._unless_changed(checks, item, old, rejected, call)
            else:
                checks.extend(call)
        else:
            self._writer.value(checks, item, *self._declared.items)
            if isinstance(behind, ListType | MapType):
                self._nested(item.type).elements(checks, item)
        if checks.is_empty:
            return ""
        if identity == SET and self._has_old and not isinstance(behind, StructType):
            before = f"{self._root.old}.{self._member.py_name}"
            values = f"{before} or ()" if self._member.can_be_none else before
            gather = f"{self._kept} = frozenset({values} if {self._root.old} is not None else ())"
            code.nest(f"if {item.value} not in {self._kept}:", checks)
        else:
            code.nest(f"if {item.value} is not None:" if item_can_be_none(item.type) else "", checks)
        return gather

    def _map(self, code: Code, spot: Spot, behind: MapType) -> None:
        keys, values = Code(), Code()
        key = Spot(spot.inner("key"), spot.path, behind.key, spot.name, spot.depth + 1)
        item = Spot(spot.element, f"{spot.path}.key({key.value})", behind.value, spot.name, spot.depth + 1)
        self._writer.value(keys, key, *self._declared.keys)
        self._entry(values, item, key.value)
        if keys.is_empty and values.is_empty:
            return
        if self._has_old:
            otherwise = " or {}" if self._member.can_be_none else ""
            before = f"{self._root.old}.{self._member.py_name}"
            code.line(f"{self._kept} = {before}{otherwise} if {self._root.old} is not None else {{}}")
        header = (
            f"for {key.value}, {item.value} in {spot.value}.items():"
            if not values.is_empty
            else f"for {key.value} in {spot.value}:"
        )
        with code.block(header):
            code.nest(f"if {key.value} not in {self._kept}:" if self._has_old else "", keys)
            code.extend(values)

    def _nested(self, type_: Type) -> ListWriter:
        """The writer for a list or map within the field: it has only what its type declares, and is not paired."""
        member = Field(self._member.json_name, self._member.py_name, type_, self._member.presence, self._member.place)
        return ListWriter(self._struct, member, self._writer, has_old=False, root=self._root)

    def _entry(self, code: Code, item: Spot, key: str) -> None:
        """The checks of a map's value."""
        behind = underlying(item.type)
        rejected = self._rejected(self._declared.values) if self._has_old else ""
        if isinstance(behind, StructType):
            call = Code()
            old = f"{self._kept}.get({key})" if self._has_old else "None"
            if behind.id in self._writer.plan.validated:
                call.line(self._writer.struct_call(behind.id, item.value, old, item.path))
            if rejected:
                self._unless_changed(code, item, old, rejected, call)
            else:
                code.extend(call)
            return
        checks = Code()
        self._writer.value(checks, item, *self._declared.values)
        if isinstance(behind, ListType | MapType):
            self._nested(item.type).elements(checks, item)
        if rejected:
            self._reject_changed_value(code, item, key, rejected, checks)
            return
        tests = [f"{item.value} is not None"] if item_can_be_none(item.type) else []
        if self._has_old and not checks.is_empty:
            equal = self._writer.imports.runtime("semantic_equal")
            tests.append(f"not {equal}({item.value}, {self._kept}.get({key}))")
        code.nest(if_all(tests), checks)

    def _is_validated(self, item: StructType, identity: str | None) -> bool:
        return item.id in self._writer.plan.validated or (
            identity == MAP and self._has_old and bool(self._rejected(self._declared.items))
        )

    def _rejected(self, constraints: tuple[Constraints, ...]) -> str:
        """Return the error for a changed element; empty if elements may change."""
        if any(is_immutable(each) for each in constraints):
            return "immutable"
        return "modified" if any(word.value == "noModify" for each in constraints for word in each.update) else ""

    def _unless_changed(self, code: Code, item: Spot, old: str, error: str, checks: Code) -> None:
        """An error if an element was there and is another now; else its checks."""
        before = f"old_{item.value}"
        equal = self._writer.imports.runtime("semantic_equal")
        code.line(f"{before} = {old}")
        test = f"{before} is not None and not {equal}({item.value}, {before})"
        self._writer.report_if(code, test, error, item.path)
        code.nest("else:", checks)

    def _reject_changed_value(self, code: Code, item: Spot, key: str, error: str, checks: Code) -> None:
        equal = self._writer.imports.runtime("semantic_equal")
        test = f"{key} in {self._kept} and not {equal}({item.value}, {self._kept}[{key}])"
        self._writer.report_if(code, test, error, item.path)
        and_is_set = f" and {item.value} is not None" if item_can_be_none(item.type) else ""
        code.nest(f"elif {key} not in {self._kept}{and_is_set}:", checks)

    def identity(self, item: str) -> str:
        """Return the expression of the identity of an element."""
        behind = underlying(self._member.type)
        assert isinstance(behind, ListType)
        of_item = underlying(behind.item)
        return self._key(item, of_item) if isinstance(of_item, StructType) else item

    def _unique(self, code: Code, spot: Spot, item: Type, identity: str) -> None:
        index, value = spot.inner("index"), spot.element
        behind = underlying(item)
        if identity == MAP and isinstance(behind, StructType):
            found = f"{self._writer.runtime('repeated')}({spot.value}, lambda item: {self._key('item', behind)})"
            keys = (f"{literal(name)}: {value}.{key.py_name}" for name, key in self._keys(behind))
            shown_value = f"{{{', '.join(keys)}}}"
        elif isinstance(behind, StructType | ListType | MapType):
            found, shown_value = f"{self._writer.runtime('repeated_values')}({spot.value})", "None"
        else:
            found, shown_value = f"{self._writer.runtime('repeated')}({spot.value}, lambda item: item)", value
        with code.block(f"for {index}, {value} in {found}:"):
            self._writer.report(code, "duplicate", f"{spot.path}.index({index})", shown_value)

    def _keys(self, item: StructType) -> list[tuple[str, Field]]:
        """The keys of a list map, with their names in messages."""
        member = self._member
        names = member.constraints.unique_by or merge_of(member.type, member.merge, self._types).list_map_keys
        fields = self._writer.names.keys(self._writer.plan.places.struct(item.id), names)
        return [(name.value, key) for name, key in zip(names, fields, strict=True)]

    def _key(self, item: str, type_: StructType) -> str:
        return item_key(item, [key for _, key in self._keys(type_)])
