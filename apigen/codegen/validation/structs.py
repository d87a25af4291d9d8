"""The function that validates a struct: `validate_frobber(obj, old, path, options, errors)`."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.codegen.hand_written import hand_written_name
from apigen.codegen.python.conditions import Scope, if_set, if_unset, is_set
from apigen.codegen.python.source_text import all_of, literal
from apigen.codegen.validation.checks import Check, Checks, Choice, Each, Report, Variable, guarded
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
from apigen.runtime.errors import with_article


def _union(union: Union, struct: Struct, scope: Scope, writer: ValueWriter) -> dict[str, object]:
    """Return the template's values for the check of one union; an update validates it only if it sets or clears a member
    or changes the discriminator.
    """
    members = [(struct.field(m.json_name), m) for m in union.members]
    fields = [(f, m.value) for f, m in members if f is not None]
    now, before = (_members(root, [f for f, _ in fields], struct, scope, writer) for root in ("obj", "old"))
    values: dict[str, object] = {"now": now, "before": before, "optional": union.optional}
    discriminator = struct.field(union.discriminator) if union.discriminator else None
    if discriminator is None:
        return {**values, "function": writer.runtime("union_errors"), "discriminator": ""}
    shown_name = literal(writer.names.shown(struct, discriminator))
    by_member = ", ".join(f"{literal(writer.names.shown(struct, f))}: {literal(value or '')}" for f, value in fields)
    return {
        **values,
        "function": writer.runtime("discriminated_union_errors"),
        "discriminator": discriminator.py_name,
        "shown_name": shown_name,
        "by_member": f"{{{by_member}}}",
    }


def _members(root: str, fields: list[Field], struct: Struct, scope: Scope, writer: ValueWriter) -> str:
    parts = []
    for member in fields:
        test = is_set(member.type, member.can_be_none, scope)(f"{root}.{member.py_name}")
        parts.append(f"{literal(writer.names.shown(struct, member))}: {test}")
    return f"{{{', '.join(parts)}}}"


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
    """The function of one struct. `status_later`: the status of a new object is empty, and not validated."""

    def __init__(self, struct: Struct, writer: ValueWriter, *, status_later: bool, root: Root = ROOT) -> None:
        self._struct = struct
        self._writer = writer
        self._status_later = status_later
        self._root = root
        self._scope = writer.scope(struct)

    def function(self) -> dict[str, object]:
        """Return the template's values for the function."""
        writer, struct = self._writer, self._struct
        writer.imports.uses("FieldError", "FieldPath", "ValidationOptions", "semantic_equal")
        found = writer.plan.hand_written(struct.id)
        return {
            "name": struct.snake_name,
            "type": writer.imports.type_name(struct.id),
            "title": with_article(struct.id.name),
            "unions": [_union(union, struct, self._scope, writer) for union in struct.unions],
            "checks": tuple(check for member in struct.fields for check in self._field(member)),
            "hand_written": "" if found is None else hand_written_name(writer.imports, found),
        }

    def _field(self, member: Field) -> Iterator[Check]:
        spot = Spot(self._now(member), self._path(member), member.type, member.py_name)
        if is_rejecting(member.constraints):
            yield from self._rejecting(member, spot)
        elif is_immutable(member.constraints):
            yield self._immutable(member, spot)
        elif self._status_later and member.json_name == "status":
            checks = self._checks(member, spot, self._before(member))
            yield from self._presence(member, spot, checks, f"{self._root.old} is not None")
        elif self._only_descends(member):
            yield from self._presence(member, spot, self._checks(member, spot), "")
        else:
            yield from self._presence(member, spot, self._checks(member, spot), self._changed(member))
        yield from self._dependencies(member)
        for modes in member.constraints.if_mode:
            yield from self._modes(member, spot, modes)
        if member.constraints.subfields:
            yield from self._subfields(member, spot)

    def _rejecting(self, member: Field, spot: Spot) -> Checks:
        """Return the checks that reject the field as a whole; its value is validated only if none of them fails."""
        checks = self._checks(member, spot)
        rejections = tuple(self._rejections(member, spot))
        required = must_be_set(member, self._writer.plan.backend_input.types)
        if required:
            unset = self._unset_test(member, spot)
            rejections = (self._writer.report("required", spot.path, test=unset), *rejections)
        if required or checks:
            is_set_test = self._set_test(member, spot) if not required else ""
            valid = guarded(["len(errors) == rejected_from", is_set_test], checks)
            rejections = (Variable("rejected_from", "len(errors)"), *rejections, *valid)
        later = self._status_later and member.json_name == "status"
        return guarded([f"{self._root.old} is not None" if later else self._changed(member)], rejections)

    def _modes(self, member: Field, spot: Spot, modes: ModeConstraints) -> Checks:
        """Return the constraints of each mode, which the field's discriminator selects; in other modes the field is
        forbidden.
        """
        chooser = self._writer.names.field_named(self._struct, modes.discriminator.value)
        if chooser is None:
            return ()
        branches = [
            (self._is_mode(chooser, mode.name.value), self._mode(_only(member, mode.constraints), spot))
            for mode in modes.modes
        ]
        branches.append((self._is_set(self._root.value, member), (self._writer.report("forbidden", spot.path),)))
        chosen = f"{self._now(chooser)} != {self._before(chooser)}"
        changed = f"{self._root.old} is None or {chosen} or {self._differs(member)}"
        return guarded([changed], (Choice(tuple(branches)),))

    def _is_mode(self, chooser: Field, mode: str) -> str:
        behind = underlying(chooser.type)
        if isinstance(behind, ScalarType) and behind.scalar is Scalar.BOOL:
            return self._now(chooser) if mode == "true" else f"not {self._now(chooser)}"
        return f"{self._now(chooser)} == {literal(mode)}"

    def _mode(self, member: Field, spot: Spot) -> Checks:
        limits = self._limits(member, spot)
        tests = [self._set_test(member, spot)] if limits else []
        return (*self._rejections(member, spot), *guarded(tests, limits))

    def _rejections(self, member: Field, spot: Spot) -> Iterator[Check]:
        """Yield everything that rejects a field that has changed."""
        yield from self._reject(member, spot, member.constraints, "")
        for gated, test in ((member.constraints.if_enabled, ""), (member.constraints.if_disabled, "not ")):
            for case in gated:
                yield from self._reject(member, spot, case.constraints, f"{test}{_enabled(case.name.value)}")

    def _reject(self, member: Field, spot: Spot, constraints: Constraints, gate: str) -> Iterator[Check]:
        """Yield what constraints reject if the test `gate` is true: a set or unset field, or its change by an update."""
        value, old = self._root.value, self._root.old
        always = isinstance(underlying(member.type), StructType) and member.presence is Presence.PLAIN
        is_set_now, was_set = ("" if always else self._is_set(root, member) for root in (value, old))
        is_unset, was_unset = (self._is_set(root, member, False) for root in (value, old))
        updating = f"{old} is not None"

        def reject(error: str, *tests: str) -> Report:
            return self._writer.report(error, spot.path, test=all_of([gate, *tests]))

        if constraints.required is not None and constraints.required.value:
            yield reject("required", is_unset)
        if constraints.forbidden is not None and constraints.forbidden.value:
            yield reject("forbidden", is_set_now)
        if is_immutable(constraints):
            yield reject("immutable", updating)
        for word in constraints.update:
            match word.value:
                case "noSet":
                    yield reject("set_later", updating, was_unset, is_set_now)
                case "noUnset":
                    yield reject("cleared", updating, was_set, is_unset)
                case "noModify":
                    yield reject("modified", updating, was_set, is_set_now)
                case "noAddItem" | "noRemoveItem":
                    items = self._reject_items(member, spot, is_added=word.value == "noAddItem")
                    yield from guarded([gate, updating], (items,))

    def _reject_items(self, member: Field, spot: Spot, *, is_added: bool) -> Each:
        """Return the error for each item of the new value that the old one does not have, or the other way round."""
        these, others = (spot.value, self._before(member)) if is_added else (self._before(member), spot.value)
        if isinstance(underlying(member.type), MapType):
            variables, items = "key", f"sorted({_keys(these, member)} - {_keys(others, member)})"
            place = f"{spot.path}.key(key)"
        else:
            lists = ListWriter(self._struct, member, self._writer, has_old=True, root=self._root)
            items = f"{self._writer.runtime('unpaired')}({these}, {others}, lambda item: {lists.identity('item')})"
            variables, place = "_", spot.path  # an item that is gone has no index
            if is_added:
                variables, place = "index, _", f"{spot.path}.index(index)"
        return Each(variables, items, (self._writer.report("item_added" if is_added else "item_removed", place),))

    def _subfields(self, member: Field, spot: Spot) -> Checks:
        """Return the constraints that the field declares on fields of its struct."""
        behind = underlying(member.type)
        assert isinstance(behind, StructType)
        struct = self._writer.plan.places.struct(behind.id)
        old = f"old_{member.py_name}"
        root = Root(spot.value, old, spot.path, is_part=True)
        part = StructWriter(struct, self._writer, status_later=False, root=root)
        checks: list[Check] = [Variable(old, f"{self._before(member)} if {self._root.old} is not None else None")]
        for each in member.constraints.subfields:
            field = self._writer.names.field_named(struct, each.name.value)
            if field is not None:
                checks += part._field(_only(field, each.constraints))
        return guarded([f"{spot.value} is not None"] if member.can_be_none else [], tuple(checks))

    def _now(self, member: Field) -> str:
        return f"{self._root.value}.{member.py_name}"

    def _before(self, member: Field) -> str:
        return f"{self._root.old}.{member.py_name}"

    def _changed(self, member: Field) -> str:
        return f"{self._root.old} is None or {self._differs(member)}"

    def _immutable(self, member: Field, spot: Spot) -> Check:
        changed = self._differs(member)
        checks = tuple(self._presence(member, spot, self._checks(member, spot, "None"), ""))
        if checks:
            rejected = (self._writer.report("immutable", spot.path),)
            return Choice(((f"{self._root.old} is None", checks), (changed, rejected)))
        return self._writer.report("immutable", spot.path, test=f"{self._root.old} is not None and {changed}")

    def _presence(self, member: Field, spot: Spot, checks: Checks, condition: str) -> Checks:
        """Return the checks of a value that is set, if there are any and `condition` is true, and the error for a
        required one.
        """
        if must_be_set(member, self._writer.plan.backend_input.types):
            unset = self._unset_test(member, spot)
            return guarded([condition], (self._writer.report_or("required", spot.path, unset, checks),))
        if not checks:
            return ()
        tests = [t for t in (self._set_test(member, spot), condition) if t]
        return guarded((f"({t})" if len(tests) > 1 and " or " in t else t for t in tests), checks)

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

    def _checks(self, member: Field, spot: Spot, old: str = "") -> Checks:
        """The checks of a value that is there; `old` is the old value of a struct, if that is known to be there."""
        if self._root.is_part:
            return self._limits(member, spot)
        checks = [*self._writer.value(spot, (member.constraints,)), *self._own_limits(member, spot)]
        match underlying(member.type):
            case StructType(id_):
                old = old or f"{self._before(member)} if {self._root.old} is not None else None"
                checks += self._writer.struct(id_, spot.value, old, spot.path)
            case ListType() | MapType():
                lists = ListWriter(self._struct, member, self._writer, has_old=old != "None", root=self._root)
                checks += lists.elements(spot)
        return tuple(checks)

    def _limits(self, member: Field, spot: Spot) -> Checks:
        """Return the checks for a field's own constraints, without those of its type."""
        return (*self._writer.limits(spot, member.constraints), *self._own_limits(member, spot))

    def _own_limits(self, member: Field, spot: Spot) -> Iterator[Check]:
        """Yield the limits that only a field has: by its old value, and by gates."""
        yield from self._monotonic(member, spot, member.constraints)
        for gated, negation in ((member.constraints.if_enabled, ""), (member.constraints.if_disabled, "not ")):
            for case in gated:
                limits = (
                    *self._writer.limits(spot, case.constraints),
                    *self._monotonic(member, spot, case.constraints),
                )
                yield from guarded([f"{negation}{_enabled(case.name.value)}"], limits)

    def _monotonic(self, member: Field, spot: Spot, constraints: Constraints) -> Iterator[Report]:
        if constraints.monotonic is not None and constraints.monotonic.value:
            before = self._before(member)
            and_is_set = f" and {before} is not None" if member.can_be_none else ""
            test = f"{self._root.old} is not None{and_is_set} and {spot.value} < {before}"
            yield self._writer.report("decreased", spot.path, spot.value, before, test=test)

    def _only_descends(self, member: Field) -> bool:
        """Return whether the checks are only a call of another struct's function, which compares with the old value
        itself.
        """
        types = self._writer.plan.backend_input.types
        own = not member.constraints.is_empty() or must_be_set(member, types)
        is_struct = isinstance(underlying(member.type), StructType)
        return is_struct and not own and not any(True for _ in alias_constraints(member.type, types))

    def _dependencies(self, member: Field) -> Iterator[Report]:
        """Yield the checks that other fields are set (or unset) if `member` is set; each is skipped in updates that
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
                yield self._writer.report(error, self._path(other), detail, test=test)

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
