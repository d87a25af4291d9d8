"""Checks that reject a field as a whole: if it is set or unset, or changed by an update. The checks of its value come
after them.
"""

from __future__ import annotations

from collections.abc import Callable

from apigen.codegen.python.source_text import Code, literal
from apigen.codegen.validation.values import ValueWriter
from apigen.dataclass import dataclass
from apigen.ir.model import Field
from apigen.ir.types import MapType, underlying
from apigen.language.model import Constraints

KeyOf = Callable[[str], str]
"""Returns the expression of an element's identity for the expression of the element."""


@dataclass(frozen=True, slots=True)
class FieldTests:
    """The expressions about one field in the function of its struct. `old` is None where no old value is at hand."""

    value: str
    old: str
    updating: str
    is_set: str
    is_unset: str
    was_set: str
    was_unset: str
    path: str
    key: KeyOf


def write_rejections(code: Code, member: Field, tests: FieldTests, writer: ValueWriter) -> None:
    """Report everything that rejects a field that has changed."""
    _write(code, member.constraints, member, tests, "", writer)
    for gated, test in ((member.constraints.if_enabled, ""), (member.constraints.if_disabled, "not ")):
        for case in gated:
            _write(code, case.constraints, member, tests, f"{test}{enabled(case.name.value)}", writer)


def enabled(gate: str) -> str:
    """Return the expression that is true if a gate is enabled."""
    return f"options.features.enabled({literal(gate)})"


def is_rejecting(constraints: Constraints) -> bool:
    """Return whether constraints reject a field as a whole, other than by `immutable` alone."""
    own = (constraints.forbidden, constraints.required)
    if any(flag is not None and flag.value for flag in own) or constraints.update:
        return True
    cases = (case.constraints for case in (*constraints.if_enabled, *constraints.if_disabled))
    return any(is_rejecting(case) or is_immutable(case) for case in cases)


def is_immutable(constraints: Constraints) -> bool:
    """Return whether constraints say `immutable: true`."""
    return constraints.immutable is not None and constraints.immutable.value


def _write(
    code: Code, constraints: Constraints, member: Field, tests: FieldTests, gate: str, writer: ValueWriter
) -> None:
    def reject(error: str, *parts: str) -> None:
        with code.when([gate, *parts]):
            writer.report(code, error, tests.path)

    if constraints.required is not None and constraints.required.value:
        reject("required", tests.is_unset)
    if constraints.forbidden is not None and constraints.forbidden.value:
        reject("forbidden", tests.is_set)
    if is_immutable(constraints):
        reject("immutable", tests.updating)
    for word in constraints.update:
        match word.value:
            case "noSet":
                reject("set_later", tests.updating, tests.was_unset, tests.is_set)
            case "noUnset":
                reject("cleared", tests.updating, tests.was_set, tests.is_unset)
            case "noModify":
                reject("modified", tests.updating, tests.was_set, tests.is_set)
            case "noAddItem" | "noRemoveItem":
                with code.when([gate, tests.updating]):
                    _write_items(code, member, tests, writer, is_added=word.value == "noAddItem")


def _write_items(code: Code, member: Field, tests: FieldTests, writer: ValueWriter, *, is_added: bool) -> None:
    """Report each item of the new value that the old one does not have, or the other way round."""
    these, others = (tests.value, tests.old) if is_added else (tests.old, tests.value)
    if isinstance(underlying(member.type), MapType):
        loop, place = f"for key in sorted({_keys(these, member)} - {_keys(others, member)}):", f"{tests.path}.key(key)"
    else:
        unpaired = f"{writer.runtime('unpaired')}({these}, {others}, lambda item: {tests.key('item')})"
        loop, place = f"for _ in {unpaired}:", tests.path  # an item that is gone has no index
        if is_added:
            loop, place = f"for index, _ in {unpaired}:", f"{tests.path}.index(index)"
    with code.block(loop):
        writer.report(code, "item_added" if is_added else "item_removed", place)


def _keys(value: str, member: Field) -> str:
    return f"({value} or {{}}).keys()" if member.can_be_none else f"{value}.keys()"
