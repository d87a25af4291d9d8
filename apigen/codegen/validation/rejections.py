"""Checks that reject a field as a whole: if it is set or unset, or changed by an update. The checks of its value come
after them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apigen.codegen.python.source_text import Code, literal
from apigen.codegen.validation.plan import identity_of
from apigen.codegen.validation.values import ValueWriter
from apigen.dataclass import dataclass
from apigen.ir.model import Field
from apigen.ir.types import MapType, underlying
from apigen.language.model import Constraints

KeyOf = Callable[[str], str]
"""Returns the expression of an element's identity for the expression of the element."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """A test and the error that it leads to; in `loop`, once for each element that it yields."""

    test: str
    error: str
    arguments: tuple[str, ...]
    loop: str = ""


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


def rejections(member: Field, tests: FieldTests, writer: ValueWriter) -> Iterator[Rejection]:
    """Everything that rejects a field that has changed, in the order in which it is reported."""
    yield from _of(member.constraints, member, tests, "")
    for gated, test in ((member.constraints.if_enabled, ""), (member.constraints.if_disabled, "not ")):
        for case in gated:
            yield from _of(case.constraints, member, tests, f"{test}{enabled(case.name.value)}")


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


def write(code: Code, found: list[Rejection], writer: ValueWriter) -> None:
    """Report everything that rejects a field."""
    for rejection in found:
        with code.block(f"if {rejection.test}:"):
            if rejection.loop:
                with code.block(rejection.loop):
                    writer.report(code, rejection.error, *rejection.arguments)
            else:
                writer.report(code, rejection.error, *rejection.arguments)


def _of(constraints: Constraints, member: Field, tests: FieldTests, gate: str) -> Iterator[Rejection]:
    def when(*parts: str) -> str:
        return " and ".join(part for part in (gate, *parts) if part)

    path = tests.path
    if constraints.required is not None and constraints.required.value:
        yield Rejection(when(tests.is_unset), "required", (path,))
    if constraints.forbidden is not None and constraints.forbidden.value:
        yield Rejection(when(tests.is_set), "forbidden", (path,))
    if is_immutable(constraints):
        yield Rejection(when(tests.updating), "immutable", (path,))
    for word in constraints.update:
        match word.value:
            case "noSet":
                yield Rejection(when(tests.updating, tests.was_unset, tests.is_set), "set_later", (path,))
            case "noUnset":
                yield Rejection(when(tests.updating, tests.was_set, tests.is_unset), "cleared", (path,))
            case "noModify":
                yield Rejection(when(tests.updating, tests.was_set, tests.is_set), "modified", (path,))
            case "noAddItem":
                yield _added(member, tests, when(tests.updating))
            case "noRemoveItem":
                yield _removed(member, tests, when(tests.updating))


def _added(member: Field, tests: FieldTests, test: str) -> Rejection:
    if isinstance(underlying(member.type), MapType):
        loop = f"for key in {_keys(tests.value, member)} - {_keys(tests.old, member)}:"
        return Rejection(test, "item_added", (f"{tests.path}.key(key)",), _in_order(loop))
    loop = f"for index, _ in unpaired({tests.value}, {tests.old}, lambda item: {tests.key('item')}):"
    return Rejection(test, "item_added", (f"{tests.path}.index(index)",), loop)


def _removed(member: Field, tests: FieldTests, test: str) -> Rejection:
    if isinstance(underlying(member.type), MapType):
        loop = f"for key in {_keys(tests.old, member)} - {_keys(tests.value, member)}:"
        return Rejection(test, "item_removed", (f"{tests.path}.key(key)",), _in_order(loop))
    loop = f"for _ in unpaired({tests.old}, {tests.value}, lambda item: {tests.key('item')}):"
    return Rejection(test, "item_removed", (tests.path,), loop)


def _keys(value: str, member: Field) -> str:
    return f"({value} or {{}}).keys()" if member.can_be_none else f"{value}.keys()"


def _in_order(loop: str) -> str:
    start, _, names = loop.removesuffix(":").partition(" in ")
    return f"{start} in sorted({names}):"


def pairs_items(member: Field) -> bool:
    """Return whether constraints forbid adding or removing elements, and elements can be identified."""
    cases = (case.constraints for case in (*member.constraints.if_enabled, *member.constraints.if_disabled))
    words = {word.value for each in (member.constraints, *cases) for word in each.update}
    return identity_of(member) is not None and not words.isdisjoint({"noAddItem", "noRemoveItem"})
