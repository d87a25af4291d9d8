"""Generated property tests: conversions agree with the proof, and each loss in it has a counterexample."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.codegen.backend_input import Compilation
from apigen.codegen.conversions.backend import plans_of_versions
from apigen.codegen.conversions.bodies import preserved_step
from apigen.codegen.generated_tests.property_objects import STRATEGIES, objects_module, strategy_name
from apigen.codegen.generated_tests.property_objects import plan as plan_objects
from apigen.codegen.losses import (
    function_name,
    has_rejections,
    known_losses,
    lossy_types,
    rejecting_types,
    rejections_name,
)
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.source_text import HEADER, Code, Imports, literal
from apigen.codegen.rendering import functions_module, render
from apigen.dataclass import dataclass
from apigen.hub.coverage import types_with_unmapped_fields
from apigen.hub.faces import lenses_above
from apigen.hub.lenses.drop import ByHand
from apigen.hub.proof import with_holders
from apigen.hub.steps import Side, TypePlan
from apigen.ir.generated_modules import Module, package_name
from apigen.ir.model import Struct, struct_of
from apigen.ir.types import TypeId


def plan(compilation: Compilation) -> Iterator[OutputFile]:
    """Tests for every version that converts, with the strategies that they draw from."""
    yield from plan_objects(compilation)
    if not compilation.hub.plans:
        return
    checks = render("property_tests/checks.py.jinja", header=HEADER)
    yield text_file("tests/checks.py", checks)
    unproven = _unproven(compilation)
    rejecting = compilation.once(rejecting_types)
    lossy = compilation.once(lossy_types)
    for group, version, plans in compilation.once(plans_of_versions):
        proven = [p for p in plans if p.version not in unproven]
        module = Module(("tests", f"test_round_trips_{package_name(group)}_{version}"))
        if text := _text(compilation, module, f"{group}/{version}", proven, lossy, rejecting):
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
    compilation: Compilation,
    type_plan: TypePlan,
    lossy: Mapping[Side, frozenset[TypeId]],
    rejecting: frozenset[TypeId],
) -> Iterator[_Test]:
    struct = struct_of(type_plan.version, compilation.types)
    for side in Side:
        own = compilation.once(known_losses).own(type_plan, side)
        has_losses = type_plan.version in lossy[side]
        may_reject = type_plan.version in rejecting
        if type_plan.version in compilation.once(_unmapped if side is Side.HUB else _mapped_above):
            continue  # a type that contains this one preserves these fields; alone, it loses them
        if own or struct.kind is not None or any(step.describe() for step in type_plan.steps):
            yield _Test(type_plan, side, None, has_losses, may_reject)
        for place in dict.fromkeys(loss.place for loss in own):
            rejected = any(loss.rejects for loss in own if loss.place == place)
            yield _Test(type_plan, side, place, has_losses, rejected)


def _text(
    compilation: Compilation,
    module: Module,
    title: str,
    plans: list[TypePlan],
    lossy: Mapping[Side, frozenset[TypeId]],
    rejecting: frozenset[TypeId],
) -> str:
    """Return the tests of a version; empty without any."""
    tests = [t for p in plans for t in _tests(compilation, p, lossy, rejecting)]
    if not tests:
        return ""
    imports = Imports(module)
    imports.submodule(Module(("tests", "checks")), "checks")
    functions = [_test(compilation, test, imports, number) for number, test in enumerate(tests)]
    functions += [_edits(compilation, p, imports) for p in plans if p.restores_hub()]
    summary = f"Round trips of {title}: fields are preserved, except for the declared losses."
    return functions_module(summary, imports, functions)


def _test(compilation: Compilation, test: _Test, imports: Imports, number: int) -> Code:
    type_plan, side, place = test.plan, test.side, test.place
    version = type_plan.version
    snake = compilation.types[version].snake_name
    conversions = imports.submodule(Module.of(version.group, version.version, "conversions"), "conversions")
    objects = objects_module(version if side is Side.VERSION else type_plan.hub)
    name = strategy_name(compilation.types[version if side is Side.VERSION else type_plan.hub])
    strategy = f"{imports.submodule(objects, objects.parts[-1])}.{name}()"
    to_hub, from_hub = f"{conversions}.{snake}_to_hub", f"{conversions}.{snake}_from_hub"
    forward, back = (to_hub, from_hub) if side is Side.VERSION else (from_hub, to_hub)
    losses = "checks.no_losses"
    if test.has_losses:
        module = imports.submodule(Module.of(version.group, version.version, "losses"), "losses")
        losses = f"{module}.{function_name(compilation, version, side)}"
    way = "through_the_hub" if side is Side.VERSION else f"of_the_hub_through_{version.version}"
    code = Code()
    if place is None:
        imports.submodule(STRATEGIES, "st")
        code.line("@checks.QUICK")
        code.line("@st.given(st.data())")
        with code.block(f"def test_{snake}_{way}(data: st.DataObject) -> None:"):
            code.line(f"obj = data.draw({strategy})")
            code.line(
                f"checks.check_round_trip(obj, {forward}, {back}, {losses}, {_rejections(compilation, test, imports)})"
            )
        return code
    with code.block(f"def test_{snake}_{way}_loses_{number}() -> None:"):
        code.docstring(f"A counter-example for `{place}`.")
        arguments = f"{strategy}, {forward}, {back}, {losses}, {literal(place)}, may_reject={test.rejects}"
        code.line(f"checks.check_counter_example({arguments})")
    return code


def _edits(compilation: Compilation, type_plan: TypePlan, imports: Imports) -> Code:
    """Return the test of a kind with `preserve:` that an object of the version keeps the changes of a client."""
    version = type_plan.version
    struct = compilation.types[version]
    conversions = imports.submodule(Module.of(version.group, version.version, "conversions"), "conversions")
    strategies = []
    for id_ in (version, type_plan.hub):
        objects = objects_module(id_)
        strategies.append(f"{imports.submodule(objects, objects.parts[-1])}.{strategy_name(compilation.types[id_])}()")
    step = preserved_step(type_plan)
    assert step is not None
    imports.submodule(STRATEGIES, "st")
    functions = f"{conversions}.{struct.snake_name}_to_hub, {conversions}.{struct.snake_name}_from_hub"
    code = Code()
    code.line("@checks.QUICK")
    code.line("@st.given(st.data())")
    with code.block(f"def test_{struct.snake_name}_edits_are_not_restored(data: st.DataObject) -> None:"):
        code.line(f"edited, before = data.draw({strategies[0]}), data.draw({strategies[1]})")
        code.line(f"checks.check_edits(edited, before, {functions}, {literal(step.key)})")
    return code


def _rejections(compilation: Compilation, test: _Test, imports: Imports) -> str:
    """Return the expression that decides which objects are rejected: a function of the type, nothing, or anything if
    types below it reject.
    """
    version = test.plan.version
    if has_rejections(compilation, test.plan, test.side):
        module = imports.submodule(Module.of(version.group, version.version, "losses"), "losses")
        return f"{module}.{rejections_name(compilation, version, test.side)}"
    return "checks.any_rejections" if test.rejects else "checks.no_rejections"


def _unmapped(compilation: Compilation) -> frozenset[TypeId]:
    """Return the version types that do not map, directly or below, all fields of the hub: a type that contains them
    does.
    """
    return types_with_unmapped_fields(compilation.hub.plans, compilation.types)


def _mapped_above(compilation: Compilation) -> frozenset[TypeId]:
    """Return the version types with fields that the lenses of containing types map, at any depth below these."""
    found: set[TypeId] = set()
    for id_ in compilation.hub.plans:
        struct = compilation.types[id_]
        for lens in lenses_above(struct, compilation.types) if isinstance(struct, Struct) else ():
            found.update(lens.between)
    return frozenset(found)


def _unproven(compilation: Compilation) -> frozenset[TypeId]:
    """Return types with hand-written conversions, of the type or of some fields: there is no proof for them."""
    plans = compilation.hub.plans
    found = {id_ for id_, p in plans.items() if any(isinstance(step, ByHand) for step in p.steps)}
    found |= {id_ for id_, _ in compilation.hand_written.functions}
    return with_holders(found, compilation.hub.plans)
