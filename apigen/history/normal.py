"""The normal form of a recorded group: its spec files without parts that do not affect generated code, with every name and
number written, so that no lock is needed to read it.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as AbstractMapping

from apigen.dataclass import dataclass
from apigen.history.trees import child, entry, mapping, scalar
from apigen.ir.model import Enum, Struct, TypeDef
from apigen.ir.names import field_name, member_name
from apigen.language.nodes import Entry, Mapping, Node, Sequence

_SAYS_NOTHING = frozenset({"doc", "ignore"})
"""Keys of types, fields, values and gates that no code but docstrings comes from."""

_FIRST = ("type", "protobuf", "pyName", "nullable", "optional", "omitEmpty", "inline", "required")
"""The keys of a field that are written first; the others follow, sorted by name."""

Types = AbstractMapping[str, TypeDef]
"""The types of a version, or none, by name."""


@dataclass(frozen=True, slots=True)
class _Given:
    """What a field was given without its being written."""

    py_name: str | None = None
    number: int | None = None


def normal_types(root: Mapping, types: Types) -> Mapping:
    """The types of a version's file, or of hub.yaml, which has no `types`."""
    written = child(root, "types")
    entries = written.entries if isinstance(written, Mapping) else ()
    return mapping(Entry(key, _type(value, types.get(key.text))) for key, value in entries)


def normal_feature(node: Node) -> Node:
    """A gate."""
    return _without_words(node)


def _type(node: Node, type_: TypeDef | None) -> Node:
    if not isinstance(node, Mapping):
        return node
    fields: dict[str, _Given] = {}
    gone: dict[str, _Given] = {}
    if isinstance(type_, Struct) and type_.taken_from is None:
        fields = dict(_of_fields(type_))
        gone = {tombstone.json_name: _Given(number=tombstone.number) for tombstone in type_.tombstones}
    values: dict[str, _Given] = {}
    if isinstance(type_, Enum):
        values = {value.value: _Given(_unless(value.py_name, member_name(value.value))) for value in type_.values}
    if isinstance(type_, Struct) and type_.taken_from is None and type_.reserved:
        node = _with_reserved(node, type_)
    given = {"fields": fields, "enum": values, "tombstones": gone}
    entries = []
    for key, value in node.entries:
        if key.text in given:
            value = _written_out(value, given[key.text])
        if key.text not in _SAYS_NOTHING:
            entries.append(Entry(key, value))
    return mapping(entries, node)


def _of_fields(struct: Struct) -> Iterator[tuple[str, _Given]]:
    for field in struct.own_fields:
        yield field.json_name, _Given(_unless(field.py_name, field_name(field.json_name)), field.number)
    for inline in struct.inlines:
        if not inline.via:
            yield inline.name, _Given(number=inline.number)


def _with_reserved(node: Mapping, struct: Struct) -> Mapping:
    """A type with all numbers that it reserves, those that only the lock remembers, too."""
    numbers = [scalar(one.first if one.first == one.last else str(one)) for one in struct.reserved]
    entries = {each.key.text: each for each in node.entries}
    entries["reserved"] = entry("reserved", Sequence(numbers, "", 0, 0))
    return mapping(entries.values(), node)


def _unless(name: str, derived: str | None) -> str | None:
    return None if name == derived else name


def _written_out(node: Node, given: AbstractMapping[str, _Given]) -> Node:
    """The members of a type, each with what it was given."""
    if not isinstance(node, Mapping):
        return node
    return mapping((Entry(key, _member(value, given.get(key.text, _Given()))) for key, value in node.entries), node)


def _member(node: Node, given: _Given) -> Node:
    if not isinstance(node, Mapping):
        return node
    entries = {each.key.text: each for each in node.entries if each.key.text not in _SAYS_NOTHING}
    if given.number is not None:
        entries["protobuf"] = entry("protobuf", scalar(given.number))
    if given.py_name is not None:
        entries["pyName"] = entry("pyName", scalar(given.py_name))
    first = [key for key in _FIRST if key in entries]
    return mapping((entries[key] for key in dict.fromkeys([*first, *sorted(entries)])), node)


def _without_words(node: Node) -> Node:
    if not isinstance(node, Mapping):
        return node
    return mapping((each for each in node.entries if each.key.text not in _SAYS_NOTHING), node)
