"""The checks of one value: bounds, lengths, patterns, formats, elements, keys and nested structs.

Elements of lists and maps are paired with those of the old one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apigen.codegen.hub_names import ShownNames
from apigen.codegen.python.conditions import Scope
from apigen.codegen.python.source_text import Imports, all_of, literal, numbered, text_literal
from apigen.codegen.python.walking import item_key
from apigen.codegen.strategies.values import element_name, function_name
from apigen.codegen.types.annotations import item_can_be_none
from apigen.codegen.validation.checks import Check, Checks, Choice, Delegated, Each, Report, Variable, guarded
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
    """The checks of values in the functions of one module."""

    imports: Imports
    plan: ValidationPlan
    names: ShownNames

    def scope(self, struct: Struct) -> Scope:
        """Return the scope of expressions about a struct, with `obj` as the object."""
        return Scope.of("obj", struct, self.plan.backend_input.types, self.imports)

    def runtime(self, name: str) -> str:
        """Return how the module spells a name of the run-time's validation."""
        return self.imports.runtime(name, "validation")

    def report(self, error: str, *arguments: str, test: str = "") -> Report:
        """Return an error of that function of the run-time's validation, with these arguments, if the test is true."""
        return Report(self.runtime(error), ", ".join(arguments), test)

    def report_or(self, error: str, path: str, test: str, checks: Checks, or_if: str = "") -> Choice:
        """Return an error if the test is true, else other checks: if `or_if` is true, unless it is empty."""
        reported = (test, (self.report(error, path),))
        return Choice((reported, (or_if, checks)) if checks else (reported,))

    def value(self, spot: Spot, given: Iterable[Constraints]) -> Iterator[Check]:
        """Yield the checks of a value that is set: those of its type, then those of its named types, then `given`."""
        types = self.plan.backend_input.types
        behind = underlying(spot.type)
        if isinstance(behind, EnumType) and is_validated_enum(enum_of(behind.id, types)):
            name = f"validate_{enum_of(behind.id, types).snake_name}"
            function = function_name(self.imports, behind.id, "validation", name)
            yield Delegated(function, f"{spot.value}, {spot.path}")
        for each in (*alias_constraints(spot.type, types), *given):
            yield from self.limits(spot, each)

    def limits(self, spot: Spot, constraints: Constraints) -> Iterator[Check]:
        """Yield the checks of a value that is set for `constraints` only."""
        behind = underlying(spot.type)
        if constraints.not_value is not None:
            yield self._not(spot, constraints.not_value)
        if isinstance(behind, ScalarType) and behind.scalar in _NUMBERS:
            yield from self._number(spot, constraints)
        elif is_text(behind) or is_bytes(behind):
            yield from self._text(spot, constraints)
        elif isinstance(behind, ListType | MapType):
            yield from self._size(spot, constraints)
        elif isinstance(behind, WellKnownType) and is_format(constraints, EMBEDDED_RESOURCE):
            yield self._format(spot, EMBEDDED_RESOURCE)

    def _not(self, spot: Spot, other: LiteralNode) -> Report:
        value = other.value if isinstance(other, Located) else None
        assert isinstance(value, str | int)
        if isinstance(value, bool):
            test = spot.value if value else f"not {spot.value}"
        else:
            test = f"{spot.value} == {literal(value)}"
        return self.report("excluded", spot.path, spot.value, literal(value), test=test)

    def struct(self, struct: TypeId, value: str, old: str, path: str) -> Checks:
        """Return the call that validates a struct; none if it has nothing to validate."""
        if struct not in self.plan.validated:
            return ()
        name = f"validate_{self.plan.places.struct(struct).snake_name}"
        return (Delegated(function_name(self.imports, struct, "validation", name), f"{value}, {old}, {path}"),)

    def _number(self, spot: Spot, constraints: Constraints) -> Iterator[Report]:
        for bound, operator, error, *exclusive in (
            (constraints.minimum, "<", "too_small"),
            (constraints.maximum, ">", "too_large"),
            (constraints.exclusive_minimum, "<=", "too_small", "exclusive=True"),
            (constraints.exclusive_maximum, ">=", "too_large", "exclusive=True"),
        ):
            if bound is not None:
                limit = literal(bound.value)
                test = f"{spot.value} {operator} {limit}"
                yield self.report(error, spot.path, spot.value, limit, *exclusive, test=test)
        if constraints.multiple_of is not None:
            step = literal(constraints.multiple_of.value)
            yield self.report("not_multiple", spot.path, spot.value, step, test=f"{spot.value} % {step} != 0")

    def _text(self, spot: Spot, constraints: Constraints) -> Iterator[Check]:
        length = f"len({spot.value})"
        size = length if is_bytes(spot.type) else f"len({spot.value}.encode())"
        for bound, test, error in (
            (constraints.min_length, f"{length} <", "too_short"),
            (constraints.max_length, f"{length} >", "too_long_characters"),
            (constraints.max_bytes, f"{size} >", "too_long"),
        ):
            if bound is not None:
                yield self.report(error, spot.path, str(bound.value), test=f"{test} {bound.value}")
        if is_bytes(spot.type):
            return
        if constraints.pattern is not None:
            yield self._pattern(spot, constraints.pattern.value)
        if constraints.format is not None and constraints.format.value in FORMATS:
            yield self._format(spot, constraints.format.value)

    def _format(self, spot: Spot, name: str) -> Delegated:
        function = self.imports.runtime(name.replace("-", "_"), "formats")
        return Delegated(function, f"{spot.path}, {spot.value}", returns=True)

    def _pattern(self, spot: Spot, pattern: str) -> Report:
        """`re` runs a pattern that is proven linear there, the runtime's matcher runs any other."""
        written = python_pattern(pattern)
        if written is None:
            fails = f"not {self.imports.runtime('matches')}({text_literal(pattern)}, {spot.value})"
        else:
            re = self.imports.standard("re")
            fails = f"{re}.search({text_literal(written)}, {spot.value}, {re}.ASCII) is None"
        return self.report("not_matching", spot.path, spot.value, text_literal(pattern), test=fails)

    def _size(self, spot: Spot, constraints: Constraints) -> Iterator[Report]:
        length = f"len({spot.value})"
        for bound, operator, error in (
            (constraints.min_items or constraints.min_properties, "<", "too_few"),
            (constraints.max_items or constraints.max_properties, ">", "too_many"),
        ):
            if bound is not None:
                yield self.report(error, spot.path, length, str(bound.value), test=f"{length} {operator} {bound.value}")


