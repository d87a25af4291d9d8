"""Strategies: what an API server does to hub objects before it stores them. One module per hub."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.backends.code import Code
from apigen.backends.modules import HEADER, Imports, Module
from apigen.backends.rendering import render
from apigen.backends.strategies_drops import drop_function
from apigen.backends.strategies_kinds import kind_functions
from apigen.backends.strategies_operations import KindStrategy, strategy_of
from apigen.backends.strategies_places import Places
from apigen.backends.strategies_uses import use_function
from apigen.backends.strategies_values import Writer
from apigen.backends.strategies_walks import PlannedFunction, UseWalk, WalkPlanner
from apigen.backends.validation_names import ShownNames
from apigen.compilation import Compilation
from apigen.emit.formatting import format_source
from apigen.emit.output import OutputFile, text_file
from apigen.ir.model import Kind, Struct
from apigen.ir.reserved import HUB_VERSION
from apigen.ir.types import TypeId


def plan(compilation: Compilation) -> Iterator[OutputFile]:
    """One module for each hub with kinds, or with types that the kinds of other hubs hold and that have gates."""
    kinds = list(kinds_with_hub(compilation))
    places = Places(compilation.types)
    scope = dict.fromkeys(id_ for _, struct in kinds for id_ in places.below(struct.id))
    planner = WalkPlanner(places, tuple(scope))
    strategies = [strategy_of(kind, struct, planner) for kind, struct in kinds]
    modules = [_module(strategy.struct.id) for strategy in strategies]
    modules += [key.module for key in planner.planned]
    names = ShownNames.of(compilation)
    for module in sorted(set(modules)):
        own = [s for s in strategies if _module(s.struct.id) == module]
        writer = Writer(module, Imports(module), compilation.types, names, planner)
        yield text_file(module.path, format_source(_text(own, planner.functions(module), writer)))


def kinds_with_hub(compilation: Compilation) -> Iterator[tuple[Kind, Struct]]:
    """Each kind with the struct that strategies and validation work on: that of its hub, or of its only version."""
    for group in compilation.api.groups:
        versions = [HUB_VERSION, *(v.name for v in group.versions if group.hub is None)]
        for kind in group.kinds:
            for version in versions if kind.hub is None or kind.hub.group == group.folder else ():
                name = kind.hub.name if kind.hub is not None else kind.name
                struct = compilation.types.get(TypeId(group.folder, version, name))
                if isinstance(struct, Struct):
                    yield kind, struct


def _module(struct: TypeId) -> Module:
    return Module.of(struct.group, struct.version, "strategies")


def _text(strategies: list[KindStrategy], functions: tuple[PlannedFunction, ...], writer: Writer) -> str:
    codes: list[Code] = []
    for strategy in strategies:
        codes += kind_functions(strategy, writer)
    for function in functions:
        write = use_function if isinstance(function.key.walk, UseWalk) else drop_function
        codes.append(write(function, writer))
    group, version, _ = writer.module.parts
    return render(
        "strategies/module.py.jinja",
        header=HEADER,
        summary=f"What an API server does to objects of {group}/{version} before it stores them.",
        imports=writer.imports.render(),
        functions=[code.text().rstrip("\n") for code in codes],
    )
