"""Strategies, which prepare and validate hub objects before they are stored. One module per hub."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.hub_names import ShownNames
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.source_text import HEADER, Imports
from apigen.codegen.rendering import render
from apigen.codegen.strategies.kinds import OperationWriter, strategy_function
from apigen.codegen.strategies.operations import KindStrategy, strategy_of
from apigen.codegen.strategies.values import Writer
from apigen.codegen.strategies.walk_functions import drop_function, use_function
from apigen.codegen.strategies.walks import Places, Use, WalkPlanner
from apigen.ir.model import Kind, Struct, TypeId
from apigen.ir.names import HUB_VERSION, Module, package_name


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """Yield a module for each hub with kinds, or with gated types that the kinds of other hubs contain."""
    strategies, planner = backend_input.once(plan_strategies)
    own: dict[Module, list[KindStrategy]] = {key.module: [] for key in planner.planned}
    for strategy in strategies:
        id_ = strategy.struct.id
        own.setdefault(Module.of(id_.group, id_.version, "strategies"), []).append(strategy)
    names = planner.places.names
    for module in sorted(own):
        writer = Writer(module, Imports(module), backend_input.types, names, planner)
        functions = [
            (use_function if isinstance(planned.key.walk, Use) else drop_function)(planned, writer)
            for planned in planner.functions(module)
        ]
        text = render(
            "strategies/module.py.jinja",
            header=HEADER,
            title=title_of(backend_input, module),
            kinds=[_kind(strategy, writer) for strategy in own[module]],
            walks=functions,
            imports=writer.imports.render(),
        )
        yield text_file(module.path, text)


def _kind(strategy: KindStrategy, writer: Writer) -> dict[str, object]:
    """Return the template's values for the functions of each operation, and for those that create the strategies."""
    return {
        "operations": [OperationWriter(strategy, each, writer).function() for each in strategy.operations],
        "strategies": [strategy_function(strategy, each, writer) for each in ("", *strategy.subresources)],
    }


def plan_strategies(backend_input: BackendInput) -> tuple[list[KindStrategy], WalkPlanner]:
    """The strategies of all kinds, and the functions that they call; for `BackendInput.once`."""
    kinds = list(kinds_with_hub(backend_input))
    places = Places(backend_input.types, ShownNames.of(backend_input), backend_input.api.series_of_groups)
    scope = dict.fromkeys(id_ for _, struct in kinds for id_ in places.below(struct.id))
    planner = WalkPlanner(places, tuple(scope))
    return [strategy_of(kind, struct, planner) for kind, struct in kinds], planner


def kinds_with_hub(backend_input: BackendInput) -> Iterator[tuple[Kind, Struct]]:
    """Each kind with the struct that strategies and validation work on: that of its hub, or of each version without one.

    A kind whose hub is that of another kind, of another group or under another name, has its strategy there.
    """
    for group in backend_input.api.groups:
        kind_of: dict[TypeId, Kind] = {}
        for kind in group.kinds:
            for version in group.versions:
                id_ = TypeId(group.folder, version.name, kind.name)
                hub = backend_input.hub.hub_of.get(id_, id_)
                if hub not in kind_of or hub.name == kind.name:
                    kind_of[hub] = kind
        for id_, kind in kind_of.items():
            struct = backend_input.types.get(id_)
            if isinstance(struct, Struct) and id_.group == group.folder:
                yield kind, struct


def title_of(backend_input: BackendInput, module: Module) -> str:
    """Return the name of a module's version or hub in documentation."""
    package, version, _ = module.parts
    for group in backend_input.api.groups:
        if package_name(group.folder) == package:
            return f"the hub of {group.folder}" if version == HUB_VERSION else f"{group.folder}/{version}"
    raise KeyError(package)
