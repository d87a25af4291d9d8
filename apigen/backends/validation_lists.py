"""Writes the checks of what is in a list or map, paired with what was in the old one."""

from __future__ import annotations

from apigen.backends.types_annotations import item_can_be_none
from apigen.backends.validation_plan import MAP, SET, identity_of
from apigen.backends.validation_values import Spot, ValueWriter
from apigen.ir.model import Field, Struct
from apigen.ir.types import ListType, MapType, StructType, Type, underlying
from apigen.python.code import Code, literal
from apigen.spec.model import Constraints


class ListWriter:
    """Writes the checks of the elements of one field.

    Elements of a list map are paired by their keys and those of a set by value, entries of a map by key: what is paired
    and unchanged is not judged again. In any other list all elements are judged once the list has changed. Where there
    is no old one (`has_old` is false: the field is immutable) nothing is paired.
    """

    def __init__(self, struct: Struct, member: Field, writer: ValueWriter, *, has_old: bool) -> None:
        self._struct = struct
        self._member = member
        self._writer = writer
        self._has_old = has_old
        self._old = f"old.{member.py_name} if old is not None else None"
        self._kept = f"old_{member.py_name}"

    def elements(self, code: Code, spot: Spot) -> None:
        """The checks of all elements."""
        behind = underlying(spot.type)
        if isinstance(behind, MapType):
            self._map(code, spot, behind)
            return
        assert isinstance(behind, ListType)
        identity = identity_of(self._member) if spot.depth == 0 else None
        if identity is not None:
            self._unique(code, spot, behind.item, identity)
        path = f"{spot.path}.index({spot.inner('index')})"
        item = Spot(spot.element, path, behind.item, spot.name, spot.depth + 1)
        body = Code()
        old = self._item(body, item, identity)
        if not body.is_empty:
            if old:
                code.line(old)
            enumerated = self._writer.imports.builtin("enumerate")
            with code.block(f"for {spot.inner('index')}, {item.value} in {enumerated}({spot.value}):"):
                code.extend(body)

    def _item(self, code: Code, item: Spot, identity: str | None) -> str:
        """The checks of an element; returns the line that gathers the old elements, if they are asked."""
        behind = underlying(item.type)
        checks = Code()
        gather = ""
        if isinstance(behind, StructType) and behind.id in self._writer.plan.judged:
            old = "None"
            if identity == MAP and self._has_old:
                first_by = self._writer.runtime("first_by")
                gather = f"{self._kept} = {first_by}({self._old}, lambda item: {self._key('item', behind)})"
                old = f"{self._kept}.get({self._key(item.value, behind)})"
            checks.line(self._writer.struct_call(behind.id, item.value, old, item.path))
        else:
            self._writer.value(checks, item, self._member.item_constraints)
            if isinstance(behind, ListType | MapType):
                self.elements(checks, item)
        if checks.is_empty:
            return ""
        if identity == SET and self._has_old and not isinstance(behind, StructType):
            values = f"old.{self._member.py_name} or ()" if self._member.can_be_none else f"old.{self._member.py_name}"
            frozen = self._writer.imports.builtin("frozenset")
            gather = f"{self._kept} = {frozen}({values} if old is not None else ())"
            self._under(code, f"if {item.value} not in {self._kept}:", checks)
        elif item_can_be_none(item.type):
            self._under(code, f"if {item.value} is not None:", checks)
        else:
            code.extend(checks)
        return gather

    def _under(self, code: Code, header: str, checks: Code) -> None:
        with code.block(header):
            code.extend(checks)

    def _map(self, code: Code, spot: Spot, behind: MapType) -> None:
        keys, values = Code(), Code()
        key = Spot(spot.inner("key"), spot.path, behind.key, spot.name, spot.depth + 1)
        item = Spot(spot.element, f"{spot.path}.key({key.value})", behind.value, spot.name, spot.depth + 1)
        self._writer.value(keys, key, *self._given(self._member.key_constraints, spot))
        paired = spot.depth == 0 and self._has_old
        self._entry(values, item, key.value, self._given(self._member.value_constraints, spot), paired=paired)
        if keys.is_empty and values.is_empty:
            return
        if paired:
            otherwise = " or {}" if self._member.can_be_none else ""
            code.line(f"{self._kept} = old.{self._member.py_name}{otherwise} if old is not None else {{}}")
        header = (
            f"for {key.value}, {item.value} in {spot.value}.items():"
            if not values.is_empty
            else f"for {key.value} in {spot.value}:"
        )
        with code.block(header):
            if not keys.is_empty and paired:
                self._under(code, f"if {key.value} not in {self._kept}:", keys)
            else:
                code.extend(keys)
            code.extend(values)

    def _given(self, constraints: Constraints, spot: Spot) -> tuple[Constraints, ...]:
        return (constraints,) if spot.depth == 0 else ()

    def _entry(self, code: Code, item: Spot, key: str, given: tuple[Constraints, ...], *, paired: bool) -> None:
        """The checks of a map's value."""
        behind = underlying(item.type)
        if isinstance(behind, StructType):
            if behind.id in self._writer.plan.judged:
                old = f"{self._kept}.get({key})" if paired else "None"
                code.line(self._writer.struct_call(behind.id, item.value, old, item.path))
            return
        checks = Code()
        self._writer.value(checks, item, *given)
        if isinstance(behind, ListType | MapType):
            self.elements(checks, item)
        if checks.is_empty:
            return
        equal = self._writer.imports.runtime("semantic_equal", "equality")
        tests = [f"{item.value} is not None"] if item_can_be_none(item.type) else []
        if paired:
            tests.append(f"not {equal}({item.value}, {self._kept}.get({key}))")
        if tests:
            self._under(code, f"if {' and '.join(tests)}:", checks)
        else:
            code.extend(checks)

    def _unique(self, code: Code, spot: Spot, item: Type, identity: str) -> None:
        index, value = spot.inner("index"), spot.element
        behind = underlying(item)
        if identity == MAP and isinstance(behind, StructType):
            found = f"{self._writer.runtime('repeated')}({spot.value}, lambda item: {self._key('item', behind)})"
            shown = self._shown_key(value, behind)
        elif isinstance(behind, StructType | ListType | MapType):
            found, shown = f"{self._writer.runtime('repeated_values')}({spot.value})", "None"
        else:
            found, shown = f"{self._writer.runtime('repeated')}({spot.value}, lambda item: item)", value
        with code.block(f"for {index}, {value} in {found}:"):
            self._writer.report(code, "duplicate", f"{spot.path}.index({index})", shown)

    def _key_fields(self, item: StructType) -> list[tuple[str, Field]]:
        """The keys of a list map: their JSON names as people know them, and the fields."""
        struct = self._writer.plan.places.struct(item.id)
        by_name = {f.json_name: f for f in struct.fields}
        by_name.update({self._writer.names.shown(struct, f): f for f in struct.fields})
        return [(key.value, by_name[key.value]) for key in self._member.merge.list_map_keys]

    def _key(self, item: str, type_: StructType) -> str:
        parts = [f"{item}.{f.py_name}" for _, f in self._key_fields(type_)]
        return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"

    def _shown_key(self, item: str, type_: StructType) -> str:
        return f"{{{', '.join(f'{literal(name)}: {item}.{f.py_name}' for name, f in self._key_fields(type_))}}}"
