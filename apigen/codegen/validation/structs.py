"""Writes the function that validates a struct: `validate_frobber(obj, old, path, options, errors)`."""

from __future__ import annotations

from apigen.codegen.hand_written import hand_written_name
from apigen.codegen.python.conditions import Scope, if_set, if_unset, is_set
from apigen.codegen.python.source_text import Code, function, if_all, literal
from apigen.codegen.strategies.values import a
from apigen.codegen.validation.plan import alias_constraints, is_immutable, is_rejecting
from apigen.codegen.validation.values import ROOT, ListWriter, Root, Spot, ValueWriter
from apigen.dataclass import replace
from apigen.ir.model import (
    EnumType,
    Field,
    ListType,
    MapType,
    Presence,
    Scalar,
    ScalarType,
    Struct,
    StructType,
    Union,
    is_container,
    is_text,
    underlying,
)
from apigen.ir.requiredness import must_be_set
from apigen.language.model import Constraints, MergeSpec, ModeConstraints


def union_checks(code: Code, union: Union, struct: Struct, scope: Scope, writer: ValueWriter) -> None:
    """Write the check of one union; an update validates it only if it sets or clears a member or changes the
    discriminator.
    """
    members = [(struct.field(m.json_name), m) for m in union.members]
    fields = [(f, m.value) for f, m in members if f is not None]
    now = _members("obj", [f for f, _ in fields], struct, scope, writer)
    before = _members("old", [f for f, _ in fields], struct, scope, writer)
    optional = ", optional=True" if union.optional else ""
    discriminator = struct.field(union.discriminator) if union.discriminator else None
    if discriminator is None:
        function = writer.runtime("union_errors")
        code.line(f"now = {now}")
        code.line(f"before = {before} if old is not None else None")
        code.line(f"errors.extend({function}(path, now, before{optional}))")
        return
    shown_name = literal(writer.names.shown(struct, discriminator))
    values = ", ".join(f"{literal(writer.names.shown(struct, f))}: {literal(value or '')}" for f, value in fields)
    function = writer.runtime("discriminated_union_errors")
    attribute = discriminator.py_name
    code.line(f"chosen = (obj.{attribute}, {now})")
    code.line(f"chosen_before = (old.{attribute}, {before}) if old is not None else None")
    code.line(f"errors.extend({function}(path, {shown_name}, {{{values}}}, chosen, chosen_before{optional}))")


def _members(root: str, fields: list[Field], struct: Struct, scope: Scope, writer: ValueWriter) -> str:
    parts = []
    for member in fields:
        test = is_set(member.type, member.can_be_none, scope)(f"{root}.{member.py_name}")
        parts.append(f"{literal(writer.names.shown(struct, member))}: {test}")
    return f"{{{', '.join(parts)}}}"


def signature(name: str, subject: str, old: str | None, writer: ValueWriter) -> str:
    """Return the header of a function that validates a value, together with its old value unless `old` is None."""
    imports = writer.imports
    arguments = [f"obj: {subject}", f"old: {old}"] if old else [f"value: {subject}"]
    arguments.append(f"path: {imports.runtime('FieldPath')}")
    arguments.append(f"options: {writer.runtime('ValidationOptions')}")
    arguments.append(f"errors: list[{writer.runtime('FieldError')}]")
    return f"def {name}({', '.join(arguments)}) -> None:"


def _only(member: Field, constraints: Constraints) -> Field:
    """Return a field with these constraints only: without those of its type, and not required."""
    none = Constraints()
    return replace(
        member,
        required=False,
        constraints=constraints,
        item_constraints=none,
        key_constraints=none,
        value_constraints=none,
        merge=MergeSpec(),
    )


def _enabled(gate: str) -> str:
    """Return the expression that is true if a gate is enabled."""
    return f"options.features.enabled({literal(gate)})"


def _keys(value: str, member: Field) -> str:
    return f"({value} or {{}}).keys()" if member.can_be_none else f"{value}.keys()"


