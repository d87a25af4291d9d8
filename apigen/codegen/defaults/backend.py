"""Defaulting functions: `default_frobber(obj, features)` for every struct of a version that has anything to default.

Order within a struct: its `defaults:`, its fields' `default:`, hand-written functions, then children, map values
too; as Kubernetes' defaulters, which see the object from the root down.
"""

from __future__ import annotations

from collections.abc import Iterator

from apigen.codegen.backend_input import BackendInput, versions
from apigen.codegen.containment import leading_to
from apigen.codegen.copying import Names, copied_value
from apigen.codegen.hand_written import hand_written_name
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.conditions import Scope, condition_expression, holds, if_unset, is_set
from apigen.codegen.python.source_text import HEADER, Imports, literal
from apigen.codegen.python.values import literal_expression, zero
from apigen.codegen.python.walking import Level, guards, levels_to, value_at
from apigen.codegen.rendering import render
from apigen.dataclass import dataclass, replace
from apigen.hub.selection import defaulted_values
from apigen.ir.hand_written import Role
from apigen.ir.literals import literal_value
from apigen.ir.model import (
    Api,
    EnumType,
    Field,
    ListType,
    MapType,
    ScalarType,
    Struct,
    StructType,
    Type,
    TypeId,
    is_text,
    struct_in,
    struct_of,
    underlying,
)
from apigen.ir.names import Module
from apigen.ir.places import (
    BoundPath,
    BoundStep,
    FieldStep,
    InlineStep,
    KeyStep,
    PrefixStep,
    steps_to_elements,
    type_after,
)
from apigen.language.model import DefaultCase, Located, Name, Path, PathDefault


@dataclass(frozen=True, slots=True)
class _Target:
    """The place of a default: an attribute, or the entry of the map at an attribute with the literal `key`."""

    place: str
    type: Type
    can_be_none: bool
    key: str = ""


@dataclass(frozen=True, slots=True)
class Default:
    """The first value of `cases` whose test is true, for a place below `levels`; an empty test is true."""

    levels: tuple[Level, ...]
    place: str
    cases: list[tuple[str, str]]

    @classmethod
    def of(cls, entry: PathDefault, block: Struct, scope: Scope) -> Default:
        """Return one default. `scope` is that of the block; conditions start at the holder of the place."""
        bound = scope.bind(entry.path)[1]
        above, last = _holder_steps(bound.steps)
        to_holder = [step for step in above if not isinstance(step, InlineStep | PrefixStep)]
        behind = underlying(type_after(to_holder[-1])) if to_holder else StructType(block.id)
        assert isinstance(behind, StructType)
        levels, root = levels_to(above, "obj", scope)
        here = replace(scope, holder=root, holder_struct=struct_of(behind.id, scope.types))
        target = _target(bound, last, root)
        test, cases = _cases(entry.cases, target, here)
        return cls((*levels, *guards(test)), target.place, cases)


def _holder_steps(steps: tuple[BoundStep, ...]) -> tuple[tuple[BoundStep, ...], tuple[BoundStep, ...]]:
    """Return the steps to the containing struct, and the remaining ones: a field, possibly with a key of its map."""
    at = max(i for i, step in enumerate(steps) if isinstance(step, FieldStep))
    while at > 0 and isinstance(steps[at - 1], InlineStep):
        at -= 1
    return steps[:at], steps[at:]


def _target(bound: BoundPath, last: tuple[BoundStep, ...], root: str) -> _Target:
    field = next(step.field for step in last if isinstance(step, FieldStep))
    place = f"{root}.{field.py_name}"
    end = last[-1]
    if isinstance(end, KeyStep):
        return _Target(place, bound.type, False, literal(end.key))
    return _Target(place, field.type, field.can_be_none)


