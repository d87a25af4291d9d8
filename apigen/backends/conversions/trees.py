"""Writes what of expression trees depends on how types are converted."""

from __future__ import annotations

from apigen.backends.conversions.carried import CarriedValues
from apigen.backends.conversions.runtime_names import runtime_name
from apigen.backends.conversions.values import ValueConverter
from apigen.dataclass import dataclass
from apigen.ir.expressions import Convert, Entries, FromJson, Items, ToJson
from apigen.ir.value_conversions import Sharing
from apigen.python.code import literal
from apigen.python.expressions import PythonExpressions


@dataclass(frozen=True, slots=True)
class Conversions:
    """Writes expressions for one direction of one module."""

    converter: ValueConverter

    def text(self, tree: Convert | FromJson | ToJson | Items | Entries, writer: PythonExpressions) -> str:
        """The converted value."""
        match tree:
            case Convert(value, conversion, path, sharing):
                return self.converter.expression(
                    conversion, writer.atom(value), sharing or self.converter.allowed, path
                )
            case FromJson(text, wire, conversion, path):
                return CarriedValues(self.converter).read(wire, conversion, writer.atom(text), path)
            case ToJson(value, wire, conversion):
                return CarriedValues(self.converter).written(wire, conversion, writer.atom(value))
            case Items():
                return self._items(tree, writer)
            case Entries(source, key, member, conversion, path):
                taken = f"item.{member.py_name}" if member else "item"
                converted = self.converter.expression(conversion, taken, Sharing.ALL, path)
                pairs = f"[(item.{key.py_name}, {converted}) for item in {writer.atom(source)}]"
                return f"{runtime_name(self.converter.imports, 'unique_entries')}({pairs}, {literal(path)})"

    def _items(self, tree: Items, writer: PythonExpressions) -> str:
        key = tree.key.py_name
        # its key is set, so it is never one of the map's
        converted = self.converter.expression(tree.conversion, "entry", Sharing.NOTHING, tree.path)
        if tree.member is not None:
            made = f"{self.converter.imports.type_name(tree.item)}({key}=key, {tree.member.py_name}={converted})"
        else:
            made = f'{runtime_name(self.converter.imports, "with_key")}({converted}, "{key}", key)'
        return f"[{made} for key, entry in sorted({writer.atom(tree.source)}.items())]"
