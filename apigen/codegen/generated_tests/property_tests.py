"""Generated property tests: conversions agree with the proof, and each loss in it has a counterexample.

They draw random objects from strategies for every struct that is converted: `tests/objects_<group>_<version>.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import NamedTuple

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.containment import structs_of
from apigen.codegen.conversions.backend import plans_of_versions
from apigen.codegen.conversions.bodies import preserved_step
from apigen.codegen.losses import function_name, has_rejections, known_losses, lossy_types, rejecting_types
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.source_text import HEADER, Imports, header_without_parameters, literal
from apigen.codegen.rendering import render
from apigen.dataclass import dataclass
from apigen.hub.coverage import types_with_unmapped_fields
from apigen.hub.lenses.drop import ByHand
from apigen.hub.lenses.flatten import flattens
from apigen.hub.proof import with_holders
from apigen.hub.second_hub_views import lenses_above
from apigen.hub.steps import Side, TypePlan
from apigen.ir.graphs import reached
from apigen.ir.model import (
    INTEGER_RANGES,
    EnumType,
    Field,
    ListType,
    MapType,
    ScalarType,
    Struct,
    StructType,
    Type,
    TypeDef,
    TypeId,
    WellKnownType,
    enum_of,
    is_text,
    struct_of,
    underlying,
)
from apigen.ir.names import KEYWORDS, Module, package_name
from apigen.language.model import Comparison, Equals, Key, Located

_KNOWN_NAMES = {
    "Time": "TIME",
    "MicroTime": "MICRO_TIME",
    "Duration": "DURATION",
    "Quantity": "QUANTITY",
    "IntOrString": "INT_OR_STRING",
    "RawExtension": "RAW_EXTENSION",
    "FieldsV1": "FIELDS_V1",
}


def objects_module(id_: TypeId) -> Module:
    """The module with the strategies of a type's version."""
    return Module(("tests", f"objects_{package_name(id_.group)}_{id_.version}"))


def converted_structs(backend_input: BackendInput) -> dict[TypeId, Struct]:
    """Return every converted struct, its hub type, and the structs of groups without hub in them."""

    def inside(id_: TypeId) -> Iterable[TypeId]:
        return structs_of(struct_of(id_, backend_input.types)) if _is_complete(backend_input, id_) else ()

    found = reached((id_ for p in backend_input.hub.plans.values() for id_ in (p.version, p.hub)), inside)
    return {id_: s for id_, s in backend_input.types.items() if id_ in found and isinstance(s, Struct)}


STRATEGIES = Module(("tests", "strategies"))
"""The module through which generated tests use hypothesis: as `st`."""


def _objects(backend_input: BackendInput) -> Iterator[OutputFile]:
    """Yield a module of strategies for each version and hub with conversions, and one for plain values."""
    structs = converted_structs(backend_input)
    if not structs:
        return
    strategies = render("property_tests/strategies.py.jinja", header=HEADER)
    yield text_file(STRATEGIES.path, strategies)
    values = render("property_tests/values.py.jinja", header=HEADER)
    yield text_file("tests/values.py", values)
    modules: dict[Module, list[Struct]] = {}
    for struct in structs.values():
        modules.setdefault(objects_module(struct.id), []).append(struct)
    for module, own in sorted(modules.items()):
        first = own[0].id
        known = _known_of_group(backend_input, first)
        imports = Imports(module)
        imports.submodule(STRATEGIES, "st")
        objects = [_strategy(backend_input, s, imports, known) for s in own]
        text = render(
            "property_tests/objects.py.jinja",
            header=HEADER,
            summary=f"Random objects of {first.group}/{first.version}.",
            imports=imports.render(),
            structs=objects,
        )
        yield text_file(module.path, text)


def _strategy(backend_input: BackendInput, struct: Struct, imports: Imports, known: _Known) -> dict[str, object]:
    """Return the values of the template for the function that draws objects of a struct."""
    type_name = imports.type_name(struct.id)
    is_complete = _is_complete(backend_input, struct.id)
    values = ((field, _value(backend_input, field, imports, known, is_complete)) for field in struct.fields)
    return {
        "header": header_without_parameters(strategy_name(struct), f"st.SearchStrategy[{type_name}]"),
        "name": struct.id.name,
        "is_complete": is_complete,
        "type": type_name,
        "fields": [(field.py_name, value) for field, value in values if value is not None],
    }


