"""What happens to an object before it is stored."""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.spec.model.gates import GateSpec
from apigen.spec.model.values import LiteralNode, Located
from apigen.spec.paths import Condition, Path


@dataclass(frozen=True, slots=True)
class GenerationSpec:
    """`generation:` of a strategy. `none`: no generation at all. Defaults: start 1, bump on spec, after dropping.

    Without a `start`, a new object keeps the generation that it comes with. `from_new`: the number moves on from that
    of the submitted object, not of the old one. `at_least`: a new object may come with more than `start`.
    """

    none: bool = False
    start: int | None = 1
    bump: tuple[Path, ...] | None = None
    before_drop: bool = False
    exact: bool = False
    from_new: bool = False
    at_least: bool = False


@dataclass(frozen=True, slots=True)
class ExceptionSpec:
    """What an operation lets change below what it keeps; with a `gate`, only while that is on."""

    path: Path
    gate: GateSpec | None = None


@dataclass(frozen=True, slots=True)
class OperationSpec:
    """What an operation does to the new object, in this order: what it keeps from the old one (less `except_`), what it
    resets, what it fills from the old one where nothing is set, what it sets, and what it adds to lists.

    `when`: the condition on the submitted object and gates under which all of that is done.
    """

    place: Place
    reset: tuple[Path, ...] | None = None
    keep: tuple[Path, ...] | None = None
    except_: tuple[ExceptionSpec, ...] = ()
    fill: tuple[Path, ...] = ()
    sets: tuple[tuple[Path, LiteralNode], ...] = ()
    adds: tuple[tuple[Path, LiteralNode], ...] = ()
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class StrategySpec:
    """A kind's `strategy:`; `operations` by name: create, update, status and each other subresource.

    `counters` are fields that count changes as `metadata.generation` does, and that no client sets.
    """

    generation: GenerationSpec | None = None
    counters: tuple[tuple[Path, GenerationSpec], ...] = ()
    operations: tuple[tuple[str, OperationSpec], ...] = ()
    hooks: tuple[Located[str], ...] = ()
