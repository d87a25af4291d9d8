"""The scheme of the whole package: a table of kinds, and a stub with the return types for type checkers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.defaults.backend import defaulted_structs
from apigen.codegen.deprecations import deprecating_types
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.source_text import HEADER, Imports, call, literal, pair
from apigen.codegen.rendering import render
from apigen.codegen.required import requires
from apigen.codegen.singulars import Singulars
from apigen.dataclass import dataclass
from apigen.ir.model import Api, Group, SecondHub, Struct, TypeId, Version, struct_of
from apigen.ir.names import Module, package_name
from apigen.runtime.lifecycle import version_priority

EXPORTED = (
    "convert",
    "copy",
    "decode",
    "decode_all",
    "default",
    "deprecation_warning",
    "encode",
    "encode_all",
    "equal",
    "features",
    "from_dict",
    "kinds",
    "served_versions",
    "storage_version",
    "strategy",
    "to_dict",
    "versions",
    "warnings",
)


_LEFT_OUT = {
    "has_defaults": False,
    "has_deprecations": False,
    "has_required": False,
    "has_singulars": False,
    "is_list": False,
    "type_meta": True,
    "storage": False,
    "served": True,
    "preferred": False,
    "introduced": "",
    "deprecated": "",
    "removed": "",
    "series": "",
}
"""The defaults of `KindVersion`, which the table does not repeat."""


@dataclass(frozen=True, slots=True)
class _Registered:
    """A root type of a version, the hub type that it converts to, and those of second hubs."""

    group: Group
    version: Version
    struct: Struct
    hub: Struct
    second_hubs: tuple[SecondHub, ...]
    is_stored: bool = False


_Overload = tuple[str, str, str]
"""An overload of `convert`: the types of the argument, the target version, the type of the result."""


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """`scheme.py` and its stub, and the packages' `__init__` modules."""
    registered = list(_registered(backend_input))
    exported = [literal(name) for name in EXPORTED]
    defaulted = defaulted_structs(backend_input)
    deprecating = deprecating_types(backend_input)
    singulars = Singulars(backend_input)
    text = render(
        "scheme/module.py.jinja",
        header=HEADER,
        exported=exported,
        versions=[
            _version_entry(
                r,
                has_defaults=r.struct.id in defaulted,
                has_deprecations=r.struct.id in deprecating,
                has_required=requires(r.struct, backend_input),
                has_singulars=r.struct.kind is not None and singulars.has(r.struct.id),
            )
            for r in registered
        ],
        hubs=list(dict.fromkeys(_hub_entry(backend_input, r) for r in registered)),
    )
    yield text_file("scheme.py", text)
    yield text_file("scheme.pyi", _stub(registered))
    yield text_file("py.typed", "")


def _registered(backend_input: BackendInput) -> Iterator[_Registered]:
    for group in backend_input.api.groups:
        for version in group.versions:
            for struct in backend_input.api.structs(group.folder, version.name):
                root = struct.list_of or struct.id
                if struct.is_root and group.kind(root.name) is not None:  # others are types of fields only
                    hub = struct_of(backend_input.hub.hub_of.get(struct.id, struct.id), backend_input.types)
                    second_hubs = tuple(h for h in struct.second_hubs if h.view in backend_input.hub.views)
                    is_stored = _is_stored(struct, version, group, backend_input.api)
                    yield _Registered(group, version, struct, hub, second_hubs, is_stored)


def _is_stored(struct: Struct, version: Version, group: Group, api: Api) -> bool:
    """Return whether objects of a kind are stored in a version: that of the group, or the highest that the kind has, if that one
    does not have it.
    """
    if struct.list_of is not None or not any(each.storage for each in group.versions):
        return False
    having = [v for v in group.versions if TypeId(group.folder, v.name, struct.id.name) in api.types]
    chosen = next((v for v in having if v.storage), None) or max(having, key=lambda v: version_priority(v.name))
    return version is chosen


