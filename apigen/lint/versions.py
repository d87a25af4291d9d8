"""Lint rules about a field in several versions: imports between versions, and gates and constraints of the same field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from apigen.diagnostics import Diagnostic, Related
from apigen.diagnostics.quoting import quote
from apigen.ir.model import Field, Struct
from apigen.ir.types import TypeId
from apigen.ir.version_graph import messages_in
from apigen.language.model import NO_CONSTRAINTS, GateSpec, Located
from apigen.lint.rule import Surroundings, field_rule, finding


@field_rule("AG1110")
def versions_lead_one_way(field: Field, struct: Struct, around: Surroundings) -> Iterator[Diagnostic]:
    """A `.proto` file cannot import a file that imports it. (Protocol Buffers language guide, "Importing definitions")"""
    here = (struct.id.group, struct.id.version)
    for message in messages_in(field.type):
        there = (message.group, message.version)
        if there != here and here in around.below.get(there, ()):
            yield finding(
                field.place,
                f"{quote(field.json_name)} refers to {'/'.join(there)}, which refers back to {'/'.join(here)};"
                " protoc rejects files that import each other",
                "move the shared types into one of them, or into a separate version",
            )


@field_rule("AG1112")
def versions_agree(field: Field, struct: Struct, around: Surroundings) -> Iterator[Diagnostic]:
    """Gates and validation run on the hub, by the declarations of the version that the hub follows.

    Fields with a lens are skipped: their constraints may be declared on another field or in another unit.
    """
    followed = around.api.group(struct.id.group).hub
    if followed is None or followed == struct.id.version or field.hub is not None:
        return
    other = around.api.types.get(TypeId(struct.id.group, followed, struct.id.name))
    theirs = other.field(field.json_name) if isinstance(other, Struct) else None
    if theirs is None or theirs.hub is not None:
        return
    for what, mine, decides in (
        ("the gate", _gates(field.gate), _gates(theirs.gate)),
        ("the constraints", _limits(field), _limits(theirs)),
    ):
        if mine != decides:
            yield finding(
                field.place,
                f"{what} of `{struct.id.name}.{field.json_name}` differ in {struct.id.version} and {followed}; only those of"
                f" {followed}, which the hub follows, are enforced",
                "declare the same in both versions",
                (Related(theirs.place, f"the field in {followed}"),),
            )


def _gates(gate: GateSpec | None) -> object:
    return None if gate is None else (frozenset(name.value for name in gate.gates), gate.join)


_NOT_COMPARED = ("place", "rules", "enforced_by_hand")


def _limits(field: Field) -> object:
    all_limits = (field.constraints, field.item_constraints, field.key_constraints, field.value_constraints)
    return tuple(_NOTHING if limits == NO_CONSTRAINTS else _plain(limits) for limits in all_limits)


def _plain(value: object) -> object:
    """Return a value without places, and without parts that are compared elsewhere: CEL rules, hand-written code."""
    if isinstance(value, Located):
        return _plain(value.value)
    if isinstance(value, tuple):
        return tuple(_plain(each) for each in value)
    class_ = type(value)
    if class_ not in _NAMES:
        found = [each.name for each in fields(value) if each.name not in _NOT_COMPARED] if is_dataclass(value) else []
        _NAMES[class_] = tuple(found)
    names = _NAMES[class_]
    return tuple(_plain(getattr(value, name)) for name in names) if names else value


_NAMES: dict[type, tuple[str, ...]] = {}
"""The attributes to compare, by class, cached; none for a class without parts."""

_NOTHING = _plain(NO_CONSTRAINTS)
