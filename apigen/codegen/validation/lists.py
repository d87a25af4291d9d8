"""Writes the checks of the elements of a list or map, paired with those of the old one."""

from __future__ import annotations

from apigen.codegen.python.source_text import Code, literal
from apigen.codegen.python.walking import item_key
from apigen.codegen.types.annotations import item_can_be_none
from apigen.codegen.validation.plan import MAP, SET, identity_of, is_immutable
from apigen.codegen.validation.values import Root, Spot, ValueWriter
from apigen.ir.model import Field, Struct
from apigen.ir.types import ListType, MapType, StructType, Type, underlying
from apigen.language.model import Constraints, Located


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
        identity = identity_of(self._member) if spot.depth == 0 else None
        if identity is not None and not self._is_unique_by_hand():
            self._unique(code, spot, behind.item, identity)
        path = f"{spot.path}.index({spot.inner('index')})"
        item = Spot(spot.element, path, behind.item, spot.name, spot.depth + 1)
        body = Code()
        old = self._item(body, item, identity)
        if not body.is_empty:
            if old:
                code.line(old)
            with code.block(f"for {spot.inner('index')}, {item.value} in enumerate({spot.value}):"):
                code.extend(body)

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
            rejected = self._rejected(self._member.item_constraints)
            if rejected and gather:
                self._unless_changed(checks, item, old, rejected, call)
            else:
                checks.extend(call)
        else:
            self._writer.value(checks, item, self._member.item_constraints)
            if isinstance(behind, ListType | MapType):
                self.elements(checks, item)
        if checks.is_empty:
            return ""
        if identity == SET and self._has_old and not isinstance(behind, StructType):
            before = f"{self._root.old}.{self._member.py_name}"
            values = f"{before} or ()" if self._member.can_be_none else before
            gather = f"{self._kept} = frozenset({values} if {self._root.old} is not None else ())"
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
        self._writer.value(keys, key, *self._own_constraints(self._member.key_constraints, spot))
        paired = spot.depth == 0 and self._has_old
        self._entry(values, item, key.value, self._own_constraints(self._member.value_constraints, spot), paired=paired)
        if keys.is_empty and values.is_empty:
            return
        if paired:
            otherwise = " or {}" if self._member.can_be_none else ""
            before = f"{self._root.old}.{self._member.py_name}"
            code.line(f"{self._kept} = {before}{otherwise} if {self._root.old} is not None else {{}}")
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

    def _own_constraints(self, constraints: Constraints, spot: Spot) -> tuple[Constraints, ...]:
        return (constraints,) if spot.depth == 0 else ()

    def _entry(self, code: Code, item: Spot, key: str, constraints: tuple[Constraints, ...], *, paired: bool) -> None:
        """The checks of a map's value."""
        behind = underlying(item.type)
        rejected = self._rejected(*constraints) if paired else ""
        if isinstance(behind, StructType):
            call = Code()
            old = f"{self._kept}.get({key})" if paired else "None"
            if behind.id in self._writer.plan.validated:
                call.line(self._writer.struct_call(behind.id, item.value, old, item.path))
            if rejected:
                self._unless_changed(code, item, old, rejected, call)
            else:
                code.extend(call)
            return
        checks = Code()
        self._writer.value(checks, item, *constraints)
        if isinstance(behind, ListType | MapType):
            self.elements(checks, item)
        if rejected:
            self._reject_changed_value(code, item, key, rejected, checks)
            return
        if checks.is_empty:
            return
        equal = self._writer.imports.runtime("semantic_equal")
        tests = [f"{item.value} is not None"] if item_can_be_none(item.type) else []
        if paired:
            tests.append(f"not {equal}({item.value}, {self._kept}.get({key}))")
        if tests:
            self._under(code, f"if {' and '.join(tests)}:", checks)
        else:
            code.extend(checks)

    def _is_validated(self, item: StructType, identity: str | None) -> bool:
        return item.id in self._writer.plan.validated or (
            identity == MAP and self._has_old and bool(self._rejected(self._member.item_constraints))
        )

    def _rejected(self, *constraints: Constraints) -> str:
        """Return the error for a changed element; empty if elements may change."""
        if any(is_immutable(each) for each in constraints):
            return "immutable"
        return "modified" if any(word.value == "noModify" for each in constraints for word in each.update) else ""

    def _unless_changed(self, code: Code, item: Spot, old: str, error: str, checks: Code) -> None:
        """An error if an element was there and is another now; else its checks."""
        before = f"old_{item.value}"
        equal = self._writer.imports.runtime("semantic_equal")
        code.line(f"{before} = {old}")
        with code.block(f"if {before} is not None and not {equal}({item.value}, {before}):"):
            self._writer.report(code, error, item.path)
        if not checks.is_empty:
            with code.block("else:"):
                code.extend(checks)

    def _reject_changed_value(self, code: Code, item: Spot, key: str, error: str, checks: Code) -> None:
        equal = self._writer.imports.runtime("semantic_equal")
        with code.block(f"if {key} in {self._kept} and not {equal}({item.value}, {self._kept}[{key}]):"):
            self._writer.report(code, error, item.path)
        if not checks.is_empty:
            and_is_set = f" and {item.value} is not None" if item_can_be_none(item.type) else ""
            with code.block(f"elif {key} not in {self._kept}{and_is_set}:"):
                code.extend(checks)

    def identity(self, item: str) -> str:
        """Return the expression of the identity of an element."""
        behind = underlying(self._member.type)
        assert isinstance(behind, ListType)
        of_item = underlying(behind.item)
        return self._key(item, of_item) if isinstance(of_item, StructType) else item

    def _is_unique_by_hand(self) -> bool:
        """Return whether a hand-written function checks that elements are unique."""
        unique = self._member.constraints.unique_items
        return unique is not None and not unique.value

    def _unique(self, code: Code, spot: Spot, item: Type, identity: str) -> None:
        index, value = spot.inner("index"), spot.element
        behind = underlying(item)
        if identity == MAP and isinstance(behind, StructType):
            found = f"{self._writer.runtime('repeated')}({spot.value}, lambda item: {self._key('item', behind)})"
            shown_value = self._shown_key(value, behind)
        elif isinstance(behind, StructType | ListType | MapType):
            found, shown_value = f"{self._writer.runtime('repeated_values')}({spot.value})", "None"
        else:
            found, shown_value = f"{self._writer.runtime('repeated')}({spot.value}, lambda item: item)", value
        with code.block(f"for {index}, {value} in {found}:"):
            self._writer.report(code, "duplicate", f"{spot.path}.index({index})", shown_value)

    def _key_names(self) -> tuple[Located[str], ...]:
        """The keys of a list map, by their names in messages."""
        return self._member.constraints.unique_by or self._member.merge.list_map_keys

    def _keys(self, item: StructType) -> list[Field]:
        return self._writer.names.keys(self._writer.plan.places.struct(item.id), self._key_names())

    def _key(self, item: str, type_: StructType) -> str:
        return item_key(item, self._keys(type_))

    def _shown_key(self, item: str, type_: StructType) -> str:
        pairs = zip(self._key_names(), self._keys(type_), strict=True)
        return f"{{{', '.join(f'{literal(name.value)}: {item}.{key.py_name}' for name, key in pairs)}}}"