class StructWriter:
    """Writes the function of one struct. `status_later`: the status of a new object is empty, and not validated."""

    def __init__(self, struct: Struct, writer: ValueWriter, *, status_later: bool, root: Root = ROOT) -> None:
        self._struct = struct
        self._writer = writer
        self._status_later = status_later
        self._root = root
        self._scope = writer.scope(struct)

    def function(self) -> Code:
        """The whole function."""
        code = Code()
        with code.block(f"if old is not None and {self._equal('obj', 'old')}:"):
            code.line("return")
        for union in self._struct.unions:
            union_checks(code, union, self._struct, self._scope, self._writer)
        for member in self._struct.fields:
            self._field(code, member)
        found = self._writer.plan.hand_written(self._struct.id)
        if found is not None:
            code.line(f"errors.extend({hand_written_name(self._writer.imports, found)}(obj, path, options))")
        type_ = self._writer.imports.type_name(self._struct.id)
        header = signature(f"validate_{self._struct.snake_name}", type_, f"{type_} | None", self._writer)
        return function(
            header, f"Validate {a(self._struct.id.name)}; values unchanged from `old` are not validated.", code
        )

    def _field(self, code: Code, member: Field) -> None:
        spot = Spot(self._now(member), self._path(member), member.type, member.py_name)
        if is_rejecting(member.constraints):
            self._rejecting(code, member, spot)
        elif is_immutable(member.constraints):
            self._immutable(code, member, spot)
        elif self._status_later and member.json_name == "status":
            checks = self._checks(member, spot, self._before(member))
            self._presence(code, member, spot, checks, f"{self._root.old} is not None")
        elif self._only_descends(member):
            self._presence(code, member, spot, self._checks(member, spot), "")
        else:
            self._presence(code, member, spot, self._checks(member, spot), self._changed(member))
        self._dependencies(code, member)
        for modes in member.constraints.if_mode:
            self._modes(code, member, spot, modes)
        if member.constraints.subfields:
            self._subfields(code, member, spot)

    def _rejecting(self, code: Code, member: Field, spot: Spot) -> None:
        """Write the checks that reject the field as a whole; its value is validated only if none of them fails."""
        checks = self._checks(member, spot)
        required = must_be_set(member, self._writer.plan.compilation.types)
        later = self._status_later and member.json_name == "status"
        with code.block(f"if {f'{self._root.old} is not None' if later else self._changed(member)}:"):
            if checks.is_empty and not required:
                self._rejections(code, member, spot)
                return
            code.line("rejected_from = len(errors)")
            if required:
                self._writer.report_if(code, self._unset_test(member, spot), "required", spot.path)
            self._rejections(code, member, spot)
            if not checks.is_empty:
                is_set_test = "" if required else self._set_test(member, spot)
                code.nest(if_all(["len(errors) == rejected_from", is_set_test]), checks)

    def _modes(self, code: Code, member: Field, spot: Spot, modes: ModeConstraints) -> None:
        """Write the constraints of each mode, which the field's discriminator selects; in other modes the field is
        forbidden.
        """
        chooser = self._writer.names.field_named(self._struct, modes.discriminator.value)
        if chooser is None:
            return
        chosen = f"{self._now(chooser)} != {self._before(chooser)}"
        with code.block(f"if {self._root.old} is None or {chosen} or {self._differs(member)}:"):
            for index, mode in enumerate(modes.modes):
                test = self._is_mode(chooser, mode.name.value)
                with code.block(f"{'elif' if index else 'if'} {test}:"):
                    self._mode(code, _only(member, mode.constraints), spot)
            with code.block(f"{'elif' if modes.modes else 'if'} {self._is_set(self._root.value, member)}:"):
                self._writer.report(code, "forbidden", spot.path)

    def _is_mode(self, chooser: Field, mode: str) -> str:
        behind = underlying(chooser.type)
        if isinstance(behind, ScalarType) and behind.scalar is Scalar.BOOL:
            return self._now(chooser) if mode == "true" else f"not {self._now(chooser)}"
        return f"{self._now(chooser)} == {literal(mode)}"

    def _mode(self, code: Code, member: Field, spot: Spot) -> None:
        block, checks = Code(), self._limits(member, spot)
        self._rejections(block, member, spot)
        if not checks.is_empty:
            block.nest(if_all([self._set_test(member, spot)]), checks)
        if block.is_empty:
            block.line("pass")
        code.extend(block)

    def _rejections(self, code: Code, member: Field, spot: Spot) -> None:
        """Report everything that rejects a field that has changed."""
        self._reject(code, member, spot, member.constraints, "")
        for gated, test in ((member.constraints.if_enabled, ""), (member.constraints.if_disabled, "not ")):
            for case in gated:
                self._reject(code, member, spot, case.constraints, f"{test}{_enabled(case.name.value)}")

    def _reject(self, code: Code, member: Field, spot: Spot, constraints: Constraints, gate: str) -> None:
        """Report what constraints reject if the test `gate` is true: a set or unset field, or its change by an update."""
        value, old = self._root.value, self._root.old
        always = isinstance(underlying(member.type), StructType) and member.presence is Presence.PLAIN
        is_set_now, was_set = ("" if always else self._is_set(root, member) for root in (value, old))
        is_unset, was_unset = (self._is_set(root, member, False) for root in (value, old))
        updating = f"{old} is not None"

        def reject(error: str, *tests: str) -> None:
            with code.when([gate, *tests]):
                self._writer.report(code, error, spot.path)

        if constraints.required is not None and constraints.required.value:
            reject("required", is_unset)
        if constraints.forbidden is not None and constraints.forbidden.value:
            reject("forbidden", is_set_now)
        if is_immutable(constraints):
            reject("immutable", updating)
        for word in constraints.update:
            match word.value:
                case "noSet":
                    reject("set_later", updating, was_unset, is_set_now)
                case "noUnset":
                    reject("cleared", updating, was_set, is_unset)
                case "noModify":
                    reject("modified", updating, was_set, is_set_now)
                case "noAddItem" | "noRemoveItem":
                    with code.when([gate, updating]):
                        self._reject_items(code, member, spot, is_added=word.value == "noAddItem")

    def _reject_items(self, code: Code, member: Field, spot: Spot, *, is_added: bool) -> None:
        """Report each item of the new value that the old one does not have, or the other way round."""
        these, others = (spot.value, self._before(member)) if is_added else (self._before(member), spot.value)
        if isinstance(underlying(member.type), MapType):
            loop = f"for key in sorted({_keys(these, member)} - {_keys(others, member)}):"
            place = f"{spot.path}.key(key)"
        else:
            lists = ListWriter(self._struct, member, self._writer, has_old=True, root=self._root)
            unpaired = f"{self._writer.runtime('unpaired')}({these}, {others}, lambda item: {lists.identity('item')})"
            loop, place = f"for _ in {unpaired}:", spot.path  # an item that is gone has no index
            if is_added:
                loop, place = f"for index, _ in {unpaired}:", f"{spot.path}.index(index)"
        with code.block(loop):
            self._writer.report(code, "item_added" if is_added else "item_removed", place)

    def _subfields(self, code: Code, member: Field, spot: Spot) -> None:
        """Write the constraints that the field declares on fields of its struct."""
        behind = underlying(member.type)
        assert isinstance(behind, StructType)
        struct = self._writer.plan.places.struct(behind.id)
        old = f"old_{member.py_name}"
        part = StructWriter(
            struct, self._writer, status_later=False, root=Root(spot.value, old, spot.path, is_part=True)
        )
        with code.when([f"{spot.value} is not None"] if member.can_be_none else []):
            code.line(f"{old} = {self._before(member)} if {self._root.old} is not None else None")
            for each in member.constraints.subfields:
                field = self._writer.names.field_named(struct, each.name.value)
                if field is not None:
                    part._field(code, _only(field, each.constraints))

    def _now(self, member: Field) -> str:
        return f"{self._root.value}.{member.py_name}"

    def _before(self, member: Field) -> str:
        return f"{self._root.old}.{member.py_name}"

    def _changed(self, member: Field) -> str:
        return f"{self._root.old} is None or {self._differs(member)}"

    def _immutable(self, code: Code, member: Field, spot: Spot) -> None:
        changed = self._differs(member)
        block = Code()
        self._presence(block, member, spot, self._checks(member, spot, "None"), "")
        if block.is_empty:
            self._writer.report_if(code, f"{self._root.old} is not None and {changed}", "immutable", spot.path)
            return
        with code.block(f"if {self._root.old} is None:"):
            code.extend(block)
        with code.block(f"elif {changed}:"):
            self._writer.report(code, "immutable", spot.path)

    def _presence(self, code: Code, member: Field, spot: Spot, checks: Code, condition: str) -> None:
        """Write the checks of a value that is set, if there are any and `condition` is true, and the error for a
        required one.
        """
        if must_be_set(member, self._writer.plan.compilation.types):
            with code.when([condition]):
                self._writer.report_if(code, self._unset_test(member, spot), "required", spot.path)
                code.nest("else:", checks)
        elif not checks.is_empty:
            tests = [t for t in (self._set_test(member, spot), condition) if t]
            code.nest(if_all(f"({t})" if len(tests) > 1 and " or " in t else t for t in tests), checks)

    def _set_test(self, member: Field, spot: Spot) -> str:
        """Return the test that an optional value is set; empty if it always is."""
        if is_container(member.type):
            return spot.value if member.can_be_none or member.presence is Presence.OMIT_EMPTY else ""
        if member.can_be_none:
            return f"{spot.value} is not None"
        if member.presence is Presence.OMIT_EMPTY or (is_text(member.type) and not member.required):
            return is_set(member.type, False, self._scope)(spot.value)
        return ""

    def _unset_test(self, member: Field, spot: Spot) -> str:
        if member.presence is Presence.OMIT_EMPTY and is_container(member.type):
            return f"not {spot.value}"
        if member.can_be_none:
            return f"{spot.value} is None"
        return if_unset(spot.value, member.type, False, self._scope)

    def _checks(self, member: Field, spot: Spot, old: str = "") -> Code:
        """The checks of a value that is there; `old` is the old value of a struct, if that is known to be there."""
        code = Code()
        if self._root.is_part:
            return self._limits(member, spot)
        self._writer.value(code, spot, member.constraints)
        self._own_limits(code, member, spot)
        match underlying(member.type):
            case StructType(id_) if id_ in self._writer.plan.validated:
                old = old or f"{self._before(member)} if {self._root.old} is not None else None"
                code.line(self._writer.struct_call(id_, spot.value, old, spot.path))
            case ListType() | MapType():
                lists = ListWriter(self._struct, member, self._writer, has_old=old != "None", root=self._root)
                lists.elements(code, spot)
        return code

    def _limits(self, member: Field, spot: Spot) -> Code:
        """Return the checks for a field's own constraints, without those of its type."""
        code = Code()
        self._writer.limits(code, spot, member.constraints)
        self._own_limits(code, member, spot)
        return code

    def _own_limits(self, code: Code, member: Field, spot: Spot) -> None:
        """The limits that only a field has: by its old value, and by gates."""
        self._monotonic(code, member, spot, member.constraints)
        for gated, negation in ((member.constraints.if_enabled, ""), (member.constraints.if_disabled, "not ")):
            for case in gated:
                block = Code()
                self._writer.limits(block, spot, case.constraints)
                self._monotonic(block, member, spot, case.constraints)
                code.nest(f"if {negation}{_enabled(case.name.value)}:", block)

    def _monotonic(self, code: Code, member: Field, spot: Spot, constraints: Constraints) -> None:
        if constraints.monotonic is None or not constraints.monotonic.value:
            return
        before = self._before(member)
        and_is_set = f" and {before} is not None" if member.can_be_none else ""
        test = f"{self._root.old} is not None{and_is_set} and {spot.value} < {before}"
        self._writer.report_if(code, test, "decreased", spot.path, spot.value, before)

    def _only_descends(self, member: Field) -> bool:
        """Return whether the checks are only a call of another struct's function, which compares with the old value
        itself.
        """
        types = self._writer.plan.compilation.types
        own = not member.constraints.is_empty() or must_be_set(member, types)
        is_struct = isinstance(underlying(member.type), StructType)
        return is_struct and not own and not any(True for _ in alias_constraints(member.type, types))

    def _dependencies(self, code: Code, member: Field) -> None:
        """Write the checks that other fields are set (or unset) if `member` is set; each is skipped in updates that
        change neither.
        """
        shown_name = self._writer.names.shown(self._struct, member)
        value, old = self._root.value, self._root.old
        for names, is_required in ((member.constraints.requires, True), (member.constraints.forbids, False)):
            for name in names:
                other = self._writer.names.field_named(self._struct, name.value)
                if other is None:
                    continue
                broken = f"{self._is_set(value, member)} and {self._is_set(value, other, not is_required)}"
                changed = f"{self._is_set(old, member, False)} or {self._is_set(old, other, is_required)}"
                test = f"{broken} and ({old} is None or {changed})"
                error, verb = ("required", "must") if is_required else ("forbidden", "may not")
                detail = literal(f"{verb} be set when {shown_name} is set")
                self._writer.report_if(code, test, error, self._path(other), detail)

    def _is_set(self, root: str, member: Field, is_set_wanted: bool = True) -> str:
        test = if_set if is_set_wanted else if_unset
        return test(f"{root}.{member.py_name}", member.type, member.can_be_none, self._scope)

    def _path(self, member: Field) -> str:
        return f"{self._root.path}.child({literal(self._writer.names.shown(self._struct, member))})"

    def _differs(self, member: Field) -> str:
        value, old = self._now(member), self._before(member)
        if isinstance(underlying(member.type), ScalarType | EnumType):
            return f"{value} != {old}"
        return f"not {self._equal(value, old)}"

    def _equal(self, value: str, old: str) -> str:
        return f"{self._writer.imports.runtime('semantic_equal')}({value}, {old})"