def _value(backend_input: BackendInput, field: Field, imports: Imports, known: _Known, is_complete: bool) -> str | None:
    behind = underlying(field.type)
    if not is_complete and not (is_text(behind) or _is_text_map(behind)):
        return None
    value = _of_type(backend_input, field.type, imports, known)
    return f"st.none() | {value}" if field.can_be_none else value


def _of_type(backend_input: BackendInput, type_: Type, imports: Imports, known: _Known) -> str:
    behind = underlying(type_)
    match behind:
        case ScalarType(scalar) if not is_text(behind):
            low, high = INTEGER_RANGES.get(scalar, (1, 0))
            numbers = [n for n in known.numbers if low <= n <= high]
            sampled = f"st.sampled_from({numbers}) | " if numbers else ""
            return f"{sampled}{_values(imports)}.{scalar.upper()}"
        case EnumType(id_):
            enum = enum_of(id_, backend_input.types)
            return _text_values(list(dict.fromkeys([*(v.value for v in enum.values), *known.texts])), imports)
        case ScalarType():
            return _text_values(list(known.texts), imports)
        case WellKnownType(well_known):
            return f"{_values(imports)}.{_KNOWN_NAMES[well_known]}"
        case MapType() if _is_text_map(behind):
            return f"{_values(imports)}.texts({', '.join(literal(k) for k in known.keys)})"
        case MapType(_, value):
            inner = _of_type(backend_input, value, imports, known)
            return f"st.dictionaries({_text_values(list(known.keys), imports)}, {inner}, max_size=2)"
        case ListType(item):
            return f"st.lists({_of_type(backend_input, item, imports, known)}, max_size=2)"
    assert isinstance(behind, StructType)
    strategy = f"st.deferred({_function(backend_input, behind.id, imports)})"
    struct = backend_input.types[behind.id]
    if isinstance(struct, Struct) and struct.has_type_meta:  # a kind inside another one has no apiVersion and kind
        return f"{strategy}.map({imports.runtime('without_type_meta')})"
    return strategy


def _function(backend_input: BackendInput, id_: TypeId, imports: Imports) -> str:
    module, name = objects_module(id_), strategy_name(backend_input.types[id_])
    return name if module == imports.module else f"{imports.submodule(module, module.parts[-1])}.{name}"


def strategy_name(type_: TypeDef) -> str:
    """Return the name of the function that creates objects of a type; keywords and names of its imports get an
    underscore.
    """
    name = type_.snake_name
    return f"{name}_" if name in KEYWORDS or name in ("annotations", "st", "values") else name


def _text_values(known: list[str], imports: Imports) -> str:
    values = _values(imports)
    return f"{values}.text({', '.join(literal(k) for k in known)})" if known else f"{values}.TEXT"


def _values(imports: Imports) -> str:
    """Import the module of plain values; returns its name."""
    return imports.submodule(Module(("tests", "values")), "values")


def _is_text_map(behind: Type) -> bool:
    return isinstance(behind, MapType) and is_text(behind.value)


def _is_complete(backend_input: BackendInput, id_: TypeId) -> bool:
    """Return whether all fields of a struct are generated. Types that are used unconverted only need a string to distinguish
    values.
    """
    return id_.version == "hub" or id_ in backend_input.hub.plans or id_ in backend_input.once(_flattened_structs)


def _flattened_structs(backend_input: BackendInput) -> frozenset[TypeId]:
    """The structs without a hub type of their own whose fields are fields of the hub's (`hub: .`)."""

    def flattened(id_: TypeId) -> list[TypeId]:
        struct = backend_input.types[id_]
        fields = struct.fields if isinstance(struct, Struct) else ()
        types = (underlying(field.type) for field in fields if flattens(field))
        return [type_.id for type_ in types if isinstance(type_, StructType)]

    return reached((inner for id_ in backend_input.hub.plans for inner in flattened(id_)), flattened)


class _Known(NamedTuple):
    """The values that lenses look for."""

    texts: tuple[str, ...]
    """Values compared with, and those that mean absence."""
    numbers: tuple[int, ...]
    keys: tuple[str, ...]
    """Keys of maps, such as annotations."""


