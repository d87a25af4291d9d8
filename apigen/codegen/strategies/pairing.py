"""Parts of the items of a list: those of the new object are paired with those of the old one by their identity."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.codegen.python.conditions import Scope, if_unset
from apigen.codegen.python.field_paths import attribute, guards_of, item_key, read_at
from apigen.codegen.python.source_text import Code
from apigen.codegen.strategies.values import Writer
from apigen.codegen.strategies.variables import element_name
from apigen.dataclass import dataclass
from apigen.ir.field_paths import FieldPath
from apigen.ir.model import Field
from apigen.ir.places import BoundPath, EachStep, FieldStep, InlineStep, named_fields
from apigen.ir.types import ListType, StructType, TypeId, underlying


@dataclass(frozen=True, slots=True)
class ItemParts:
    """Fields in the items of a list: the path to the list, those from an item to each field."""

    path: FieldPath
    item: TypeId
    fields: tuple[FieldPath, ...]

    @property
    def list(self) -> Field:
        """The list."""
        return self.path[-1]


def is_in_items(path: BoundPath) -> bool:
    """Return whether a path leads into each item of a list."""
    return any(isinstance(step, EachStep) for step in path.steps)


def item_parts(paths: Iterable[BoundPath]) -> tuple[ItemParts, ...]:
    """The paths that lead into items, by list."""
    found: dict[FieldPath, list[FieldPath]] = {}
    for path in filter(is_in_items, paths):
        at = next(i for i, step in enumerate(path.steps) if isinstance(step, EachStep))
        found.setdefault(named_fields(path.steps[:at]), []).append(named_fields(path.steps[at + 1 :]))
    return tuple(_parts(path, tuple(fields)) for path, fields in found.items())


def pairing_problem(path: BoundPath) -> str:
    """Return why the items on a path cannot be paired with those of the old object; empty if they can."""
    at = next(i for i, step in enumerate(path.steps) if isinstance(step, EachStep))
    above, rest = path.steps[:at], path.steps[at + 1 :]
    names = (FieldStep, InlineStep)
    if not above or not all(isinstance(step, names) for step in (*above, *rest)):
        return "it leads into items of more than one list"
    if not rest:
        return "it names the items, and not what changes in them"
    member = above[-1]
    if not isinstance(member, FieldStep) or not isinstance(underlying(member.field.type), ListType):
        return "it leads into the values of a map"
    if not member.field.merge.list_map_keys:
        return f"the items of `{member.field.json_name}` have no identity: it needs `listType: map` and `listMapKeys`"
    return ""


class PairingWriter:
    """Writes the steps for the items of lists."""

    def __init__(self, writer: Writer, scope: Scope) -> None:
        self._writer = writer
        self._scope = scope

    def set_aside(self, code: Code, parts: ItemParts) -> None:
        """Write the statement that stores the submitted list."""
        code.line(f"{_submitted(parts)} = {read_at('obj', parts.path, self._writer.zero(parts.list))}")

    def put_back(self, code: Code, parts: ItemParts) -> None:
        """Write the code that copies parts of the items from the submitted list, or all of the list if the items
        differ.
        """
        with code.when(guards_of("obj", parts.path)):
            self._put_back(code, parts)

    def _put_back(self, code: Code, parts: ItemParts) -> None:
        items, submitted = attribute("obj", parts.path), _submitted(parts)
        pairs = f"paired_{parts.list.py_name}"
        same = self._writer.imports.runtime("same_items")
        code.line(f"{pairs} = {same}({items}, {submitted}, {self._key(parts)})")
        with code.block(f"if {pairs} is None:"):
            code.line(f"{items} = {submitted}")
        item = element_name(parts.list.py_name)
        other = f"submitted_{item}"
        with code.block(f"for {item}, {other} in {pairs} or ():"):
            for path in parts.fields:
                with code.when([*guards_of(item, path), *guards_of(other, path)]):
                    code.line(f"{attribute(item, path)} = {attribute(other, path)}")

    def fill(self, code: Code, parts: ItemParts) -> None:
        """Write the code that copies parts from the old items that are omitted in the new ones of the same identity."""
        item = element_name(parts.list.py_name)
        lists = ", ".join(read_at(root, parts.path, "None") for root in ("obj", "old"))
        paired = self._writer.imports.runtime("with_old_items")
        before = f"old_{item}"
        with code.block(f"for {item}, {before} in {paired}({lists}, {self._key(parts)}):"):
            for path in parts.fields:
                value, last = attribute(item, path), path[-1]
                tests = [*guards_of(item, path), *guards_of(before, path)]
                with code.when([*tests, if_unset(value, last.type, last.can_be_none, self._scope)]):
                    code.line(f"{value} = {self._writer.copied(attribute(before, path), last.type, last.can_be_none)}")

    def _key(self, parts: ItemParts) -> str:
        keys = self._writer.names.keys(self._writer.struct(parts.item), parts.list.merge.list_map_keys)
        return f"lambda item: {item_key('item', keys)}"


def _parts(path: FieldPath, fields: tuple[FieldPath, ...]) -> ItemParts:
    behind = underlying(path[-1].type)
    assert isinstance(behind, ListType)
    item = underlying(behind.item)
    assert isinstance(item, StructType)
    return ItemParts(path, item.id, fields)


def _submitted(parts: ItemParts) -> str:
    return f"submitted_{parts.list.py_name}"
