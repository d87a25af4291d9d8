"""Writes a page for each group, docs/<group>.md: its versions, kinds, gates, removed elements and timeline, and losses of conversions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen.codegen.backend_input import Compilation
from apigen.codegen.docs.text import code, sentence, table, text, with_code
from apigen.codegen.docs.timeline import life_of_version, picture, timeline
from apigen.codegen.docs.version import FOLDER
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.rendering import render
from apigen.history.model import History
from apigen.hub.proof import TypeProof, prove
from apigen.ir.generated_modules import package_name
from apigen.ir.model import Api, Enum, Feature, Group, Release, Struct
from apigen.language.model import GateSpec, Tombstone


def group_page(group: Group, compilation: Compilation, name: str, picture: str) -> str:
    """The page as Markdown. `name` is the folder with the pages of versions, `picture` the file of the timeline, or empty."""
    api = compilation.api
    title = group.name or group.folder
    return render(
        "docs/group.md.jinja",
        title=text(title),
        alt=text(f"Timeline of {title}"),
        picture=picture,
        versions=_versions(group, api, name),
        kinds=_kinds(group, name),
        gates=_gates(gates_of(group, api)),
        removals=_removals(group, api),
        lost=_lost(group, compilation),
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


def release(value: Release | None) -> str:
    """A release in a table."""
    return "" if value is None else str(value)


def _versions(group: Group, api: Api, name: str) -> str:
    rows = []
    for version in group.versions:
        life = life_of_version(version, api)
        link = f"[{version.name}]({name}/{version.name}.md)" if version.types else version.name
        served = ", ".join(
            word
            for word, holds in (
                ("served", version.served),
                ("not served", not version.served),
                ("storage", version.storage),
                ("preferred", version.preferred),
            )
            if holds
        )
        replacement = life.replacement.version if life.replacement else ""
        lives = (release(life.introduced), release(life.deprecated), release(life.removed))
        rows.append((link, served, *lives, code(replacement) if replacement else ""))
    return table(("version", "", "introduced", "deprecated", "removed", "instead"), rows)


def _kinds(group: Group, name: str) -> str:
    rows = []
    for kind in group.kinds:
        versions = [
            f"[{version.name}]({name}/{version.name}.md)"
            for version in group.versions
            if any(id_.name == kind.name for id_ in version.types)
        ]
        scope = "Namespaced" if kind.namespaced else "Cluster"
        more = ", ".join(code(each) for each in (*kind.short_names, *kind.subresources))
        rows.append((code(kind.name), code(kind.plural), scope, ", ".join(versions), more))
    return table(("kind", "plural", "scope", "versions", "short names, subresources"), rows)


def _gates(gates: Iterable[Feature]) -> str:
    rows = []
    for gate in gates:
        stages = ", ".join(
            f"{stage.stage.value} in {stage.release} ({'on' if stage.default else 'off'}"
            f"{', locked' if stage.locked else ''})"
            for stage in gate.stages
        )
        rows.append((code(gate.name), stages, sentence(gate.doc)))
    return table(("gate", "stages", ""), rows)


def _removals(group: Group, api: Api) -> str:
    rows = [_removal_row("version", removed) for removed in group.removed_versions]
    rows += [_removal_row("kind", removed) for removed in group.removed_kinds]
    for version in group.versions:
        for id_ in version.types:
            type_ = api.types.get(id_)
            for tombstone in type_.tombstones if isinstance(type_, Struct | Enum) else ():
                rows.append(_removal_row(code(f"{version.name} {id_.name}"), tombstone))
            numbers = ", ".join(map(str, type_.reserved)) if isinstance(type_, Struct) else ""
            if numbers:
                rows.append((code(f"{version.name} {id_.name}"), "", numbers, "", "used by unknown fields"))
    return table(("where", "name", "number", "removed", "why"), rows)


def _removal_row(where: str, tombstone: Tombstone) -> tuple[str, ...]:
    number = "" if tombstone.number is None else str(tombstone.number)
    reason = text(tombstone.reason or "")
    return where, code(tombstone.name), number, release(tombstone.removed), reason


def _lost(group: Group, compilation: Compilation) -> str:
    rows = []
    for proof in compilation.once(_proofs).get(group.folder, ()):
        where = code(f"{proof.version.version} {proof.version.name}")
        for side, places in (("", proof.fields), ("hub", proof.hub_places)):
            sentences = dict.fromkeys(sentence for found in places.values() for sentence in found)
            rows += [(where, side, with_code(sentence)) for sentence in sentences]
    return table(("type", "side", "not preserved"), rows)


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