def _version_entry(registered: _Registered, **has: bool) -> str:
    group, version, struct = registered.group, registered.version, registered.struct
    lifecycle = struct.lifecycle
    arguments: dict[str, str | bool] = {
        "group": group.name,
        "version": version.name,
        "kind": struct.id.name,
        "package": f"{package_name(group.folder)}.{version.name}",
        "functions": struct.snake_name,
        "hub": str(registered.hub.id),
        **has,
        "is_list": struct.list_of is not None,
        "type_meta": struct.has_type_meta,
        "storage": registered.is_stored,
        "served": version.served,
        "preferred": version.preferred,
        "introduced": str(lifecycle.introduced or ""),
        "deprecated": str(lifecycle.deprecated or ""),
        "removed": str(lifecycle.removed or ""),
        "series": group.series,
    }
    written = [f"{name}={literal(value)}" for name, value in arguments.items() if value != _LEFT_OUT.get(name)]
    if registered.second_hubs:
        pairs = [f"({literal(str(second.hub))}, {literal(second.snake_name)})" for second in registered.second_hubs]
        written.append(f"also=({', '.join(pairs)},)")
    replacement = lifecycle.replacement
    if replacement is not None:
        api_version = f"{replacement.group}/{replacement.version}" if replacement.group else replacement.version
        written.append(f"replacement={literal((api_version, replacement.kind))}")
    return f"KindVersion({', '.join(written)})"


def _hub_entry(backend_input: BackendInput, registered: _Registered) -> str:
    hub = registered.hub
    # a kind of another group that maps to this hub has no strategy
    kind = (backend_input.api.group(hub.id.group).kind(hub.id.name) or hub.kind) if hub.kind is not None else None
    subresources = () if kind is None else kind.subresources
    return call(
        "HubKind",
        key=literal(str(hub.id)),
        package=literal(f"{package_name(hub.id.group)}.{hub.id.version}"),
        kind=literal(hub.id.name),
        functions=literal(hub.snake_name),
        subresources=literal(subresources) if subresources else "",
    )


def _stub(registered: list[_Registered]) -> str:
    imports = Imports(Module(("scheme",)), future=False)
    by_hub: dict[TypeId, list[_Registered]] = {}
    for entry in registered:
        by_hub.setdefault(entry.hub.id, []).append(entry)
    overloads: list[_Overload] = []
    for hub_id, entries in by_hub.items():
        names = [imports.type_name(e.struct.id) for e in entries]
        hub = imports.type_name(hub_id)
        source = " | ".join(dict.fromkeys([*names, hub]))
        overloads.append((source, "hub", hub))
        overloads += [(source, e.group.api_version(e.version.name), imports.type_name(e.struct.id)) for e in entries]
    overloads += _second_overloads(registered, by_hub, imports)
    imports.runtime("Features")
    imports.runtime("Strategy")
    strategies = [
        (
            pair(
                "kind",
                " | ".join(
                    [
                        f"Literal[{', '.join(map(literal, names))}]",
                        *(f"type[{imports.type_name(id_)}]" for id_ in classes),
                    ]
                ),
                4,
            ),
            " | ".join(imports.type_name(id_) for id_ in hubs),
        )
        for names, classes, hubs in _strategy_kinds(registered)
    ]
    return render(
        "scheme/stub.pyi.jinja",
        header=HEADER,
        imports=imports.render(),
        overloads=[(pair("obj", source, 4), literal(to), result) for source, to, result in overloads],
        strategies=strategies,
    )


def _second_overloads(
    registered: list[_Registered], by_hub: Mapping[TypeId, list[_Registered]], imports: Imports
) -> Iterator[_Overload]:
    """Both ways between a kind and the types of other hubs that it is seen as."""
    for entry in registered:
        for second in entry.second_hubs:
            own_classes = " | ".join(imports.type_name(id_) for id_ in (entry.struct.id, entry.hub.id))
            hub = imports.type_name(second.hub)
            other_classes = " | ".join([*(imports.type_name(e.struct.id) for e in by_hub.get(second.hub, [])), hub])
            yield own_classes, str(second.hub), hub
            yield other_classes, entry.group.api_version(entry.version.name), imports.type_name(entry.struct.id)


def _strategy_kinds(
    registered: list[_Registered],
) -> Iterator[tuple[list[str], list[TypeId], list[TypeId]]]:
    """Yield the names and the classes of each kind, and the hub types of its strategy: several without a hub.

    The hub's class is among those of the kind of its own group, as others may share the hub.
    """
    by_kind: dict[tuple[str, str], list[_Registered]] = {}
    groups: dict[str, set[str]] = {}
    for entry in registered:
        if entry.struct.kind is not None:
            by_kind.setdefault((entry.struct.id.name, entry.group.name), []).append(entry)
            groups.setdefault(entry.struct.id.name, set()).add(entry.group.name)
    for (kind, group), entries in by_kind.items():
        full = f"{kind}.{group}" if group else kind
        names = [kind, full] if len(groups[kind]) == 1 else [full]
        hubs = list(dict.fromkeys(entry.hub.id for entry in entries))
        classes = [entry.struct.id for entry in entries]
        classes += [hub for hub in hubs if hub.group == entries[0].group.folder]
        yield list(dict.fromkeys(names)), list(dict.fromkeys(classes)), hubs
