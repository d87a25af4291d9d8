"""What guards and limits a field is the same in all versions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from apigen.diagnostics import Related
from apigen.ir.model import Field, Struct
from apigen.ir.types import TypeId
from apigen.rules.rule import Finding, Rule, Surroundings
from apigen.spec.model import NO_CONSTRAINTS, GateSpec, Located


class VersionsAgree(Rule):
    """Gates and validation work on the hub, by what the version says that the hub follows: another one is not heard.

    Fields that a lens takes elsewhere are left alone: what limits them may well be said otherwise.
    """

    code = "AG1112"

    def check_field(self, field: Field, struct: Struct, around: Surroundings) -> Iterator[Finding]:
        followed = around.api.group(struct.id.group).hub
        if followed is None or followed == struct.id.version or field.hub is not None:
            return
        other = around.api.types.get(TypeId(struct.id.group, followed, struct.id.name))
        theirs = other.field(field.json_name) if isinstance(other, Struct) else None
        if theirs is None or theirs.hub is not None:
            return
        for what, mine, decides in (
            ("the gate", _gates(field.gate), _gates(theirs.gate)),
            ("the limits", _limits(field), _limits(theirs)),
        ):
            if mine != decides:
                yield Finding(
                    field.place,
                    f"{what} of `{struct.id.name}.{field.json_name}` in {struct.id.version} and in {followed} differ, and"
                    f" {followed} decides, as the hub follows it",
                    f"say the same in both; what holds for {struct.id.version} only is not asked",
                    (Related(theirs.place, f"the field in {followed}"),),
                )


def _gates(gate: GateSpec | None) -> object:
    return None if gate is None else (frozenset(name.value for name in gate.gates), gate.join)


_NOT_COMPARED = ("place", "rules", "enforced_by_hand")


def _limits(field: Field) -> object:
    all_limits = (field.constraints, field.item_constraints, field.key_constraints, field.value_constraints)
    return tuple(_PLAINNO_CONSTRAINTS if limits == NO_CONSTRAINTS else _plain(limits) for limits in all_limits)


def _plain(value: object) -> object:
    """A value without the places at which its parts are written, and what is judged otherwise: CEL rules, code by hand."""
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
"""What is compared of the values of each class that was met; nothing of one that has no parts."""

_PLAINNO_CONSTRAINTS = _plain(NO_CONSTRAINTS)
