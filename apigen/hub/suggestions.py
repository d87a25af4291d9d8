"""Lenses for fields that differ from the hub, each planned and proven before it is proposed. Nothing is written."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from pathlib import Path

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place, Report
from apigen.hub.build import build_hub
from apigen.hub.candidates import CANDIDATES, Candidate, Pair
from apigen.hub.field_homes import hub_types_of, ordered_versions
from apigen.hub.proof import TypeProof, prove
from apigen.hub.second_hub_views import as_seen
from apigen.hub.steps import HubModel
from apigen.ir.expressions import hub_type, value_conversion
from apigen.ir.model import Api, Field, Group, Struct, TypeId, struct_of
from apigen.language.build_nodes import build_nodes
from apigen.language.model import LensSpec, Name
from apigen.language.model import Path as FieldPath
from apigen.language.nodes import Context
from apigen.language.nodes import Mapping as MappingNode
from apigen.language.readers.values import LENS
from apigen.language.source import SourceFile

_ATTEMPT = "suggestion "
"""The file that the diagnostics of a lens that is tried name, followed by its number."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A declaration to paste: `hub:` with `text` on `field` of `type_`, at `place`.

    `losses` are the sentences of the proof about it; empty where every value is preserved in both directions.
    """

    type_: TypeId
    field: str
    text: str
    place: Place
    losses: tuple[str, ...]


@dataclass(slots=True)
class _Attempt:
    """A candidate that is tried, with the number of the text that is tried now."""

    struct: TypeId
    candidate: Candidate
    number: int = 0

    @property
    def text(self) -> str:
        return self.candidate.texts[self.number]


def suggestions(api: Api, own: Container[str]) -> tuple[Suggestion, ...]:
    """Return the lenses that can be planned for the fields without a declaration, in groups of the folders `own`.

    `api` is resolved; its hub may have errors. A field gets the lens whose names are most alike, or none.
    """
    waiting: list[_Attempt] = []
    for pair in _pairs(api, own):
        candidates = [candidate for find in CANDIDATES for candidate in find(pair)]
        waiting += [_Attempt(pair.version.id, each) for each in sorted(candidates, key=lambda each: -each.likeness)]
    attempts: list[_Attempt] = []
    while True:
        waiting = _begin(attempts, waiting)
        if not attempts:
            return ()
        lenses = [_read(attempt.text, number) for number, attempt in enumerate(attempts)]
        report = Report()
        tried = _with_lenses(api, attempts, lenses)
        model = build_hub(tried, report)
        failed = _failed(attempts, lenses, report)
        if not failed:
            return tuple(sorted(_proven(attempts, tried, model), key=lambda each: each.place))
        for attempt in failed:
            attempt.number += 1
            if attempt.number == len(attempt.candidate.texts):
                attempts.remove(attempt)


def _begin(attempts: list[_Attempt], waiting: list[_Attempt]) -> list[_Attempt]:
    """Start the attempts whose field and hub fields are free, in order; return the others."""
    waiting_longer: list[_Attempt] = []
    for attempt in waiting:
        candidates = [each.candidate for each in attempts if each.struct == attempt.struct]
        (attempts if _is_free(attempt.candidate, candidates) else waiting_longer).append(attempt)
    return waiting_longer


def _is_free(candidate: Candidate, suggested: list[Candidate]) -> bool:
    """Return whether neither the field nor its hub fields have a suggestion already."""
    targets = [target for each in suggested for target in each.targets]
    return all(each.field is not candidate.field for each in suggested) and not any(
        f"{own_target}.".startswith(f"{used}.") or f"{used}.".startswith(f"{own_target}.")
        for own_target in candidate.targets
        for used in targets
    )


def _pairs(api: Api, own: Container[str]) -> Iterator[Pair]:
    seen = as_seen(api)
    hub_of = hub_types_of(seen, Report())  # errors are reported when the hubs are built
    for group in api.groups:
        if group.folder in own and group.hub is not None:
            yield from (pair for pair in _pairs_of(group, seen, hub_of) if pair.version.id in api.types)


def _pairs_of(group: Group, api: Api, hub_of: Mapping[TypeId, TypeId]) -> Iterator[Pair]:
    assert group.hub is not None
    followed = {hub_of[each.id]: each for each in api.structs(group.folder, group.hub) if each.id in hub_of}
    for version in ordered_versions(group)[1:]:
        for struct in api.structs(group.folder, version):
            hub = followed.get(hub_of.get(struct.id, struct.id))
            if hub is not None and struct.alias_of is None:
                declared = frozenset(_declared(struct))
                met = {f.json_name for f in struct.fields if _meets(f, hub.field(f.json_name), hub_of)}
                open_fields = tuple(each for each in struct.fields if each.hub is None and each.json_name not in met)
                open_hub_fields = tuple(each for each in hub.fields if each.json_name not in declared | met)
                yield Pair(struct, hub, open_fields, open_hub_fields, api.types, hub_of)


def _meets(field: Field, target: Field | None, hub_of: Mapping[TypeId, TypeId]) -> bool:
    """Return whether values of a field without lens convert to those of the hub field of the same name."""
    if target is None or field.hub is not None:
        return False
    return value_conversion(field.type, hub_type(target.type, hub_of), hub_of) is not None


def _declared(struct: Struct) -> Iterator[str]:
    """Yield the first names of the hub fields that a struct declares."""
    yield from (field.json_name for field in struct.fields if field.hub is not None and field.hub.to is None)
    lenses = [field.hub for field in struct.fields if field.hub is not None]
    lenses += [entry.lens for entry in struct.lenses]
    paths = [path for lens in lenses for path in (lens.to, lens.list_path, lens.select, *(lens.split or ()))]
    for path in (*paths, *(entry.path for entry in struct.hub_only)):
        if isinstance(path, FieldPath) and path.steps and isinstance(path.steps[0], Name):
            yield path.steps[0].name


def _with_lenses(api: Api, attempts: list[_Attempt], lenses: list[LensSpec | None]) -> Api:
    """The API with the lenses that are tried."""
    types = dict(api.types)
    for attempt, lens in zip(attempts, lenses, strict=True):
        struct = struct_of(attempt.struct, types)
        name = attempt.candidate.field.json_name
        fields = tuple(replace(field, hub=lens) if field.json_name == name else field for field in struct.fields)
        types[attempt.struct] = replace(struct, fields=fields)
    return replace(api, types=types)


def _read(text: str, number: int) -> LensSpec | None:
    """Return the lens in a text; None if the language has no such lens."""
    name, report = f"{_ATTEMPT}{number}", Report()
    root = build_nodes(SourceFile(Path(name), name, f"hub: {text}\n"), report)
    if not isinstance(root, MappingNode) or not root.entries:
        return None
    lens = LENS.read(root.entries[0].value, Context.of_run(report))
    return None if report.has_errors else lens


def _failed(attempts: list[_Attempt], lenses: list[LensSpec | None], report: Report) -> list[_Attempt]:
    """Return the attempts that are not valid lenses, or that have an error."""
    places = {diagnostic.place for diagnostic in report.diagnostics if diagnostic.severity == "error"}
    files = {place.file for place in places}
    return [
        attempt
        for number, (attempt, lens) in enumerate(zip(attempts, lenses, strict=True))
        if lens is None or f"{_ATTEMPT}{number}" in files or attempt.candidate.field.place in places
    ]


def _proven(attempts: list[_Attempt], api: Api, model: HubModel) -> Iterator[Suggestion]:
    types = {**api.types, **model.views, **model.types}
    proofs = {proof.version: proof for proof in prove(model, types)}
    for attempt in attempts:
        field, proof = attempt.candidate.field, proofs.get(attempt.struct)
        losses = () if proof is None else tuple(_losses(proof, attempt.candidate))
        yield Suggestion(attempt.struct, field.json_name, attempt.text, field.place, losses)


def _losses(proof: TypeProof, candidate: Candidate) -> Iterator[str]:
    """The sentences of the proof about the field and the hub fields that it maps to."""
    field, targets = candidate.field.json_name, candidate.targets
    found = [each for place, each in proof.fields.items() if place.partition(".")[0] == field]
    found += [each for place, each in proof.hub_places.items() if any(f"{place}.".startswith(f"{t}.") for t in targets)]
    yield from dict.fromkeys(sentence for sentences in found for sentence in sentences)
