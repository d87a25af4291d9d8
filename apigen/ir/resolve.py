"""Spec model to IR: every name, number and type bound, everything checked that needs no hub."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Report
from apigen.ir.alias_kinds import take_over, with_taken_over
from apigen.ir.checks import Checks
from apigen.ir.context import VersionContext
from apigen.ir.declare import declare
from apigen.ir.declared import read_type
from apigen.ir.features import resolve_features
from apigen.ir.groups import check_groups, resolve_group
from apigen.ir.inlining import Draft, flatten, with_inlined_blocks
from apigen.ir.kinds import lists_of, operations_of, resolve_kinds, with_lists
from apigen.ir.lifecycle import LifecycleReader, lifecycle_readers
from apigen.ir.model import Api, Kind, Release, Struct, TypeDef
from apigen.ir.run import Run
from apigen.ir.scope import Names, Scope
from apigen.ir.second_hubs import check_second_hubs
from apigen.ir.series import check_series, series_in, series_releases
from apigen.ir.types import TypeId
from apigen.ir.unions import resolve_unions
from apigen.language.model import ApiSpec, GroupSpec, LifecycleSpec, TypeSpec


def resolve(spec: ApiSpec, report: Report, *, is_checked: bool = True, release: Release | None = None) -> Api:
    """Return the IR of a spec folder. Errors are in `report`; broken parts are omitted from the IR.

    Later stages work on the result only if the report has no errors. Without `is_checked`, declarations are bound, but
    constraints, defaults and gates are not checked. `release` is the next release, which fixes name, if it is known.
    """
    run = Run(report, spec.broken, release)
    check_groups(spec, run)
    spec = with_lists(with_taken_over(spec), run)
    check_second_hubs(spec, run)
    names = declare(spec, run)
    kinds = {group.folder: resolve_kinds(group, spec, run) for group in spec.groups}
    readers = lifecycle_readers(spec, run)
    groups = tuple(
        resolve_group(group, kinds[group.folder], readers[group.folder], series_in(spec, group.series))
        for group in spec.groups
    )
    features = resolve_features(spec, run)
    read = _read_types([_Source(g, kinds[g.folder], readers[g.folder]) for g in spec.groups], names, run)
    series = {group.folder: group.series for group in groups}
    types = _flattened(read, run, series)
    plain = frozenset(id_ for group in groups for v in group.versions if not v.defaulted for id_ in v.types)
    checks = Checks(types, frozenset(feature.name for feature in features), operations_of(groups), run, plain)
    _bind_unions(read, types, checks)
    if is_checked:
        check_series(spec, run)
        from apigen.ir.check_types import check_types  # reviews do without
        from apigen.ir.gates import check_hub_gates, check_strategy_gates

        check_types(checks)
        check_hub_gates(groups, checks)
        check_strategy_gates(groups, checks)
    releases = series_releases(spec, run)
    return Api(groups, features, with_inlined_blocks(types, series), spec.own_series, releases)


def _flattened(read: Mapping[TypeId, Draft | TypeDef], run: Run, series: Mapping[str, str]) -> dict[TypeId, TypeDef]:
    structs = flatten({id_: type_ for id_, type_ in read.items() if isinstance(type_, Draft)}, run, series)
    return {id_: structs[id_] if isinstance(type_, Draft) else type_ for id_, type_ in read.items()}


def _bind_unions(read: Mapping[TypeId, Draft | TypeDef], types: dict[TypeId, TypeDef], checks: Checks) -> None:
    """Put into `types` the structs with their unions, which name flattened fields."""
    for id_, draft in read.items():
        struct = types[id_]
        if isinstance(draft, Draft) and isinstance(struct, Struct) and draft.unions:
            types[id_] = replace(struct, unions=resolve_unions(draft.unions, struct, checks))


@dataclass(frozen=True, slots=True)
class _Source:
    """A group with the parts that are resolved before its types."""

    group: GroupSpec
    kinds: tuple[Kind, ...]
    lifecycles: LifecycleReader


def _read_types(sources: Iterable[_Source], names: Names, run: Run) -> Mapping[TypeId, Draft | TypeDef]:
    read: dict[TypeId, Draft | TypeDef] = {}
    taken_over: dict[TypeId, TypeSpec] = {}
    for source in sources:
        for context, types in _versions(source, names, run):
            locked = {type_.name: type_ for type_ in context.lock.types} if context.lock else {}
            for spec in types:
                type_ = read_type(spec, locked.get(spec.name), context)
                if type_ is not None:
                    read[context.id(spec.name)] = type_
                if spec.taken_from is not None:
                    taken_over[context.id(spec.name)] = spec
    take_over(read, taken_over)
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
            has_protobuf=group.has_protobuf,
        )
        yield context, file.types
