"""A gate goes when no release that a server can emulate, or that can run next to it, needs it any more."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.dataclass import dataclass
from apigen.diagnostics import Diagnostic, Related
from apigen.ir.features import stage_at
from apigen.ir.model import Feature, Release, Struct
from apigen.ir.stability import releases_later
from apigen.language.model import Stage
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.evolution.gate_steps import gates_by_name, locked_since, marks, own_gates, word, writes_gate
from apigen.lint.rule import finding

WINDOW = 3
"""Releases for which a gate stays after it is locked: that many back a server can emulate. (feature-gates.md)"""


@dataclass(frozen=True, slots=True)
class End:
    """When a gate may go: from a release on, or, where that is None, not before what `reason` asks for."""

    release: Release | None
    reason: str


class GateStaysLongEnough(EvolutionRule):
    """A locked gate stays for three releases, a deprecated one for as long as the policy says; alpha can end any time.
    (feature-gates.md; deprecation policy, rules on feature gates)
    """

    code = "AG1313"
    can_be_acknowledged = True

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        for feature in own_gates(evolution):
            if feature.removed is not None and (end := end_of(feature)) and not _may_go(end, feature.removed):
                message = f"`{feature.name}` may not go in {feature.removed} yet: {end.reason}"
                yield finding(feature.place, message, _later_hint(end))
        yield from self._vanished(evolution)

    def _vanished(self, evolution: Evolution) -> Iterator[Diagnostic]:
        if evolution.before is None:
            return
        there = gates_by_name(evolution.now)
        release = evolution.in_the_making
        for feature in evolution.before.features:
            end = end_of(feature)
            announced = feature.removed is not None and feature.removed <= release
            if feature.name in there or announced or not evolution.judges_gate(feature.name) or _may_go(end, release):
                continue
            when = "" if end.release is None else f", to go in {end.release}"
            yield finding(
                feature.place,
                f"`{feature.name}` may not go in {release} yet: {end.reason}",
                f"put it back into features.yaml{when}: `{writes_gate(feature)}`",
                tuple(_users(feature, release, evolution)),
            )


def end_of(feature: Feature) -> End:
    """When a gate may go, by its stages."""
    locked = locked_since(feature)
    if locked is not None:
        due = releases_later(locked, WINDOW)
        return End(due, f"it is locked since {locked}, and stays for three releases after that, until {due}")
    last = feature.stages[-1]
    before = [stage for stage in feature.stages if stage.stage is not Stage.DEPRECATED]
    reached = before[-1].stage if before else Stage.ALPHA
    if reached is Stage.ALPHA:
        return End(Release(0, 0), "alpha can end any time")
    if last.stage is not Stage.DEPRECATED:
        return End(
            None,
            f"it is {word(reached)}, and people may have switched it; it has to be deprecated, or GA and locked, first",
        )
    if reached is Stage.GA:
        return End(
            None,
            f"it is deprecated since {last.release}, and was GA before; it has to be locked first, for three releases",
        )
    due = releases_later(next(s.release for s in feature.stages if s.stage is Stage.DEPRECATED), 1)
    return End(due, f"it was beta, and a deprecated gate stays for 3 months or 1 release, until {due}")


def _may_go(end: End, release: Release) -> bool:
    return end.release is not None and end.release <= release


def _later_hint(end: End) -> str:
    if end.release is not None:
        return f'`removed: "{end.release}"` is the earliest'
    return "leave `removed` away until it is locked"


def _users(feature: Feature, release: Release, evolution: Evolution) -> Iterator[Related]:
    """Where it was recorded, and what stood behind it when it could be switched last, if a server can emulate that."""
    yield Related(feature.place, f"as {evolution.history.newest} has it")
    for recorded in reversed(evolution.history.releases):
        stage = stage_at(feature, recorded)
        if recorded < Release(release.major, release.minor - WINDOW) or stage is None or stage.locked:
            continue
        for type_ in evolution.history.api(recorded).types.values():
            if not isinstance(type_, Struct):
                continue
            for field in type_.own_fields:
                if feature.name in marks(field):
                    said = f"{recorded}, which a server of {release} can imitate, has it switched for `{type_.id.name}.{field.json_name}`"
                    yield Related(field.place, said)
                    return
