"""Rules on feature gates: their stages, how long they last, and their names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from apigen.diagnostics import Diagnostic, Place, Related, Severity
from apigen.ir.features import removal_of
from apigen.ir.model import Api, Enum, Feature, FeatureStage, Release, Struct
from apigen.ir.stability import releases_later
from apigen.language.model import GateSpec, Stage
from apigen.lint.evolution.evolution import Evolution, evolution_rule
from apigen.lint.rule import finding


def own_gates(evolution: Evolution) -> Iterator[Feature]:
    """Return the feature gates of this project."""
    return (f for f in evolution.now.features if evolution.covers_gate(f.name))


def gates_by_name(api: Api | None) -> dict[str, Feature]:
    """Return all gates of an API by name; empty without an API."""
    return {} if api is None else {feature.name: feature for feature in api.features}


def open_stages(feature: Feature, evolution: Evolution) -> Iterator[tuple[FeatureStage | None, FeatureStage]]:
    """Return the stages that can still be changed, each with the one before it. Recorded stages of the past cannot."""
    newest = evolution.history.newest
    is_recorded = feature.name in gates_by_name(evolution.before)
    earlier: FeatureStage | None = None
    for stage in feature.stages:
        if not is_recorded or newest is None or stage.release > newest:
            yield earlier, stage
        earlier = stage


def word(stage: Stage) -> str:
    """Return the name of a stage in messages."""
    return "GA" if stage is Stage.GA else stage.value


@evolution_rule("AG1310", can_be_acknowledged=True)
def gate_stages_follow_policy(evolution: Evolution) -> Iterator[Diagnostic]:
    """Alpha gates are disabled by default, GA gates are enabled, and only GA and deprecated gates can be locked.
    (feature-gates.md) None of the 236 gates of Kubernetes 1.36 deviates.
    """
    for feature in own_gates(evolution):
        for earlier, stage in open_stages(feature, evolution):
            yield from _of_stage(feature, earlier, stage, is_reviewed=evolution.before is not None)


def _of_stage(
    feature: Feature, earlier: FeatureStage | None, stage: FeatureStage, *, is_reviewed: bool
) -> Iterator[Diagnostic]:
    name, release = feature.name, stage.release
    if stage.stage is Stage.ALPHA and stage.default:
        message = (
            f"alpha feature gate `{name}` is enabled by default in {release}; alpha gates must be disabled by default"
        )
        hint = f'remove the default: `{{release: "{release}", stage: alpha}}`'
        yield finding(stage.place, message, hint)
    elif stage.stage in (Stage.ALPHA, Stage.BETA) and stage.locked:
        message = f"{stage.stage.value} feature gate `{name}` is locked in {release}; gates can only be locked once they are GA or deprecated"
        yield finding(stage.place, message, "remove `locked: true`, or make the stage GA: " + _as_ga(stage))
    elif stage.stage is Stage.GA and not stage.default and not _tells_what_was(feature, earlier):
        if is_reviewed and earlier is not None and earlier.default:
            return  # the review reports that the gate was disabled
        message = f"GA feature gate `{name}` is disabled by default in {release}; GA gates must be enabled"
        yield finding(stage.place, message, f"enable it: {_as_ga(stage)}")


def _tells_what_was(feature: Feature, earlier: FeatureStage | None) -> bool:
    """Return whether a stage only declares the state before a gate for a removal: it is the first, and deprecation
    follows.
    """
    return earlier is None and len(feature.stages) > 1 and feature.stages[1].stage is Stage.DEPRECATED


def _as_ga(stage: FeatureStage) -> str:
    return f"`{FeatureStage(stage.release, Stage.GA, True, True).as_yaml}`"


@evolution_rule("AG1311", severity=Severity.WARNING, can_be_acknowledged=True)
def gate_of_fields_begins_off(evolution: Evolution) -> Iterator[Diagnostic]:
    """A feature that adds fields or accepts more values starts as alpha. (feature-gates.md) With a history, the step that
    adds the field is checked instead (gate-enabled-too-early, enum-value-enabled-at-once). Of the 49 gates that fields of Kubernetes 1.36 name, 2
    were enabled in their first release.
    """
    if evolution.before is not None:
        return
    guarded = _guarded(evolution.now)
    for feature in own_gates(evolution):
        first = feature.stages[0]
        places = guarded.get(feature.name)
        if first.default and first.stage is not Stage.GA and places:
            path, place = places[0]
            yield finding(
                first.place,
                f"feature gate `{feature.name}` of `{path}` is enabled in its first release, {first.release}; the"
                " previous release, to which a server may be rolled back, does not know the field or value",
                'add an earlier stage that is disabled: `{release: "…", stage: alpha}`, or if the release was shipped'
                " like this, suppress the finding at the gate: `ignore: {AG1311: REASON}`",
                (Related(place, "the first field or value behind the gate"),),
            )


def _guarded(api: Api) -> Mapping[str, list[tuple[str, Place]]]:
    """Return the fields and values behind each gate, with their places."""
    guarded: defaultdict[str, list[tuple[str, Place]]] = defaultdict(list)
    for type_ in api.types.values():
        marked: list[tuple[str, GateSpec | None, Place]] = []
        if isinstance(type_, Struct):
            marked = [(field.json_name, field.gate, field.place) for field in type_.own_fields]
        elif isinstance(type_, Enum):
            marked = [(value.value, value.gate, value.place) for value in type_.values]
        for name, gate, place in marked:
            for located in gate.gates if gate is not None else ():
                guarded[located.value].append((f"{type_.id.name}.{name}", place))
    return guarded


BETA_LASTS = 2
"""Minimum number of releases from beta to GA: 6 months or 2 releases. (deprecation policy, rules on feature gates)"""


NOTICE = {Stage.BETA: 1, Stage.GA: 3}
"""Minimum number of releases from the deprecation of a gate until it is locked: for beta 3 months or 1 release, for GA a
year. (deprecation policy, rules on feature gates and on behavior)
"""


@evolution_rule("AG1312", can_be_acknowledged=True)
def gate_stage_lasts(evolution: Evolution) -> Iterator[Diagnostic]:
    """Check the durations of beta and deprecated stages that are not released yet.

    Without a history, it is unknown which stages were released, and 12 of the 72 gates of Kubernetes 1.36 that went from beta
    to GA did so after one release, so the findings are then warnings, as those of all rules. No deprecated gate was faster.
    """
    for feature in own_gates(evolution):
        for _, stage in open_stages(feature, evolution):
            yield from _short_beta(feature, stage)
            yield from _short_notice(feature, stage)


def _short_beta(feature: Feature, stage: FeatureStage) -> Iterator[Diagnostic]:
    beta = _first(feature, Stage.BETA)
    if stage.stage is not Stage.GA or beta is None or stage is not _first(feature, Stage.GA):
        return
    earliest = releases_later(beta.release, BETA_LASTS)
    if stage.release < earliest:
        yield _too_early(
            stage,
            beta,
            earliest,
            f"`{feature.name}` is GA in {stage.release}, but beta only since {beta.release}; beta must last 6 months or 2 releases",
        )


def _short_notice(feature: Feature, stage: FeatureStage) -> Iterator[Diagnostic]:
    before = [s for s in feature.stages if s.stage is not Stage.DEPRECATED and s.release <= stage.release]
    last = before[-1] if before else None
    deprecated = _first(feature, Stage.DEPRECATED)
    if last is None or deprecated is None or not stage.locked or stage.stage is not Stage.DEPRECATED:
        return
    already_locked = any(s.locked for s in feature.stages if s.release < stage.release)
    if already_locked or not last.default or stage.default or last.stage not in NOTICE:
        return
    earliest = releases_later(deprecated.release, NOTICE[last.stage])
    if stage.release < earliest:
        words = "3 months or 1 release" if last.stage is Stage.BETA else "a year or 3 releases"
        message = (
            f"`{feature.name}` was {word(last.stage)} and enabled, is deprecated since {deprecated.release} and locked as "
            f"disabled in {stage.release}; it must remain configurable for {words} after its deprecation"
        )
        yield _too_early(stage, deprecated, earliest, message)


def _first(feature: Feature, stage: Stage) -> FeatureStage | None:
    return next((each for each in feature.stages if each.stage is stage), None)


def _too_early(stage: FeatureStage, since: FeatureStage, earliest: Release, message: str) -> Diagnostic:
    stage_at_earliest = FeatureStage(earliest, stage.stage, stage.default, stage.locked, stage.min_compatibility)
    hint = f"move the stage to {earliest} or later: `{stage_at_earliest.as_yaml}`"
    return finding(stage.place, message, hint, (Related(since.place, f"{word(since.stage)} since {since.release}"),))


@evolution_rule("AG1313", can_be_acknowledged=True)
def gate_stays_long_enough(evolution: Evolution) -> Iterator[Diagnostic]:
    """A locked gate is kept for three releases, a deprecated one as long as the policy requires; an alpha gate can be
    removed at any time. (feature-gates.md; deprecation policy, rules on feature gates) Only planned removals are checked
    here. The rule gate-removed of the review reports those of the next release.
    """
    for feature in own_gates(evolution):
        removed = feature.removed
        if removed is None or (evolution.before is not None and removed <= evolution.target_release):
            continue
        end = removal_of(feature.stages)
        if end.release is None or end.release > removed:
            message = f"feature gate `{feature.name}` cannot be removed in {removed}: {end.reason}"
            hint = "delete `removed:` until the gate is locked"
            if end.release is not None:
                hint = f'set `removed: "{end.release}"`'
            yield finding(feature.place, message, hint)


@evolution_rule("AG1319")
def gate_name_is_new(evolution: Evolution) -> Iterator[Diagnostic]:
    """Command lines and configurations outlive a gate: an old `A=false` would silently disable the new gate."""
    recorded = gates_by_name(evolution.before)
    for feature in own_gates(evolution):
        if evolution.before is None or feature.name in recorded:
            continue
        for release in reversed(evolution.history.releases):
            known = gates_by_name(evolution.history.api(release)).get(feature.name)
            if known is not None:
                yield finding(
                    feature.place,
                    f"feature gate `{feature.name}` reuses the name of a gate that {release} had; existing settings"
                    " of the old gate would change the new one",
                    f"choose another name, such as `{feature.name}V2`",
                    (Related(known.place, f"the gate in release {release}"),),
                )
                break
