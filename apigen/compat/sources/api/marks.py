"""Gates, lifecycles and tombstones of the IR."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.compat.sources.api.words import condition_words, literal
from apigen.compat.surface.lifecycle import NO_LIFECYCLE, Gate, GateMark, GateStage, Lifecycle
from apigen.compat.surface.types import Tombstone
from apigen.ir.model import NO_LIFECYCLE as NOTHING_SAID
from apigen.ir.model import Enum, Feature, Gone, Replacement, Struct
from apigen.ir.model import Lifecycle as IrLifecycle
from apigen.ir.model import Tombstone as IrTombstone
from apigen.spec.model import GateJoin, GateSpec, NumberRange


def gate_of(feature: Feature, *, is_own: bool) -> Gate:
    """A feature gate with its stages."""
    stages = tuple(
        GateStage(each.release, each.stage, each.default, each.locked, each.min_compatibility)
        for each in feature.stages
    )
    return Gate(
        feature.name,
        stages,
        feature.place,
        feature.removed,
        feature.depends_on,
        borrowed=not is_own,
        series=feature.series,
    )


def mark_of(gate: GateSpec | None) -> GateMark | None:
    """What a `featureGate:` says."""
    if gate is None:
        return None
    names = tuple(sorted(each.value for each in gate.gates))
    is_everywhere = gate.during is None or {"create", "update"} <= set(gate.during)
    is_dropped = is_everywhere and gate.to is None
    return GateMark(names, gate.join is GateJoin.ANY, _mark_words(gate), gate.place, is_dropped)


def _mark_words(gate: GateSpec) -> str:
    if gate.in_use == "gate" and gate.to is None and gate.during is None and not gate.prune:
        return ""
    in_use = gate.in_use if isinstance(gate.in_use, str) else condition_words(gate.in_use)
    words = [] if in_use == "gate" else [f"in use: {in_use}"]
    if gate.to is not None:
        words.append(f"to {literal(gate.to)}")
    if gate.during is not None:
        words.append(f"during {', '.join(gate.during) or 'nothing'}")
    if gate.prune:
        words.append("with an emptied parent")
    return "; ".join(words)


def lifecycle_of(found: IrLifecycle) -> Lifecycle:
    """The releases in which an element came and went."""
    if found is NOTHING_SAID or found == NOTHING_SAID:
        return NO_LIFECYCLE
    replacement = None if found.replacement is None else _replacement(found.replacement)
    return Lifecycle(found.introduced, found.deprecated, found.removed, replacement, returned=found.returned)


def _replacement(to: Replacement) -> str:
    if to.path:
        return to.path
    version = f"{to.group}/{to.version}" if to.group else to.version
    return f"{version} {to.kind}".rstrip()


def tombstones_of(type_: Struct | Enum) -> tuple[Tombstone, ...]:
    """The tombstones of a type, then the numbers that are reserved without a name."""
    named = tuple(map(_tombstone, type_.tombstones))
    reserved = type_.reserved if isinstance(type_, Struct) else ()
    return (*named, *(Tombstone("", numbers, type_.place) for numbers in reserved))


def _tombstone(found: IrTombstone) -> Tombstone:
    numbers = None if found.number is None else NumberRange(found.number, found.number)
    return Tombstone(found.json_name, numbers, found.place, found.removed, found.reason)


def gone_of(gone: Iterable[Gone]) -> tuple[Tombstone, ...]:
    """Versions or kinds that are gone."""
    return tuple(Tombstone(each.name, None, each.place, each.removed, each.reason, each.migrated) for each in gone)
