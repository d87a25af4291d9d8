"""Spec model to IR: every name, number and type bound, everything checked that needs no hub."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from apigen.diagnostics import Report
from apigen.ir.check_types import check_types
from apigen.ir.checks import Checks
from apigen.ir.context import VersionContext
from apigen.ir.declare import declare
from apigen.ir.declared import read_type
from apigen.ir.features import resolve_features
from apigen.ir.gates import check_hub_gates
from apigen.ir.groups import check_groups, resolve_group
from apigen.ir.inlining import Draft, flatten, with_inlined_blocks
from apigen.ir.kinds import lists_of, resolve_kinds, with_lists
from apigen.ir.lifecycle import LifecycleReader, lifecycle_readers
from apigen.ir.model import Api, Kind, TypeDef
from apigen.ir.run import Run
from apigen.ir.scope import Names, Scope
from apigen.ir.types import TypeId
from apigen.ir.unions import resolve_union
from apigen.spec.model import ApiSpec, GroupSpec, LifecycleSpec, TypeSpec


def resolve(spec: ApiSpec, report: Report) -> Api:
    """The IR of a spec folder. What is wrong is in `report`; broken parts are left out of the IR.

    Later stages work on the result only if the report has no errors.
    """
    run = Run(report, spec.broken)
    check_groups(spec, run)
    spec = with_lists(spec, run)
    names = declare(spec, run)
    kinds = {group.folder: resolve_kinds(group, spec, run) for group in spec.groups}
    readers = lifecycle_readers(spec, run)
    groups = tuple(resolve_group(group, kinds[group.folder], readers[group.folder]) for group in spec.groups)
    drafts = _read_types([_Source(g, kinds[g.folder], readers[g.folder]) for g in spec.groups], names, run)
    features = resolve_features(spec, run)
    types = _complete(drafts, frozenset(feature.name for feature in features), run)
    check_hub_gates(groups, Checks(types, frozenset(feature.name for feature in features), run))
    return Api(groups, features, types)


def _complete(read: Mapping[TypeId, Draft | TypeDef], gates: frozenset[str], run: Run) -> Mapping[TypeId, TypeDef]:
    """The types with inline fields flattened and unions bound, all of them checked."""
    structs = flatten({id_: type_ for id_, type_ in read.items() if isinstance(type_, Draft)}, run)
    types: dict[TypeId, TypeDef] = {
        id_: structs[id_] if isinstance(type_, Draft) else type_ for id_, type_ in read.items()
    }
    checks = Checks(types, gates, run)
    for id_, draft in read.items():
        if isinstance(draft, Draft) and draft.unions:
            unions = tuple(resolve_union(union, structs[id_], checks) for union in draft.unions)
            types[id_] = replace(structs[id_], unions=unions)
    check_types(checks)
    return with_inlined_blocks(types)


@dataclass(frozen=True, slots=True)
class _Source:
    """A group with what was resolved of it before its types."""

    group: GroupSpec
    kinds: tuple[Kind, ...]
    lifecycles: LifecycleReader


def _read_types(sources: Iterable[_Source], names: Names, run: Run) -> Mapping[TypeId, Draft | TypeDef]:
    read: dict[TypeId, Draft | TypeDef] = {}
    for source in sources:
        for context, types in _versions(source, names, run):
            locked = {type_.name: type_ for type_ in context.lock.types} if context.lock else {}
            for spec in types:
                type_ = read_type(spec, locked.get(spec.name), context)
                if type_ is not None:
                    read[context.id(spec.name)] = type_
    return read


def _versions(source: _Source, names: Names, run: Run) -> Iterator[tuple[VersionContext, tuple[TypeSpec, ...]]]:
    group = source.group
    lifecycles = {header.name: header.lifecycle for header in group.versions}
    locks = {lock.version: lock for lock in group.locks}
    for file in group.version_files:
        context = VersionContext(
            run=run,
            scope=Scope(names, group.folder, file.name),
            lock=locks.get(file.name),
            lifecycle=lifecycles.get(file.name, LifecycleSpec()),
            lifecycles=source.lifecycles,
            kinds={kind.name: kind for kind in source.kinds},
            lists=lists_of(group),
        )
        yield context, file.types
