"""How a version differs from its hub."""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.spec.model.expressions import TypeExpr
from apigen.spec.model.values import LiteralNode, Located
from apigen.spec.paths import Condition, Path


@dataclass(frozen=True, slots=True)
class LensCase:
    """One case of a lens's value (`constant`, `keepZero`): `value` when `when` holds."""

    value: LiteralNode
    when: Condition | None
    place: Place


@dataclass(frozen=True, slots=True)
class LensSpec:
    """A field's `hub:`, an entry of `lenses:` or of `hubOnly:`: the words written, not yet judged together.

    `to` is the hub path (also of `hub: path`, `alias: path`); each other word is kept as it was written. The hub
    stage decides which lens it is and whether the words fit together.
    """

    place: Place
    to: Path | None = None
    parent: Located[str] | None = None
    wins: Located[str] | None = None
    list_path: Path | None = None
    list_key: Located[str] | None = None
    enum: tuple[tuple[Located[str], Located[str]], ...] | None = None
    scale: Located[int] | None = None
    format: Located[str] | None = None
    split: tuple[Path, Path] | None = None
    select: Path | None = None
    set: tuple[tuple[Path, Located[str]], ...] | None = None
    absent: LiteralNode | None = None
    keep_zero: tuple[LensCase, ...] | None = None
    alias: Path | None = None
    constant: tuple[LensCase, ...] | None = None
    clamp: tuple[Located[int | float], Located[int | float]] | None = None
    annotation: Located[str] | None = None
    as_type: TypeExpr | None = None
    empty: Located[str] | None = None
    unreadable: Located[str] | None = None
    stale: Located[str] | None = None
    drop: Located[str] | None = None
    by_hand: Located[str] | None = None

    def words(self) -> frozenset[str]:
        """The names of the words that were written (as attributes of this class)."""
        return frozenset(
            name for name in self.__dataclass_fields__ if name != "place" and getattr(self, name) is not None
        )


@dataclass(frozen=True, slots=True)
class PathLens:
    """An entry of `lenses:` (a path of this version) or `hubOnly:` (a path of the hub)."""

    path: Path
    lens: LensSpec


@dataclass(frozen=True, slots=True)
class SecondHubSpec:
    """An entry of `alsoHub:`: a type of another hub that the type is seen as too, by lenses of its own."""

    hub: Located[str]
    lenses: tuple[PathLens, ...] = ()
    hub_only: tuple[PathLens, ...] = ()
