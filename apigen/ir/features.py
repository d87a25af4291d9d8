"""Feature gates: their stages, and what they depend on. The rules are those of Kubernetes' component-base."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.diagnostics import Related
from apigen.diagnostics.quoting import quote
from apigen.ir.graphs import MOST_SHOWN, ring, walk
from apigen.ir.lifecycle import parse_release
from apigen.ir.model import Feature, FeatureStage, Release
from apigen.ir.run import Run
from apigen.spec.model import ApiSpec, FeatureSpec, FeatureStageSpec, Stage

STABILITY: Mapping[Stage, int] = {Stage.ALPHA: 1, Stage.BETA: 2, Stage.GA: 3, Stage.DEPRECATED: 4}


def resolve_features(spec: ApiSpec, run: Run) -> tuple[Feature, ...]:
    """The gates in written order."""
    features: dict[str, Feature] = {}
    specs = {feature.name: feature for feature in spec.features}
    for feature in spec.features:
        stages = _stages(feature, run)
        depends_on = _known_dependencies(feature, specs, run)
        doc = feature.doc.value if feature.doc else None
        features[feature.name] = Feature(feature.name, feature.place, stages, feature.owner, doc, depends_on)
    _check_cycles(features, run)
    for feature in spec.features:
        _check_dependencies(feature, features, run)
    return tuple(features.values())


def stage_at(feature: Feature, release: Release) -> FeatureStage | None:
    """The stage that counts in a release; None before the first one."""
    return next((stage for stage in reversed(feature.stages) if stage.release <= release), None)


def _stages(feature: FeatureSpec, run: Run) -> tuple[FeatureStage, ...]:
    if not feature.stages:
        run.error("AG0551", feature.place, f"`{feature.name}` has no stage", hint="say from which release it is alpha")
    elif feature.stages[0].stage is Stage.DEPRECATED:
        run.error(
            "AG0551",
            feature.stages[0].place,
            f"`{feature.name}` begins deprecated, so nobody knows what held before",
            hint='put the stage before it: `{release: "1.0", stage: ga, default: true}`',
        )
    stages: list[FeatureStage] = []
    before: FeatureStageSpec | None = None
    for spec in feature.stages:
        stage = FeatureStage(parse_release(spec.release.value), spec.stage, spec.default, spec.locked)
        if stages and before is not None:
            _check_step(stages[-1], stage, before, spec, run)
        stages.append(stage)
        before = spec
    return tuple(stages)


def _check_step(
    earlier: FeatureStage, later: FeatureStage, before: FeatureStageSpec, spec: FeatureStageSpec, run: Run
) -> None:
    related = [Related(before.place, f"{earlier.stage.value} in {earlier.release}")]
    problem = None
    if later.release <= earlier.release:
        problem = f"stages go from release to release, and {later.release} is not after {earlier.release}"
    elif STABILITY[later.stage] < STABILITY[earlier.stage]:
        problem = f"a gate does not go back from {earlier.stage.value} to {later.stage.value}"
    elif earlier.locked and not later.locked:
        problem = "a gate that was locked stays locked"
    elif earlier.locked and later.default != earlier.default:
        problem = "a gate that was locked keeps its default"
    elif (earlier.stage, earlier.default, earlier.locked) == (later.stage, later.default, later.locked):
        problem = "this stage changes nothing"
    if problem is not None:
        run.error("AG0551", spec.place, problem, related=related)


def _known_dependencies(feature: FeatureSpec, specs: Mapping[str, FeatureSpec], run: Run) -> tuple[str, ...]:
    known = []
    for gate in feature.depends_on:
        if gate.value in specs:
            known.append(gate.value)
        elif not run.broken.gate(gate.value):
            hint = run.did_you_mean(gate.value, specs)
            run.error("AG0550", gate.place, f"there is no gate {quote(gate.value)}", hint=hint)
    return tuple(known)


def _check_cycles(features: Mapping[str, Feature], run: Run) -> None:
    for cycle in walk(features, lambda name: features[name].depends_on).cycles:
        first, *others = ring(cycle, lambda name: features[name].place)[:MOST_SHOWN]
        run.error(
            "AG0552",
            features[first].place,
            "gates depend on each other: " + " on ".join(quote(name) for name in (first, *others)),
            related=[Related(features[name].place, f"`{name}` stands here") for name in others if name != first],
        )


def _check_dependencies(spec: FeatureSpec, features: Mapping[str, Feature], run: Run) -> None:
    feature = features[spec.name]
    for gate in spec.depends_on:
        needed = features.get(gate.value)
        if needed is None or needed is feature:
            continue
        problem = _dependency_problem(feature, needed)
        if problem is not None:
            run.error("AG0553", gate.place, problem, related=[Related(needed.place, f"the stages of `{needed.name}`")])


def _dependency_problem(feature: Feature, needed: Feature) -> str | None:
    """Why a gate cannot depend on another, at the first release where that is so.

    A gate that is alpha may be older than what it came to depend on: it is off, and cannot be switched on before the
    other one is there. Kubernetes has one such pair (ProcMountType, 1.12, and UserNamespacesSupport, 1.25).
    """
    for release in sorted({stage.release for stage in (*feature.stages, *needed.stages)}):
        mine, other = stage_at(feature, release), stage_at(needed, release)
        if mine is None or mine.stage is Stage.DEPRECATED:
            continue
        if other is None:
            if mine.stage is Stage.ALPHA and not mine.default:
                continue
            return f"in {release}, `{feature.name}` is {mine.stage.value}, and `{needed.name}` is not there yet"
        if STABILITY[other.stage] < STABILITY[mine.stage]:
            return f"in {release}, `{feature.name}` is {mine.stage.value}, and `{needed.name}` only {other.stage.value}"
        if mine.default and not other.default:
            return f"in {release}, `{feature.name}` is on by default, and `{needed.name}` is off"
        if mine.locked and not other.locked:
            return f"in {release}, `{feature.name}` is locked, and `{needed.name}` is not"
    return None