def _cases(cases: tuple[DefaultCase, ...], target: _Target, scope: Scope) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the test that the place is unset if several cases agree on it, and the tests and values of the cases, up to
    the first one that always applies.
    """
    unset = ["" if case.overwrite or case.by_key else _unset(target, case, scope) for case in cases]
    shared = unset[:1] if len(cases) > 1 and len(set(unset)) == 1 else []
    found = []
    for own, case in zip(unset, cases, strict=True):
        condition = "" if case.when is None else condition_expression(case.when, scope)
        test = _joined(["" if shared else own, condition, _from_is_set(case, scope)])
        found.append((test, _new_value(case, target, scope)))
        if not test:
            break
    return shared, found


def _joined(tests: list[str]) -> str:
    conditions = [test for test in tests if test]
    if len(conditions) == 1:
        return conditions[0]
    return " and ".join(f"({c})" if " or " in c or " if " in c else c for c in conditions)


def _unset(target: _Target, case: DefaultCase, scope: Scope) -> str:
    if target.key:
        return f"{target.key} not in ({target.place} or {{}})"
    if isinstance(underlying(target.type), ListType | MapType):
        empty_counts = case.empty_is_set and target.can_be_none
        return f"{target.place} is None" if empty_counts else f"not {target.place}"
    return if_unset(target.place, target.type, target.can_be_none, scope)


def _from_is_set(case: DefaultCase, scope: Scope) -> str:
    if case.from_path is None:
        return ""
    root, bound = scope.bind(case.from_path)
    if isinstance(underlying(bound.type), ListType | MapType):
        if case.empty_is_set and bound.can_be_none:
            return holds(bound.steps, root, scope, lambda value: f"{value} is not None")
        return holds(bound.steps, root, scope, lambda value: value)
    return holds(bound.steps, root, scope, is_set(bound.type, bound.can_be_none, scope))


def _new_value(case: DefaultCase, target: _Target, scope: Scope) -> str:
    """The new value of the place, or of the map with the key."""
    value = _value(case, target, scope)
    if target.key:
        return f"{{**({target.place} or {{}}), {target.key}: {value}}}"
    return f"{{**{value}, **({target.place} or {{}})}}" if case.by_key else value


def _value(case: DefaultCase, target: _Target, scope: Scope) -> str:
    if case.from_path is None:
        assert case.value is not None
        if isinstance(case.value, Located) and case.value.value is None:  # clears, whatever the type
            return zero(target.type, target.can_be_none, scope.imports)
        value = literal_value(case.value, target.type, scope.types)
        return literal_expression(value, scope.imports)
    root, bound = scope.bind(case.from_path)
    expression = value_at(root, bound.steps)
    copied = copied_value(bound.type, expression, Names(scope.imports, scope.types))
    if case.into is not None:
        return _built(case.into.value, copied, bound.type, target.type, scope)
    return f"str({copied})" if is_text(target.type) and not is_text(bound.type) else copied


def _built(member: str, value: str, source: Type, type_: Type, scope: Scope) -> str:
    """A new struct with this value in one member."""
    behind = underlying(type_)
    assert isinstance(behind, StructType)
    struct = struct_of(behind.id, scope.types)
    field = struct.field(member)
    assert field is not None
    text = f"str({value})" if is_text(field.type) and not is_text(source) else value
    return f"{scope.imports.type_name(behind.id)}({field.py_name}={text})"


def has_effect(field: Field) -> bool:
    """Return whether the default of a field, if it has one, ever changes its value.

    The zero value as the default of a field that cannot be `None` does not: such a field is unset if it is zero.
    Kubernetes declares the default `""` for schemas, in types that most objects contain; objects need not be walked
    for it.
    """
    if field.can_be_none or not isinstance(underlying(field.type), ScalarType | EnumType):
        return bool(field.default)
    return any(not _is_zero(case) for case in field.default)


def _is_zero(case: DefaultCase) -> bool:
    value = case.value.value if isinstance(case.value, Located) else None
    return isinstance(value, bool | int | float | str) and not value and not case.overwrite


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """One module per version that has anything to default."""
    defaulted = defaulted_structs(backend_input)
    for version in versions(backend_input):
        structs = [struct for struct in version.structs if struct.id in defaulted]
        if structs:
            imports = Imports(Module.of(version.group, version.version, "defaults"))
            text = _DefaultsModule(backend_input, defaulted, imports).text(version.title, structs)
            yield text_file(imports.module.path, text)


def defaulted_structs(backend_input: BackendInput) -> frozenset[TypeId]:
    """Return the structs of versions with a default that has an effect, or that contain such a struct.

    Versions with `defaulted: false` have none. A struct of another release series is defaulted only if the field opts in.
    """
    plain = {(v.group, v.name) for group in backend_input.api.groups for v in group.versions if not v.defaulted}
    values = backend_input.hub.values
    left_alone = values - defaulted_values(backend_input.api, values)
    structs = {
        id_: type_
        for id_, type_ in backend_input.api.types.items()
        if isinstance(type_, Struct) and (id_.group, id_.version) not in plain and id_ not in left_alone
    }
    with_own = {
        id_
        for id_, s in structs.items()
        if s.defaults or any(has_effect(f) for f in s.fields) or backend_input.hand_written.get(id_, Role.DEFAULT)
    }
    api = backend_input.api
    contained = {
        id_: [inner for field in struct.fields if (inner := defaulted_element(field, id_, api)) is not None]
        for id_, struct in structs.items()
    }
    return leading_to(with_own, contained)


def defaulted_element(field: Field, holder: TypeId, api: Api) -> TypeId | None:
    """Return the struct in a field, unless it is a value of another release series that is not defaulted."""
    inner = struct_in(field.type)
    return None if inner is None or (api.is_value(holder, inner) and not field.defaults) else inner


class _DefaultsModule:
    def __init__(self, backend_input: BackendInput, defaulted: frozenset[TypeId], imports: Imports) -> None:
        self._backend_input = backend_input
        self._defaulted = defaulted
        self._imports = imports

    def text(self, title: str, structs: list[Struct]) -> str:
        """Return the text of the module of a version."""
        self._imports.runtime("Features")
        values = [self._values(struct) for struct in structs]
        return render(
            "defaults/module.py.jinja",
            header=HEADER,
            summary=f"Defaults of {title}: each function sets unset fields, in place.",
            imports=self._imports.render(),
            exported=sorted(literal(f"default_{struct.snake_name}") for struct in structs),
            structs=values,
        )

    def _values(self, struct: Struct) -> dict[str, object]:
        scope = Scope.of("obj", struct, self._backend_input.types, self._imports, "features")
        own = [
            PathDefault(Path((Name(field.json_name),), False, field.json_name, field.place), field.default)
            for field in struct.fields
            if has_effect(field)
        ]
        written = self._backend_input.hand_written.get(struct.id, Role.DEFAULT)
        return {
            "name": struct.snake_name,
            "title": struct.id.name,
            "type": self._imports.type_name(struct.id),
            "defaults": [Default.of(entry, struct, scope) for entry in (*struct.defaults, *own)],
            "hand_written": "" if written is None else hand_written_name(self._imports, written),
            "parts": [part for field in struct.fields if (part := self._part(field, struct, scope))],
        }

    def _part(self, field: Field, holder: Struct, scope: Scope) -> dict[str, object] | None:
        """Return the function for the structs in a field, and the places of these; None without defaults in them."""
        inner = defaulted_element(field, holder.id, self._backend_input.api)
        if inner is None or inner not in self._defaulted:
            return None
        name = f"default_{self._backend_input.types[inner].snake_name}"
        levels, place = levels_to((FieldStep(field), *steps_to_elements(field.type)), "obj", scope)
        return {"levels": levels, "place": place, "function": self._imports.function(inner, "defaults", name)}
