"""Writes a page for each group, docs/<group>.md: its versions, kinds, gates, removed elements and timeline, and losses of conversions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.codegen.backend_input import Compilation
from apigen.codegen.docs.timeline import life_of_version, picture, timeline
from apigen.codegen.docs.version import FOLDER
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.rendering import render
from apigen.history.model import History
from apigen.hub.proof import TypeProof, prove
from apigen.ir.generated_modules import package_name
from apigen.ir.model import Api, Enum, Feature, Group, Struct
from apigen.language.model import GateSpec, NumberRange, Tombstone


def group_page(group: Group, compilation: Compilation, folder: str, picture: str) -> str:
    """The page as Markdown. `folder` has the pages of versions, `picture` is the file of the timeline, or empty."""
    api = compilation.api
    return render(
        "docs/group.md.jinja",
        title=group.name or group.folder,
        folder=folder,
        picture=picture,
        group=group,
        versions=[(version, life_of_version(version, api)) for version in group.versions],
        gates=gates_of(group, api),
        shrunk_types=list(_shrunk_types(group, api)),
        lost=list(_lost(group, compilation)),
    )


def gates_of(group: Group, api: Api) -> tuple[Feature, ...]:
    """The gates that fields and values of a group name, in the order of their definition."""
    named = {gate.value for spec in _marks(group, api) for gate in spec.gates}
    return tuple(feature for feature in api.features if feature.name in named)


def _marks(group: Group, api: Api) -> Iterator[GateSpec]:
    for version in group.versions:
        for id_ in version.types:
            type_ = api.types.get(id_)
            members = type_.own_fields if isinstance(type_, Struct) else type_.values if isinstance(type_, Enum) else ()
            yield from (member.gate for member in members if member.gate is not None)


def _shrunk_types(group: Group, api: Api) -> Iterator[tuple[str, tuple[Tombstone, ...], tuple[NumberRange, ...]]]:
    """Yield the types with removed fields or values: their names, the tombstones, and the other reserved numbers."""
    for version in group.versions:
        for id_ in version.types:
            type_ = api.types.get(id_)
            tombstones = type_.tombstones if isinstance(type_, Struct | Enum) else ()
            reserved = type_.reserved if isinstance(type_, Struct) else ()
            if tombstones or reserved:
                yield f"{version.name} {id_.name}", tombstones, reserved


def _lost(group: Group, compilation: Compilation) -> Iterator[tuple[str, str, str]]:
    """Yield the values that conversions do not preserve: their type, their side, and a sentence about them."""
    for proof in compilation.once(_proofs).get(group.folder, ()):
        for side, places in (("", proof.fields), ("hub", proof.hub_places)):
            for sentence in dict.fromkeys(sentence for place in places for sentence in place.sentences()):
                yield f"{proof.version.version} {proof.version.name}", side, sentence


def _proofs(compilation: Compilation) -> Mapping[str, list[TypeProof]]:
    """The proofs of all types, by the folder of their version's group."""
    proofs: dict[str, list[TypeProof]] = {}
    for proof in prove(compilation.hub, compilation.types):
        proofs.setdefault(proof.version.group, []).append(proof)
    return proofs


def plan(compilation: Compilation) -> Iterator[OutputFile]:
    """The page of each group, and the timeline of each group with known releases."""
    for group in compilation.api.groups:
        name = package_name(group.folder)
        history = History() if group.series else compilation.history
        drawing = timeline(group, compilation.api, gates_of(group, compilation.api), history)
        has_picture = bool(drawing.releases)
        if has_picture:
            image = picture(group.name or group.folder, drawing)
            yield text_file(f"{FOLDER}/{name}-timeline.svg", image)
        page = group_page(group, compilation, name, f"{name}-timeline.svg" if has_picture else "")
        yield text_file(f"{FOLDER}/{name}.md", page)
