"""What a version carries in an annotation is found there again."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Related
from apigen.ir.model import Struct
from apigen.rules.evolution.enum_steps import struct_steps
from apigen.rules.evolution.evolution import Evolution, EvolutionRule
from apigen.rules.rule import finding
from apigen.spec.model import LensSpec


class AnnotationKeyStays(EvolutionRule):
    """The key of an annotation that stands for a field is part of the API: clients send back what they got, and objects
    are stored with it.
    """

    code = "AG1387"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        release = evolution.history.newest
        for before, now in struct_steps(evolution):
            was = dict(_annotations(before))
            for path, lens in _annotations(now):
                old = was.get(path)
                if old is None or lens.annotation is None or old.annotation is None:
                    continue
                if _written(old) != _written(lens):
                    message = (
                        f"{now.id.version} carries `{path}` as {_written(lens)}, and did as {_written(old)} in {release}: "
                        "what clients and the store have there is not read any more"
                    )
                    related = (Related(old.place, f"as {release} shipped it"),)
                    yield finding(lens.place, message, f"put {_written(old)} back", related)


def _annotations(struct: Struct) -> Iterator[tuple[str, LensSpec]]:
    """The lenses of a type that carry something in an annotation, by what they carry."""
    lenses = [(str(entry.path), entry.lens) for entry in (*struct.lenses, *struct.hub_only)]
    lenses += [(field.json_name, field.hub) for field in struct.own_fields if field.hub is not None]
    return ((path, lens) for path, lens in lenses if lens.annotation is not None)


def _written(lens: LensSpec) -> str:
    assert lens.annotation is not None
    format_ = f", format: {lens.format.value}" if lens.format is not None else ""
    return f"`annotation: {lens.annotation.value}{format_}`"
