"""Writes the steps of an operation before drops: the fields that it keeps, resets, fills, sets and adds."""

from __future__ import annotations

import itertools
from contextlib import nullcontext

from apigen.codegen.python.conditions import condition_expression
from apigen.codegen.python.field_paths import attribute, guards_of, read_at
from apigen.codegen.python.source_text import Code, literal
from apigen.codegen.python.walking import walk
from apigen.codegen.strategies.operations import (
    CREATE,
    Addition,
    Excepted,
    Operation,
    Setting,
)
from apigen.codegen.strategies.pairing import ItemParts, PairingWriter, is_in_items, item_parts, unset
from apigen.codegen.strategies.rules import Gates
from apigen.codegen.strategies.values import Writer, on_condition
from apigen.codegen.strategies.walks import names_gate
from apigen.ir.field_paths import FieldPath
from apigen.ir.model import Field, Struct
from apigen.ir.places import BoundPath, FieldStep, KeyStep
from apigen.ir.types import ListType, underlying
from apigen.language.model import LiteralNode


def settle(code: Code, operation: Operation, struct: Struct, writer: Writer) -> None:
    """Write the steps of an operation that come before dropping, within its condition."""
    if not operation.settles:
        return
    settling = _Settling(operation, struct, writer)
    condition = settling.condition()
    with code.block(f"if {condition}:") if condition else nullcontext():
        settling.write(code)


class _Settling:
    def __init__(self, operation: Operation, struct: Struct, writer: Writer) -> None:
        self._operation = operation
        self._struct = struct
        self._writer = writer
        asks = operation.when is not None and names_gate(operation.when)
        self._scope = writer.scope(struct, "features" if asks else None)
        self._items = PairingWriter(writer, self._scope)

    def condition(self) -> str:
        when = self._operation.when
        return "" if when is None else condition_expression(when, self._scope)

    def write(self, code: Code) -> None:
        self._set_aside(code)
        for path in self._operation.keeps:
            self._assign(code, path.named, self._copied_from_old(path.named), other="old")
        if self._operation.name == CREATE:  # where exceptions are made from what is reset
            self._resets(code)
            self._put_back(code)
        else:
            self._put_back(code)
            self._resets(code)
        for path in itertools.filterfalse(is_in_items, self._operation.fills):
            self._fill(code, path)
        for parts in item_parts(self._operation.fills):
            self._items.fill(code, parts)
        for setting in self._operation.sets:
            self._set(code, setting)
        for addition in self._operation.adds:
            self._add(code, addition)

    def _reset(self, code: Code, path: BoundPath) -> None:
        *above, last = path.steps

        def leaf(code: Code, value: str) -> None:
            match last:
                case FieldStep(member):
                    code.line(f"{value}.{member.py_name} = {self._writer.zero(member)}")
                case KeyStep(key):
                    with code.block(f"if {value} is not None:"):
                        code.line(f"{value}.pop({literal(key)}, None)")
                case _:
                    raise ValueError(f"cannot reset {path.text}")

        walk(code, tuple(above), "obj", self._scope, leaf)

    def _set_aside(self, code: Code) -> None:
        """Write assignments that save the submitted values of exceptions."""
        for each in self._plain_excepts():
            submitted = read_at("obj", each.path.named, self._writer.zero(each.path.named[-1]))
            code.line(f"{_submitted(each.path)} = {submitted}")
        for _, parts in self._excepts_in_items():
            self._items.set_aside(code, parts)

    def _put_back(self, code: Code) -> None:
        for each in self._plain_excepts():
            with code.block(f"if {on_condition(each.gates)}:") if each.gates else nullcontext():
                self._assign(code, each.path.named, _submitted(each.path))
        for gates, parts in self._excepts_in_items():
            with code.block(f"if {on_condition(gates)}:") if gates else nullcontext():
                self._items.put_back(code, parts)

    def _plain_excepts(self) -> list[Excepted]:
        return [each for each in self._operation.excepts if not is_in_items(each.path)]

    def _excepts_in_items(self) -> list[tuple[Gates | None, ItemParts]]:
        return [
            (gates, parts)
            for gates, excepts in itertools.groupby(self._operation.excepts, key=lambda each: each.gates)
            for parts in item_parts(each.path for each in excepts)
        ]

    def _resets(self, code: Code) -> None:
        for path in self._operation.resets:
            self._reset(code, path)

    def _copied_from_old(self, path: FieldPath) -> str:
        return self._writer.copied(attribute("old", path), path[-1].type, path[-1].can_be_none)

    def _assign(self, code: Code, path: FieldPath, value: str, other: str = "") -> None:
        """Set the field at the end of a path, if its parents are there (or zero, where the other object lacks them)."""
        line = f"{attribute('obj', path)} = "
        others = guards_of(other, path) if other else []
        with code.when(guards_of("obj", path)):
            with code.when(others):
                code.line(line + value)
            if others:
                with code.block("else:"):
                    code.line(line + self._writer.zero(path[-1]))

    def _fill(self, code: Code, path: BoundPath) -> None:
        """Write a copy of a field from the old object if it is unset in the new one, and both have its parents."""
        fields = path.named
        value = attribute("obj", fields)
        there = [*guards_of("obj", fields), *guards_of("old", fields)]
        with code.when([*there, unset(fields[-1], value, self._scope)]):
            code.line(f"{value} = {self._copied_from_old(fields)}")

    def _set(self, code: Code, setting: Setting) -> None:
        *above, last = setting.path.steps
        assert isinstance(last, FieldStep)
        value = self._writer.literal(setting.value, last.field.type)

        def leaf(code: Code, parent: str) -> None:
            code.line(f"{parent}.{last.field.py_name} = {value}")

        walk(code, tuple(above), "obj", self._scope, leaf)

    def _add(self, code: Code, addition: Addition) -> None:
        *above, last = addition.path.steps
        assert isinstance(last, FieldStep)

        def leaf(code: Code, parent: str) -> None:
            items = f"{parent}.{last.field.py_name}"
            if last.field.can_be_none:
                with code.block(f"if {items} is None:"):
                    code.line(f"{items} = []")
            for value in addition.values:
                self._add_one(code, items, value, last.field)

        walk(code, tuple(above), "obj", self._scope, leaf)

    def _add_one(self, code: Code, items: str, value: LiteralNode, member: Field) -> None:
        behind = underlying(member.type)
        assert isinstance(behind, ListType)
        item = self._writer.literal(value, behind.item)
        with code.block(f"if {item} not in {items}:"):
            code.line(f"{items}.append({item})")


def _submitted(path: BoundPath) -> str:
    return f"submitted_{path.named[-1].py_name}"
