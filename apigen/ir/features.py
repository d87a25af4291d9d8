"""Feature gates: stages and dependencies, by the rules of Kubernetes' component-base."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen.dataclass import dataclass
from apigen.diagnostics import Related, Report
from apigen.diagnostics.quoting import quote
from apigen.ir.graphs import MOST_SHOWN, ring, walk
from apigen.ir.model import Feature, FeatureStage, Release
from apigen.ir.run import Run
from apigen.ir.series import series_in, series_named
from apigen.ir.stability import one_before, releases_later
from apigen.language.model import ApiSpec, FeatureSpec, FeatureStageSpec, Stage

STABILITY: Mapping[Stage, int] = {Stage.ALPHA: 1, Stage.BETA: 2, Stage.GA: 3, Stage.DEPRECATED: 4}
"""The order of the stages of a gate."""

_RELIABILITY: Mapping[Stage | None, int] = {Stage.DEPRECATED: 0, None: 1, Stage.ALPHA: 1, Stage.BETA: 2, Stage.GA: 3}
"""How reliable a gate is for gates that depend on it: deprecated gates are least reliable, and undeclared ones count
as alpha.
"""


def resolve_features(spec: ApiSpec, run: Run) -> tuple[Feature, ...]:
    """The gates in written order."""
    features: dict[str, Feature] = {}
    specs = {feature.name: feature for feature in spec.features}
    for feature in spec.features:
        features[feature.name] = Feature(
            feature.name,
            feature.place,
            _stages(feature, run),
            feature.owner,
            feature.doc.value if feature.doc else None,
            _known_dependencies(feature, specs, run),
            _removed(feature, run),
            feature.ignore,
            series_in(spec, feature.series),
        )
    _check_cycles(features, run)
    for feature in spec.features:
        _check_dependencies(feature, features, run)
    return tuple(features.values())


@dataclass(frozen=True, slots=True)
class Removal:
    """The first release that may remove a gate, or None if `reason` must be resolved first."""

    release: Release | None
    reason: str


def removal_of(stages: tuple[FeatureStage, ...]) -> Removal:
    """Return when a gate may be removed, by its stages."""
    locked = next((stage.release for stage in stages if stage.locked), None)
    if locked is not None:
        earliest = releases_later(locked)
        return Removal(
            earliest, f"it was locked in {locked} and must be kept for three releases, until {earliest} removes it"
        )
    last = stages[-1]
    before = [stage for stage in stages if stage.stage is not Stage.DEPRECATED]
    reached = before[-1].stage if before else Stage.ALPHA
    if reached is Stage.ALPHA:
        return Removal(Release(0, 0), "alpha gates can be removed at any time")
    if last.stage is not Stage.DEPRECATED:
        return Removal(
            None,
            f"it is {'GA' if reached is Stage.GA else 'beta'}, so settings may use it; it must first be deprecated, or be GA and locked",
        )
    if reached is Stage.GA:
        return Removal(
            None,
            f"it was GA before it was deprecated in {last.release}; it must first be locked for three releases",
        )
    earliest = releases_later(next(s.release for s in stages if s.stage is Stage.DEPRECATED), 1)
    return Removal(
        earliest,
        f"it was beta, and must be kept for 3 months or 1 release after its deprecation, until {earliest} removes it",
    )


def _stages(feature: FeatureSpec, run: Run) -> tuple[FeatureStage, ...]:
    first = feature.stages[0] if feature.stages else None
    if first is None:
        run.error(
            "AG0551",
            feature.place,
            f"feature gate `{feature.name}` has no stages",
            hint='add its first stage, such as `{release: "1.0", stage: alpha}`',
        )
    elif first.stage is Stage.DEPRECATED and first.release.value.minor > 0:
        run.error(
            "AG0551",
            first.place,
            f"`{feature.name}` begins with a deprecated stage, so its previous state is unknown",
            hint='add a first stage: `{release: "1.0", stage: ga, default: true}`',
        )
    stages: list[FeatureStage] = []
    for spec in feature.stages:
        stage = _stage(spec, stages[-1] if stages else None)
        _check_compatibility(stage, stages[-1] if stages else None, spec, run)
        if stages:
            _check_step(stages[-1], stage, run)
        stages.append(stage)
    return tuple(stages)


def _stage(spec: FeatureStageSpec, before: FeatureStage | None) -> FeatureStage:
    """Return a stage; without a minimum compatibility version, it has that of the previous stage."""
    own = spec.min_compatibility
    inherited = before.min_compatibility if before else None
    needed = own.value if own else inherited
    return FeatureStage(spec.release.value, spec.stage, spec.default, spec.locked, needed, spec.place)


def _removed(feature: FeatureSpec, run: Run) -> Release | None:
    if feature.removed is None:
        return None
    removed = feature.removed.value
    last = feature.stages[-1] if feature.stages else None
    if last is not None and removed <= last.release.value:
        message = f"`{feature.name}` is removed in {removed}, but its last stage begins in {last.release.value}"
        related = [Related(last.place, "the last stage")]
        run.error("AG0551", feature.removed.place, message, hint="remove it in a later release", related=related)
    return removed


def _check_compatibility(stage: FeatureStage, before: FeatureStage | None, spec: FeatureStageSpec, run: Run) -> None:
    if spec.min_compatibility is None or stage.min_compatibility is None:
        return
    place, hint = spec.min_compatibility.place, None
    if before is None or before.release != stage.release:
        problem = "`minCompatibility` requires a previous stage of the same release, which applies otherwise"
        hint = f'add that stage in front of it: `{{release: "{stage.release}", stage: {stage.stage.value}}}`'
    elif stage.min_compatibility > stage.release:
        problem = (
            f"`minCompatibility` {stage.min_compatibility} is later than the release of the stage, {stage.release}"
        )
        hint = f'use at most `minCompatibility: "{stage.release}"`'
    elif before.min_compatibility is not None and stage.min_compatibility < before.min_compatibility:
        problem = f"the stage before needs {before.min_compatibility}, but {stage.min_compatibility} is older"
        hint = f'use at least `minCompatibility: "{before.min_compatibility}"`'
    else:
        return
    related = [] if before is None else [Related(before.place, f"{before.stage.value} in {before.release}")]
    run.error("AG0551", place, problem, hint=hint, related=related)


def _check_step(earlier: FeatureStage, later: FeatureStage, run: Run) -> None:
    is_same_release = later.release == earlier.release
    order = f"stages must be in the order of releases, but {later.release} is not after {earlier.release}"
    problems = (
        (later.release < earlier.release, order, "write the stages in the order of their releases"),
        (
            is_same_release and later.min_compatibility == earlier.min_compatibility,
            order,
            f'for two stages of one release, add `minCompatibility: "{later.release}"`',
        ),
        (
            is_same_release and later.stage is not earlier.stage,
            "two stages of one release must have the same stage: only the default may depend on `minCompatibility`",
            f"write `stage: {earlier.stage.value}`, or a later release",
        ),
        (
            is_same_release and later.locked != earlier.locked,
            "two stages of one release must have the same lock: only the default may depend on `minCompatibility`",
            "lock the gate in a later release",
        ),
        (
            STABILITY[later.stage] < STABILITY[earlier.stage],
            f"a feature gate cannot go back from {earlier.stage.value} to {later.stage.value}",
            "remove this stage; to remove a feature, use `stage: deprecated`",
        ),
        (
            earlier.locked and not later.locked,
            "a locked feature gate must stay locked",
            f"add `locked: true`, or remove this stage: the gate is locked since {earlier.release}",
        ),
        (
            earlier.locked and later.default != earlier.default,
            "a locked feature gate must keep its default",
            f"remove this stage: the gate is locked since {earlier.release}",
        ),
        (
            (earlier.stage, earlier.default, earlier.locked) == (later.stage, later.default, later.locked),
            "this stage changes nothing",
            "remove it",
        ),
    )
    related = [Related(earlier.place, f"{earlier.stage.value} in {earlier.release}")]
    problem = next(((message, hint) for is_so, message, hint in problems if is_so), None)
    if problem is not None:
        run.error("AG0551", later.place, problem[0], hint=problem[1], related=related)


def _known_dependencies(feature: FeatureSpec, specs: Mapping[str, FeatureSpec], run: Run) -> tuple[str, ...]:
    known = []
    for gate in feature.depends_on:
        if gate.value in specs:
            known.append(gate.value)
        elif not run.broken.gate(gate.value):
            hint = missing_gate_hint(gate.value, specs, run)
            run.error("AG0550", gate.place, f"unknown feature gate {quote(gate.value)}", hint=hint)
    return tuple(known)


def missing_gate_hint(name: str, gates: Iterable[str], run: Run) -> str:
    """Return the fix for the name of a feature gate that is not declared: a similar one, or its declaration."""
    left = next((each for each in run.left_gates if each.name == name), None)
    if left is not None:
        return _restoring(left, run)
    first = "1.0" if run.release is None else run.release
    declaration = f'`{name}: {{stages: [{{release: "{first}", stage: alpha}}]}}`'
    return run.did_you_mean(name, gates) or (
        f"declare it in features.yaml, with its first release: {declaration}"
        if name.isascii() and name.isalnum() and name[0].isalpha()
        else "write the name of a gate of features.yaml"
    )


def _restoring(left: FeatureSpec, run: Run) -> str:
    """Return the fix for a gate that the last release has: no element needs it any more if it could be removed."""
    stages = _stages(left, Run(Report()))
    restored = f"restore it in features.yaml: `{left.name}: {{stages: [{', '.join(each.as_yaml for each in stages)}]}}`"
    end, is_locked = removal_of(stages).release, bool(stages) and stages[-1].locked and stages[-1].default
    is_over = is_locked and end is not None and run.release is not None and end <= run.release
    return f"remove the gate from this element, too, or {restored}" if is_over else restored


def _check_cycles(features: Mapping[str, Feature], run: Run) -> None:
    for cycle in walk(features, lambda name: features[name].depends_on).cycles:
        first, *others = ring(cycle, lambda name: features[name].place)[:MOST_SHOWN]
        run.error(
            "AG0552",
            features[first].place,
            "cyclic dependency of feature gates: " + " on ".join(quote(name) for name in (first, *others)),
            related=[Related(features[name].place, f"`{name}` is declared here") for name in others if name != first],
            hint=f"remove one of them from `dependsOn:`, such as {quote((*others, first)[0])} from that of {quote(first)}",
        )


def _check_dependencies(spec: FeatureSpec, features: Mapping[str, Feature], run: Run) -> None:
    feature = features[spec.name]
    for gate in spec.depends_on:
        needed = features.get(gate.value)
        if needed is None or needed is feature:
            continue
        if needed.series != feature.series:
            run.error(
                "AG0554",
                gate.place,
                f"gate `{feature.name}` depends on `{needed.name}`, a gate of {series_named(needed.series)}",
                hint=f"remove `{needed.name}` from `dependsOn:`: releases of two series cannot be compared",
                related=[Related(needed.place, f"`{needed.name}` is declared here")],
            )
            continue
        problem = _dependency_problem(feature, needed)
        if problem is not None:
            related = [Related(needed.place, f"the stages of `{needed.name}`")]
            hint = f"let `{needed.name}` reach this stage first, or remove it from `dependsOn:`"
            run.error("AG0553", gate.place, problem, hint=hint, related=related)


def _dependency_problem(feature: Feature, needed: Feature) -> str | None:
    """Return why a gate cannot depend on another, at the first release with a problem; None without one.

    An alpha gate may be older than a gate on which it depends later: it is disabled, and cannot be enabled before the
    other one exists. Kubernetes has one such pair (ProcMountType, 1.12, and UserNamespacesSupport, 1.25).
    """
    for release, least in _turns(feature, needed):
        stage, needed_stage = feature.stage_at(release, least), needed.stage_at(release, least)
        problem = None if stage is None else _imbalance(feature.name, stage, needed.name, needed_stage)
        if problem is not None:
            only = "" if least == one_before(release) else f" if no server is older than {least}"
            return f"in {release}{only}, {problem}"
    return None


def _turns(*features: Feature) -> Iterator[tuple[Release, Release]]:
    """The releases, with minimum compatibility versions, at which something begins to count for one of the gates."""
    stages = [stage for feature in features for stage in feature.stages]
    named = {stage.min_compatibility for stage in stages if stage.min_compatibility is not None}
    for release in sorted({stage.release for stage in stages}):
        yield from ((release, least) for least in sorted({one_before(release), *named}) if least <= release)


def _imbalance(name: str, stage: FeatureStage, other_name: str, other: FeatureStage | None) -> str | None:
    """Return why a stage cannot depend on that of another gate; None if it can."""
    if _RELIABILITY[stage.stage] > _RELIABILITY[other.stage if other else None]:
        state_of_other = "is not declared yet" if other is None else f"only {other.stage.value}"
        return f"`{name}` is {stage.stage.value}, but `{other_name}` {state_of_other}"
    if stage.default and not (other and other.default):
        return f"`{name}` is enabled by default, but `{other_name}` is {'disabled' if other else 'not declared yet'}"
    if stage.locked and not (other and other.locked):
        return f"`{name}` is locked, but `{other_name}` is not"
    return None