class ListWriter:
    """The checks of the elements of one field.

    Elements of a list map are paired by their keys and those of a set by value, entries of a map by key: paired
    elements that are unchanged are not validated. In any other list all elements are validated if the list has
    changed. Without an old list (`has_old` is false: the field is immutable), elements are not paired.
    """

    def __init__(self, struct: Struct, member: Field, writer: ValueWriter, *, has_old: bool, root: Root) -> None:
        self._struct = struct
        self._member = member
        self._writer = writer
        self._types = writer.plan.backend_input.types
        self._declared = declared_of(member.type, declared_by(member), self._types)
        self._has_old = has_old
        self._root = root
        self._old = f"{root.old}.{member.py_name} if {root.old} is not None else None"
        self._kept = f"old_{member.py_name}"

    def elements(self, spot: Spot) -> Iterator[Check]:
        """Yield the checks of all elements."""
        behind = underlying(spot.type)
        if isinstance(behind, MapType):
            yield from self._map(spot, behind)
            return
        assert isinstance(behind, ListType)
        identity = identity_of(self._member, self._types)
        # with `uniqueItems: false`, a hand-written function validates duplicates
        if identity is not None and unique_items(self._member, self._types) is not False:
            yield self._unique(spot, behind.item, identity)
        path = f"{spot.path}.index({spot.inner('index')})"
        item = Spot(spot.element, path, behind.item, spot.name, spot.depth + 1)
        old, checks = self._item(item, identity)
        if old:
            yield Variable(self._kept, old)
        if checks:
            yield Each(f"{spot.inner('index')}, {item.value}", f"enumerate({spot.value})", checks)

    def _item(self, item: Spot, identity: str | None) -> tuple[str, Checks]:
        """Return the expression that collects the old elements, if they are needed, and the checks of an element."""
        behind = underlying(item.type)
        gathered = ""
        if isinstance(behind, StructType) and self._is_validated(behind, identity):
            old = "None"
            if identity == MAP and self._has_old:
                first_by = self._writer.runtime("first_by")
                gathered = f"{first_by}({self._old}, lambda item: {self._key('item', behind)})"
                old = f"{self._kept}.get({self._key(item.value, behind)})"
            checks = self._writer.struct(behind.id, item.value, old, item.path)
            rejected = self._rejected(self._declared.items)
            if rejected and gathered:
                checks = self._unless_changed(item, old, rejected, checks)
        else:
            checks = self._value(item, self._declared.items)
        if checks and identity == SET and self._has_old and not isinstance(behind, StructType):
            before = f"{self._root.old}.{self._member.py_name}"
            values = f"{before} or ()" if self._member.can_be_none else before
            gathered = f"frozenset({values} if {self._root.old} is not None else ())"
            return gathered, guarded([f"{item.value} not in {self._kept}"], checks)
        return gathered, guarded([f"{item.value} is not None"] if item_can_be_none(item.type) else [], checks)

    def _value(self, item: Spot, declared: tuple[Constraints, ...]) -> Checks:
        """Return the checks of an element or value other than a struct, and of the elements in it."""
        checks = [*self._writer.value(item, declared)]
        if isinstance(underlying(item.type), ListType | MapType):
            # what is within the field has only what its type declares, and is not paired
            member = Field(
                self._member.json_name, self._member.py_name, item.type, self._member.presence, self._member.place
            )
            nested = ListWriter(self._struct, member, self._writer, has_old=False, root=self._root)
            checks += nested.elements(item)
        return tuple(checks)

    def _map(self, spot: Spot, behind: MapType) -> Iterator[Check]:
        key = Spot(spot.inner("key"), spot.path, behind.key, spot.name, spot.depth + 1)
        item = Spot(spot.element, f"{spot.path}.key({key.value})", behind.value, spot.name, spot.depth + 1)
        keys = tuple(self._writer.value(key, self._declared.keys))
        values = self._entry(item, key.value)
        if not keys and not values:
            return
        if self._has_old:
            otherwise = " or {}" if self._member.can_be_none else ""
            before = f"{self._root.old}.{self._member.py_name}"
            yield Variable(self._kept, f"{before}{otherwise} if {self._root.old} is not None else {{}}")
            keys = guarded([f"{key.value} not in {self._kept}"], keys)
        if values:
            yield Each(f"{key.value}, {item.value}", f"{spot.value}.items()", (*keys, *values))
        else:
            yield Each(key.value, spot.value, keys)

    def _entry(self, item: Spot, key: str) -> Checks:
        """Return the checks of a map's value."""
        behind = underlying(item.type)
        rejected = self._rejected(self._declared.values) if self._has_old else ""
        if isinstance(behind, StructType):
            old = f"{self._kept}.get({key})" if self._has_old else "None"
            checks = self._writer.struct(behind.id, item.value, old, item.path)
            return self._unless_changed(item, old, rejected, checks) if rejected else checks
        checks = self._value(item, self._declared.values)
        tests = [f"{item.value} is not None"] if item_can_be_none(item.type) else []
        if rejected:
            return (self._reject_changed_value(item, key, rejected, tests, checks),)
        if self._has_old and checks:
            equal = self._writer.imports.runtime("semantic_equal")
            tests.append(f"not {equal}({item.value}, {self._kept}.get({key}))")
        return guarded(tests, checks)

    def _is_validated(self, item: StructType, identity: str | None) -> bool:
        return item.id in self._writer.plan.validated or (
            identity == MAP and self._has_old and bool(self._rejected(self._declared.items))
        )

    def _rejected(self, constraints: tuple[Constraints, ...]) -> str:
        """Return the error for a changed element; empty if elements may change."""
        if any(is_immutable(each) for each in constraints):
            return "immutable"
        return "modified" if any(word.value == "noModify" for each in constraints for word in each.update) else ""

    def _unless_changed(self, item: Spot, old: str, error: str, checks: Checks) -> Checks:
        """Return the error if an element was there and is another now; else its checks."""
        before = f"old_{item.value}"
        equal = self._writer.imports.runtime("semantic_equal")
        test = f"{before} is not None and not {equal}({item.value}, {before})"
        return (Variable(before, old), self._writer.report_or(error, item.path, test, checks))

    def _reject_changed_value(self, item: Spot, key: str, error: str, tests: list[str], checks: Checks) -> Choice:
        """Return the error if a value was there and is another now; its checks if it is new and the tests are true."""
        equal = self._writer.imports.runtime("semantic_equal")
        test = f"{key} in {self._kept} and not {equal}({item.value}, {self._kept}[{key}])"
        is_new = all_of([f"{key} not in {self._kept}", *tests])
        return self._writer.report_or(error, item.path, test, checks, is_new)

    def identity(self, item: str) -> str:
        """Return the expression of the identity of an element."""
        behind = underlying(self._member.type)
        assert isinstance(behind, ListType)
        of_item = underlying(behind.item)
        return self._key(item, of_item) if isinstance(of_item, StructType) else item

    def _unique(self, spot: Spot, item: Type, identity: str) -> Each:
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
        error = self._writer.report("duplicate", f"{spot.path}.index({index})", shown_value)
        return Each(f"{index}, {value}", found, (error,))

    def _keys(self, item: StructType) -> list[tuple[str, Field]]:
        """The keys of a list map, with their names in messages."""
        member = self._member
        names = member.constraints.unique_by or merge_of(member.type, member.merge, self._types).list_map_keys
        fields = self._writer.names.keys(self._writer.plan.places.struct(item.id), names)
        return [(name.value, key) for name, key in zip(names, fields, strict=True)]

    def _key(self, item: str, type_: StructType) -> str:
        return item_key(item, [key for _, key in self._keys(type_)])