def _known_of_group(backend_input: BackendInput, id_: TypeId) -> _Known:
    """The known values of the group, or of all that use a type of it."""
    known = backend_input.once(_known)
    found = known.get(id_.group, set())
    if not _is_complete(backend_input, id_):  # its group has no hub: other groups use the type without conversion
        found = found.union(*known.values())
    return _Known(
        tuple(sorted(v for v in found if isinstance(v, str))),
        tuple(sorted(v for v in found if isinstance(v, int))),
        tuple(sorted(v.key for v in found if isinstance(v, Key))),
    )


def _known(backend_input: BackendInput) -> dict[str, set[Key | str | int]]:
    """The known values by the folder of the hub's group."""
    known: dict[str, set[Key | str | int]] = {}
    for type_ in backend_input.api.types.values():
        if isinstance(type_, Struct):
            hub = backend_input.hub.hub_of.get(type_.id, type_.id)
            found = _known_of_lenses(type_)
            if found:
                known.setdefault(hub.group, set()).update(found)
    return known


def _known_of_lenses(struct: Struct) -> set[Key | str | int]:
    values: set[object] = set()
    waiting: list[object] = [*struct.lenses, *struct.hub_only, *(f.hub for f in struct.fields if f.hub is not None)]
    if struct.kind is not None:
        waiting.append(struct.kind.preserve)
    while waiting:
        current = waiting.pop()
        if isinstance(current, Key):
            values.add(current)
        elif isinstance(current, Comparison | Located):
            values.add(current.value)
        elif isinstance(current, Equals):
            values.update(current.values)
        if isinstance(current, tuple):
            waiting += current
        elif is_dataclass(current) and not isinstance(current, type):
            waiting += [getattr(current, f.name) for f in fields(current)]
    keys = {value for value in values if isinstance(value, Key)}
    texts = {value for value in values if isinstance(value, str) and " " not in value}
    annotations = {text for text in texts if "/" in text}  # those that lenses write have qualified names
    numbers = {value for value in values if isinstance(value, int) and not isinstance(value, bool)}
    return keys | {Key(name) for name in annotations} | (texts - annotations) | numbers


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """Tests for every version that converts, with the strategies that they draw from."""
    yield from _objects(backend_input)
    if not backend_input.hub.plans:
        return
    checks = render("property_tests/checks.py.jinja", header=HEADER)
    yield text_file("tests/checks.py", checks)
    unproven = _unproven(backend_input)
    rejecting = backend_input.once(rejecting_types)
    lossy = backend_input.once(lossy_types)
    for group, version, plans in backend_input.once(plans_of_versions):
        proven = [p for p in plans if p.version not in unproven]
        module = Module(("tests", f"test_round_trips_{package_name(group)}_{version}"))
        if text := _text(backend_input, module, f"{group}/{version}", proven, lossy, rejecting):
            yield text_file(module.path, text)


@dataclass(frozen=True, slots=True)
class _Test:
    """A plan, the side of the object, and the place of the requested counterexample, if any.

    `rejects`: some object of the type (of the place) is rejected.
    """

    plan: TypePlan
    side: Side
    place: str | None
    has_losses: bool
    rejects: bool


def _tests(
    backend_input: BackendInput,
    type_plan: TypePlan,
    lossy: Mapping[Side, frozenset[TypeId]],
    rejecting: frozenset[TypeId],
) -> Iterator[_Test]:
    struct = struct_of(type_plan.version, backend_input.types)
    for side in Side:
        own = backend_input.once(known_losses).own(type_plan, side)
        has_losses = type_plan.version in lossy[side]
        may_reject = type_plan.version in rejecting
        if type_plan.version in backend_input.once(_unmapped if side is Side.HUB else _mapped_above):
            continue  # a type that contains this one preserves these fields; alone, it loses them
        if own or struct.kind is not None or any(step.describe() for step in type_plan.steps):
            yield _Test(type_plan, side, None, has_losses, may_reject)
        for place in dict.fromkeys(loss.place for loss in own):
            rejected = any(loss.rejects for loss in own if loss.place == place)
            yield _Test(type_plan, side, place, has_losses, rejected)


