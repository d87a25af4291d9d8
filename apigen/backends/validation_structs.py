"""Writes the function that judges a struct: `validate_frobber(obj, old, path, options, errors)`."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from apigen.backends.hand_written import hand_written_name
from apigen.backends.strategies_values import a
from apigen.backends.validation_lists import ListWriter
from apigen.backends.validation_plan import alias_constraints, must_be_set
from apigen.backends.validation_unions import union_checks
from apigen.backends.validation_values import Spot, ValueWriter
from apigen.ir.model import Field, Presence, Struct
from apigen.ir.types import (
    EnumType,
    ListType,
    MapType,
    ScalarType,
    StructType,
    Type,
    is_container,
    is_text,
    underlying,
)
from apigen.python.code import Code, comment, literal
from apigen.python.conditions import is_set
from apigen.spec.model import Constraints


def signature(name: str, subject: str, old: str | None, writer: ValueWriter) -> str:
    """The header of a function that judges a value and has its old one at hand, or (`old` is None) has not."""
    imports = writer.imports
    arguments = [f"obj: {subject}", f"old: {old}"] if old else [f"value: {subject}"]
    arguments.append(f"path: {imports.runtime('FieldPath', 'field_paths')}")
    arguments.append(f"options: {writer.runtime('ValidationOptions')}")
    arguments.append(f"errors: {imports.builtin('list')}[{writer.runtime('FieldError')}]")
    return f"def {name}({', '.join(arguments)}) -> None:"


def negated(test: str, value: str) -> str:
    """The opposite of a test whether a value is set."""
    for yes, no in ((" is not None", " is None"), (" != ", " == ")):
        if test.startswith(value + yes):
            return test.replace(yes, no, 1)
    return f"not {value}"


def _block(code: Code, condition: str | None) -> AbstractContextManager[None]:
    return code.block(f"if {condition}:") if condition else nullcontext()


class StructWriter:
    """Writes the function of one struct. `status_later`: the status of a new object is empty, and not judged."""

    def __init__(self, struct: Struct, writer: ValueWriter, *, status_later: bool) -> None:
        self._struct = struct
        self._writer = writer
        self._status_later = status_later
        self._scope = writer.scope(struct)

    def function(self) -> Code:
        """The whole function."""
        type_ = self._writer.imports.type_name(self._struct.id)
        code = Code()
        name = f"validate_{self._struct.snake_name}"
        with code.block(signature(name, type_, f"{type_} | None", self._writer)):
            code.docstring(f"Judge {a(self._struct.id.name)}; what is as it was in `old` is not judged again.")
            with code.block(f"if old is not None and {self._equal('obj', 'old')}:"):
                code.line("return")
            for union in self._struct.unions:
                union_checks(code, union, self._struct, self._scope, self._writer)
            for member in self._struct.fields:
                self._field(code, member)
            self._left_to_cel(code, "", self._struct.constraints)
            self._by_hand(code)
        return code

    def _left_to_cel(self, code: Code, name: str, *constraints: Constraints) -> None:
        """Say which rules are not judged here."""
        for each in constraints:
            for rule in each.rules:
                code.line(comment(f"{name}{': ' if name else ''}left to CEL: {rule.rule.value}"))

    def _by_hand(self, code: Code) -> None:
        found = self._writer.plan.hand_written(self._struct.id)
        if found is not None:
            code.line(f"errors.extend({hand_written_name(self._writer.imports, found)}(obj, path, options))")

    def _field(self, code: Code, member: Field) -> None:
        spot = Spot(f"obj.{member.py_name}", self._path(member), member.type, member.py_name)
        given = (member.constraints, member.item_constraints, member.key_constraints, member.value_constraints)
        named = alias_constraints(member.type, self._writer.plan.compilation.types)
        self._left_to_cel(code, member.py_name, *named, *given)
        if member.constraints.immutable is not None and member.constraints.immutable.value:
            self._immutable(code, member, spot)
        elif self._status_later and member.json_name == "status":
            checks = self._checks(member, spot, f"old.{member.py_name}")
            self._presence(code, member, spot, checks, "old is not None")
        elif self._only_descends(member):
            self._presence(code, member, spot, self._checks(member, spot), None)
        else:
            self._presence(code, member, spot, self._checks(member, spot), f"old is None or {self._differs(member)}")
        self._dependencies(code, member)

    def _immutable(self, code: Code, member: Field, spot: Spot) -> None:
        changed = self._differs(member)
        block = Code()
        self._presence(block, member, spot, self._checks(member, spot, "None"), None)
        if block.is_empty:
            with code.block(f"if old is not None and {changed}:"):
                self._writer.report(code, "immutable", spot.path, spot.value)
            return
        with code.block("if old is None:"):
            code.extend(block)
        with code.block(f"elif {changed}:"):
            self._writer.report(code, "immutable", spot.path, spot.value)

    def _presence(self, code: Code, member: Field, spot: Spot, checks: Code, condition: str | None) -> None:
        """The checks, where there is something to check and `condition` holds; an error if there has to be something."""
        if must_be_set(member, self._writer.plan.compilation.types):
            with _block(code, condition):
                with code.block(f"if {self._unset_test(member, spot)}:"):
                    self._writer.report(code, "required", spot.path)
                if not checks.is_empty:
                    with code.block("else:"):
                        code.extend(checks)
        elif not checks.is_empty:
            tests = [t for t in (self._set_test(member, spot), condition) if t]
            joined = (f"({t})" if len(tests) > 1 and " or " in t else t for t in tests)
            with _block(code, " and ".join(joined)):
                code.extend(checks)

    def _set_test(self, member: Field, spot: Spot) -> str | None:
        """What says that an optional value is there; None where it always is."""
        if is_container(member.type):
            return spot.value if member.can_be_none or member.presence is Presence.OMIT_EMPTY else None
        if member.can_be_none:
            return f"{spot.value} is not None"
        if member.presence is Presence.OMIT_EMPTY or (is_text(member.type) and not member.required):
            return is_set(member.type, False, self._scope)(spot.value)
        return None

    def _unset_test(self, member: Field, spot: Spot) -> str:
        if member.presence is Presence.OMIT_EMPTY and is_container(member.type):
            return f"not {spot.value}"
        if member.can_be_none:
            return f"{spot.value} is None"
        return negated(is_set(member.type, False, self._scope)(spot.value), spot.value)

    def _checks(self, member: Field, spot: Spot, old: str = "") -> Code:
        """The checks of a value that is there; `old` is the old value of a struct, if that is known to be there."""
        code = Code()
        self._writer.value(code, spot, member.constraints)
        match underlying(member.type):
            case StructType(id_) if id_ in self._writer.plan.judged:
                old = old or f"old.{member.py_name} if old is not None else None"
                code.line(self._writer.struct_call(id_, spot.value, old, spot.path))
            case ListType() | MapType():
                ListWriter(self._struct, member, self._writer, has_old=old != "None").elements(code, spot)
        return code

    def _only_descends(self, member: Field) -> bool:
        """Whether nothing but a call of another struct's function is written, which looks for a change itself."""
        own = not member.constraints.is_empty() or must_be_set(member, self._writer.plan.compilation.types)
        return isinstance(underlying(member.type), StructType) and not own and not self._named(member.type)

    def _named(self, type_: Type) -> bool:
        return any(True for _ in alias_constraints(type_, self._writer.plan.compilation.types))

    def _dependencies(self, code: Code, member: Field) -> None:
        for names, wanted in ((member.constraints.requires, True), (member.constraints.forbids, False)):
            for name in names:
                other = self._struct.field(name.value)
                if other is not None:
                    self._dependency(code, member, other, wanted)

    def _dependency(self, code: Code, member: Field, other: Field, wanted: bool) -> None:
        """`other` has to be set (or unset) where `member` is. Not judged again while both are as they were."""
        shown = self._writer.names.shown(self._struct, member)
        broken = f"{self._is_set('obj', member)} and {self._is_set('obj', other, not wanted)}"
        changed = f"{self._is_set('old', member, False)} or {self._is_set('old', other, wanted)}"
        with code.block(f"if {broken} and (old is None or {changed}):"):
            if wanted:
                self._writer.report(code, "required", self._path(other), literal(f"must be set when {shown} is set"))
            else:
                self._writer.report(
                    code, "forbidden", self._path(other), literal(f"may not be set when {shown} is set")
                )

    def _is_set(self, root: str, member: Field, wanted: bool = True) -> str:
        value = f"{root}.{member.py_name}"
        test = is_set(member.type, member.can_be_none, self._scope)(value)
        return test if wanted else negated(test, value)

    def _path(self, member: Field) -> str:
        return f"path.child({literal(self._writer.names.shown(self._struct, member))})"

    def _differs(self, member: Field) -> str:
        value, old = f"obj.{member.py_name}", f"old.{member.py_name}"
        if isinstance(underlying(member.type), ScalarType | EnumType):
            return f"{value} != {old}"
        return f"not {self._equal(value, old)}"

    def _equal(self, value: str, old: str) -> str:
        return f"{self._writer.imports.runtime('semantic_equal', 'equality')}({value}, {old})"
