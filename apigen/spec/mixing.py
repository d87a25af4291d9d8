"""The types of a version's file of which nearly the same text was read before: only those are read that have another text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Report
from apigen.diagnostics.moved_places import MovedFile
from apigen.spec.context import Context
from apigen.spec.model import TypeSpec, VersionFile
from apigen.spec.read_before import Make
from apigen.spec.source import SourceFile
from apigen.spec.split_types import TYPE_COLUMN, Piece, SplitText, split_types

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Mixed:
    """A version's file whose types are partly those of another, and where these stand in it."""

    version: VersionFile
    moved: MovedFile


def mixed(text: str, value: VersionFile, file: SourceFile, context: Context, make: Make[T]) -> Mixed | None:
    """The types of `file`: those that have the same text in `text` are the types of `value`, the others are read."""
    old, new = split_types(text), split_types(file.text)
    if old is None or new is None or old.head != new.head or not _is_split_right(old.pieces, value.types):
        return None
    known = {piece.text: (type_, piece.line) for piece, type_ in zip(old.pieces, value.types, strict=True)}
    own = tuple(piece for piece in new.pieces if piece.text not in known)
    read = _own_types(new, own, file, context, make) if len(own) < len(new.pieces) else None
    if read is None:
        return None
    types: list[TypeSpec] = []
    moved: list[tuple[int, int]] = []
    for piece in new.pieces:
        type_, line = known.get(piece.text, (None, 0))
        types.append(next(read) if type_ is None else type_)
        if type_ is not None:
            moved.append((line, piece.line - line))
    if len({type_.name for type_ in types}) < len(types):
        return None
    starts, offsets = zip(*sorted(moved), strict=True)
    place = Place(file.name, value.place.line, value.place.column)
    return Mixed(VersionFile(value.name, place, tuple(types)), MovedFile(file.name, starts, offsets))


def _own_types(
    split: SplitText, own: tuple[Piece, ...], file: SourceFile, context: Context, make: Make[T]
) -> Iterator[TypeSpec] | None:
    """The types of some pieces, read with all others masked; None where anything is wrong, or the pieces were no types."""
    if not own:
        return iter(())
    trial = Report()
    masked = SourceFile(file.path, file.name, split.masked(frozenset(piece.line for piece in own)))
    made = make(masked, Context.of_run(trial).inside(*context.owner))
    if trial.told or not isinstance(made, VersionFile) or not _is_split_right(own, made.types):
        return None
    return iter(made.types)


def _is_split_right(pieces: tuple[Piece, ...], types: tuple[TypeSpec, ...]) -> bool:
    """Whether each piece begins with the name of a type, and all types were found."""
    starts = [(piece.line, TYPE_COLUMN) for piece in pieces]
    return starts == [(type_.place.line, type_.place.column) for type_ in types]