def _text(
    backend_input: BackendInput,
    module: Module,
    title: str,
    plans: list[TypePlan],
    lossy: Mapping[Side, frozenset[TypeId]],
    rejecting: frozenset[TypeId],
) -> str:
    """Return the tests of a version; empty without any."""
    tests = [t for p in plans for t in _tests(backend_input, p, lossy, rejecting)]
    if not tests:
        return ""
    imports = Imports(module)
    imports.submodule(Module(("tests", "checks")), "checks")
    values = [_test_values(backend_input, test, imports) for test in tests]
    edits = [_edits(backend_input, p, imports) for p in plans if p.restores_hub()]
    if edits or any(test.place is None for test in tests):  # which draw objects
        imports.submodule(STRATEGIES, "st")
    return render(
        "property_tests/tests.py.jinja",
        header=HEADER,
        summary=f"Round trips of {title}: fields are preserved, except for the declared losses.",
        imports=imports.render(),
        tests=values,
        edits=edits,
    )


def _test_values(backend_input: BackendInput, test: _Test, imports: Imports) -> dict[str, object]:
    """Return the values of the template for a test: that a round trip is as the proof knows, or a loss of a `place`."""
    version, is_version = test.plan.version, test.side is Side.VERSION
    there, back = _conversions(backend_input, version, imports)
    way = "through_the_hub" if is_version else f"of_the_hub_through_{version.version}"
    rejections = "checks.any_rejections" if test.rejects else "checks.no_rejections"
    if test.place is None and has_rejections(backend_input, test.plan, test.side):
        rejections = _of_losses(backend_input, test, imports, "rejections")
    return {
        "name": f"{backend_input.types[version].snake_name}_{way}",
        "objects": _function(backend_input, version if is_version else test.plan.hub, imports),
        "there": there if is_version else back,
        "back": back if is_version else there,
        "losses": _of_losses(backend_input, test, imports, "losses") if test.has_losses else "checks.no_losses",
        "rejections": rejections,
        "place": test.place,
        "place_literal": literal(test.place),
        "may_reject": test.rejects,
    }


def _edits(backend_input: BackendInput, type_plan: TypePlan, imports: Imports) -> dict[str, str]:
    """Return the values for a kind with `preserve:`: an object of the version keeps the changes of a client."""
    to_hub, from_hub = _conversions(backend_input, type_plan.version, imports)
    step = preserved_step(type_plan)
    assert step is not None
    return {
        "name": backend_input.types[type_plan.version].snake_name,
        "edited": _function(backend_input, type_plan.version, imports),
        "before": _function(backend_input, type_plan.hub, imports),
        "to_hub": to_hub,
        "from_hub": from_hub,
        "key": literal(step.key),
    }


def _conversions(backend_input: BackendInput, version: TypeId, imports: Imports) -> tuple[str, str]:
    """The functions that convert a type to its hub type and back."""
    module = imports.submodule(Module.of(version.group, version.version, "conversions"), "conversions")
    name = f"{module}.{backend_input.types[version].snake_name}"
    return f"{name}_to_hub", f"{name}_from_hub"


def _of_losses(backend_input: BackendInput, test: _Test, imports: Imports, what: str) -> str:
    """The function that returns the losses, or the rejections, that the proof knows."""
    version = test.plan.version
    module = imports.submodule(Module.of(version.group, version.version, "losses"), "losses")
    return f"{module}.{function_name(backend_input, version, test.side, what)}"


def _unmapped(backend_input: BackendInput) -> frozenset[TypeId]:
    """Return the version types that do not map, directly or below, all fields of the hub: a type that contains them
    does.
    """
    return types_with_unmapped_fields(backend_input.hub.plans, backend_input.types)


def _mapped_above(backend_input: BackendInput) -> frozenset[TypeId]:
    """Return the version types with fields that the lenses of containing types map, at any depth below these."""
    found: set[TypeId] = set()
    for id_ in backend_input.hub.plans:
        struct = backend_input.types[id_]
        for lens in lenses_above(struct, backend_input.types) if isinstance(struct, Struct) else ():
            found.update(lens.between)
    return frozenset(found)


def _unproven(backend_input: BackendInput) -> frozenset[TypeId]:
    """Return types with hand-written conversions, of the type or of some fields: there is no proof for them."""
    plans = backend_input.hub.plans
    found = {id_ for id_, p in plans.items() if any(isinstance(step, ByHand) for step in p.steps)}
    found |= {id_ for id_, _ in backend_input.hand_written.functions}
    return with_holders(found, backend_input.hub.plans)
