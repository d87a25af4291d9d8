"""A group of a surface as a folder of specs, written to be compiled and thrown away."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from apigen.compat.surface.elements import TypeName
from apigen.compat.surface.surface import Group, Surface, Version
from apigen.compat.surface.types import Struct
from apigen.compat.verdict.example import JsonValue
from apigen.compat.witnesses.lowering import releases
from apigen.compat.witnesses.lowering.names import OBJECT_META, Names
from apigen.compat.witnesses.lowering.problem import NotLoweredError
from apigen.compat.witnesses.lowering.types import Said, Types
from apigen.compat.witnesses.wire import group_name, version_name
from apigen.ir.model import Presence

FOLDER = "core"
"""The folder of the group without a name."""

_METADATA = 18_999
"""The number of metadata that the input does not have: one that no field has on either side."""


def write_group(
    surface: Surface, group: Group, kinds: Iterable[str], versions: Iterable[str], root: Path, *, is_alone: bool = False
) -> str:
    """Write a group with some of its kinds in some versions; returns the folder's name. Raises NotLoweredError.

    `is_alone`: a version that is tried for itself, whatever its conversions are.
    """
    wanted, served = set(kinds), [version for name, version in group.versions.items() if name in set(versions)]
    served = [version for version in served if wanted & version.kinds.keys()]
    if not served:
        raise NotLoweredError("no version has the kind")
    if len({version_name(version) for version in served}) < len(served):
        raise NotLoweredError("its versions cannot be told apart by their names")
    name = group_name(served[0]) or FOLDER
    folder = root / name
    folder.mkdir(parents=True)
    gates: set[str] = set()
    for version in served:
        types = _lowered(surface, version, wanted, gates, is_alone)
        _write(folder / f"{version_name(version)}.yaml", {"types": types})
    _write(folder / "group.yaml", _header(surface, group, served, wanted))
    _write(root / "features.yaml", _features(surface, gates))
    return name


def _lowered(surface: Surface, version: Version, kinds: set[str], gates: set[str], is_alone: bool) -> Said:
    """The types that kinds lead to, by the names that they get."""
    names = Names(version.group, version.name)
    types = Types(surface, names, is_alone=is_alone)
    found: Said = {}
    came: dict[TypeName, Said] = {}
    for kind in (each for name, each in version.kinds.items() if name in kinds):
        came[kind.root] = releases.of_kind(kind, version, surface)
        if names.of(kind.root) != kind.kind:
            raise NotLoweredError(f"the kind {kind.kind} is of another type, {kind.root.name}")
        types.wanted.append(kind.root)
    seen: set[TypeName] = set()
    while types.wanted:
        name = types.wanted.pop()
        type_ = surface.type(name)
        if name in seen or type_ is None:
            continue
        seen.add(name)
        said = types.of(type_)
        is_root = any(name == kind.root for kind in version.kinds.values())
        said = _root(said) if is_root and isinstance(type_, Struct) else said
        found[names.of(name)] = {**said, **came.get(name, {})}
    for name, key in types.keys:
        _key_of_list(found.get(names.of(name)), key)
    gates |= types.gates
    return found


def _key_of_list(struct: JsonValue, key: str) -> None:
    """A key that elements must have is always there: specs that say both are of inputs that know no other presence."""
    fields = struct.get("fields") if isinstance(struct, dict) else None
    field = fields.get(key) if isinstance(fields, dict) else None
    if isinstance(field, dict) and field.get("required") is True:
        field.pop(Presence.OPTIONAL.value, None)


def _root(said: Said) -> Said:
    """The type of a kind: what says what it is goes without saying, and it has metadata."""
    fields = said["fields"]
    if not isinstance(fields, dict):
        return said
    kept = {name: field for name, field in fields.items() if name not in ("apiVersion", "kind", "metadata")}
    metadata: Said = {"type": OBJECT_META, "required": False, "protobuf": _METADATA}
    old = fields.get("metadata")
    if isinstance(old, dict) and old.get("type") == OBJECT_META and "protobuf" in old:
        metadata["protobuf"] = old["protobuf"]
    return {**said, "fields": {"metadata": metadata, **kept}}


def _header(surface: Surface, group: Group, versions: list[Version], kinds: set[str]) -> Said:
    said: Said = {}
    storage = version_name(next((version for version in versions if _is_stored(version)), versions[-1]))
    for version in versions:
        header: Said = {**({} if version.served else {"served": False}), **releases.of_version(version, surface)}
        name = version_name(version)
        said[name] = {**header, "storage": True} if name == storage else header
    found: Said = {}
    there = {name for version in versions for name in version.kinds}
    for kind in (group.kinds[name] for name in sorted(kinds & group.kinds.keys() & there)):
        of_version = next(version.kinds[kind.name] for version in versions if kind.name in version.kinds)
        own: Said = {"scope": "Namespaced" if kind.namespaced else "Cluster", "list": False}
        if "status" in of_version.subresources:
            own["subresources"] = {"status": {}}
        found[kind.name] = own
    return {"group": group_name(versions[0]), "versions": said, "hub": storage, "kinds": found}


def _is_stored(version: Version) -> bool:
    return version.storage or any(kind.storage for kind in version.kinds.values())


def _features(surface: Surface, names: set[str]) -> Said:
    """The gates that are named, and those that they depend on."""
    waiting, found = sorted(names), dict[str, JsonValue]()
    while waiting:
        name = waiting.pop()
        gate = surface.gates.get(name)
        if name in found or gate is None:
            continue
        stages: list[JsonValue] = []
        for stage in gate.stages:
            said: Said = {"release": str(stage.release), "stage": stage.stage.value, "default": stage.default}
            stages.append({**said, "locked": True} if stage.locked else said)
        found[name] = {"owner": "nobody", "stages": stages, "dependsOn": list(gate.depends_on)}
        waiting.extend(gate.depends_on)
    return found


def _write(path: Path, content: JsonValue) -> None:
    """JSON is YAML, too."""
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
