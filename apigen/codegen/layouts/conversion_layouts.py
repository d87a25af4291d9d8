"""Writes how versions and hubs convert by their layouts: `<group>/<version>/conversion_layouts.py`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from apigen.codegen.backend_input import Compilation
from apigen.codegen.conversions.backend import plans_of_versions
from apigen.codegen.layouts.spelling import spelled_tuple
from apigen.codegen.layouts.steps import NotInTables, written_steps
from apigen.codegen.output import OutputFile, nonempty_file
from apigen.codegen.python.code import text_literal
from apigen.codegen.python.modules import HEADER, Imports
from apigen.codegen.rendering import render
from apigen.codegen.types.borrowed import borrowed_classes
from apigen.hub.lenses.move import Move
from apigen.hub.steps import TypePlan
from apigen.ir.generated_modules import Module, package_name
from apigen.ir.hand_written import Role
from apigen.ir.model import Struct
from apigen.ir.types import TypeId
from apigen.ir.value_conversions import Converted, innermost

MODULE = "conversion_layouts"


def plan(compilation: Compilation) -> Iterator[OutputFile]:
    """One module per version that has a hub."""
    plans_by_version = compilation.once(plans_of_versions)
    for group in compilation.api.groups:
        for version in group.versions:
            plans = plans_by_version.get((group.folder, version.name))
            if plans:
                module = Module.of(group.folder, version.name, MODULE)
                yield from nonempty_file(module.path, _module_text(compilation, plans, module))


def _module_text(compilation: Compilation, plans: Sequence[TypePlan], module: Module) -> str:
    borrowed = compilation.once(borrowed_classes)
    own = [
        plan for plan in plans if borrowed.get(plan.hub) != plan.version and plan.version not in compilation.hub.faces
    ]
    imports = Imports(module, taken=frozenset({"CONVERSIONS", "CONVERTS", "NEEDS"}))
    return render(
        "conversion_layouts/module.py.jinja",
        header=HEADER,
        title=f"{plans[0].version.group}/{plans[0].version.version}",
        conversions=spelled_tuple([_spelled(compilation, plan, imports) for plan in own]) if own else "",
        conversion=imports.runtime("Conversion", "native"),
        imports=imports.render(),
        needs=_packages([id_ for plan in own for id_ in (plan.version, plan.hub)]),
        converts=_packages(_converted(own)),
    )


def _spelled(compilation: Compilation, plan: TypePlan, imports: Imports) -> str:
    """Return the entry of a plan: the classes of version and hub, and the steps in both directions."""
    version, hub = compilation.types[plan.version], compilation.types[plan.hub]
    assert isinstance(version, Struct) and isinstance(hub, Struct)
    directions = []
    for role, source, target in ((Role.TO_HUB, version, hub), (Role.FROM_HUB, hub, version)):
        function = text_literal(f"{version.snake_name}_{role}")
        if compilation.hand_written.get(plan.version, role) is not None:
            directions.append(function)
            continue
        try:
            steps = written_steps(plan, source, target, to_hub=role is Role.TO_HUB)
        except NotInTables:
            directions.append(function)
        else:
            directions.append(spelled_tuple(steps) if steps else "()")
    return spelled_tuple([imports.type_name(plan.version), imports.type_name(plan.hub), *directions])


def _converted(plans: Iterable[TypePlan]) -> list[TypeId]:
    """The structs of other versions that are converted within those of this one."""
    values = (step.value for plan in plans for step in plan.steps if isinstance(step, Move))
    found = (value.version for value in map(innermost, values) if isinstance(value, Converted))
    own = {(plan.version.group, plan.version.version) for plan in plans}
    return [id_ for id_ in found if (id_.group, id_.version) not in own]


def _packages(ids: Iterable[TypeId]) -> str:
    names = sorted({f"{package_name(id_.group)}.{id_.version}" for id_ in ids})
    return spelled_tuple([text_literal(name) for name in names]) if names else "()"
