"""Rules about changes from one release to the next, the data that they check, and their evaluation, without the findings that
`ignore:` suppresses.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from apigen.dataclass import dataclass
from apigen.diagnostics import Diagnostic, Place, Related, Report, Severity
from apigen.diagnostics.quoting import listing, yaml_text
from apigen.history.model import History
from apigen.ir.features import removal_of
from apigen.ir.model import (
    Api,
    Enum,
    EnumValue,
    Feature,
    FeatureStage,
    Field,
    Group,
    Ignored,
    Inline,
    Release,
    Struct,
    TypeId,
    Version,
)
from apigen.ir.stability import WINDOW, Stability, next_release, one_before, releases_later, stability
from apigen.language.model import (
    All,
    Any,
    Condition,
    DefaultCase,
    GateEnabled,
    GateJoin,
    GateSpec,
    Located,
    Stage,
    Tombstone,
)
from apigen.lint.rules import finding


@dataclass(frozen=True, slots=True)
class Evolution:
    """The current API, its recorded releases, and the next release.

    `release` is `None` if neither the configuration nor the history determines it. `groups` are the folders that belong
    to this project: only these are checked. `gates` are the names of its feature gates; None means all.
    """

    now: Api
    history: History
    release: Release | None
    groups: frozenset[str]
    gates: frozenset[str] | None = None

    @property
    def before(self) -> Api | None:
        """The API of the last release; None if nothing is recorded."""
        newest = self.history.newest
        return None if newest is None else self.history.api(newest)

    @property
    def newest(self) -> Release:
        """The last recorded release. Only for an API that has been released."""
        assert self.history.newest is not None
        return self.history.newest

    @property
    def target_release(self) -> Release:
        """The next release: the configured one, or the minor release after the last recorded one."""
        return self.release or next_release(self.newest)

    def covers(self, id_: TypeId) -> bool:
        """Return whether a type belongs to the project and its version is beta or stable."""
        return id_.group in self.groups and stability(id_.version) is not Stability.ALPHA

    def covers_gate(self, name: str) -> bool:
        """Return whether a feature gate belongs to the project."""
        return self.gates is None or name in self.gates


Check = Callable[[Evolution], Iterator[Diagnostic]]
"""Yields the findings of a rule."""


@dataclass(frozen=True, slots=True)
class EvolutionRule:
    """A rule about the changes since the last release: a row with its code and the function that checks them.

    A finding of a rule with `can_be_acknowledged` is suppressed by `ignore: {CODE: reason}` on the element at its place.
    Findings about lost data and reused names cannot be suppressed.
    """

    code: str
    check: Check
    severity: Severity
    can_be_acknowledged: bool


def evolution_rule(
    code: str, *, severity: Severity = Severity.ERROR, can_be_acknowledged: bool = False
) -> Callable[[Check], EvolutionRule]:
    """Make a row of a function that checks the changes since the last release."""
    return lambda check: EvolutionRule(code, check, severity, can_be_acknowledged)


Member = Field | Inline | EnumValue


def members_of(type_: object) -> Mapping[str, Member]:
    """The fields of a struct's own, inline ones too, or the values of an enum, by name."""
    if isinstance(type_, Enum):
        return {value.value: value for value in type_.values}
    if not isinstance(type_, Struct) or type_.alias_of is not None:
        return {}
    inlines = {inline.name: inline for inline in type_.inlines if not inline.via}
    return {**{field.json_name: field for field in type_.own_fields}, **inlines}


def kinds_now(evolution: Evolution) -> Iterator[tuple[Version, Struct]]:
    """Return every kind of this project in every version, without lists."""
    for group in evolution.now.groups:
        if group.folder not in evolution.groups:
            continue
        for version in group.versions:
            for struct in evolution.now.structs(group.folder, version.name):
                if struct.kind is not None and struct.list_of is None:
                    yield version, struct


def stored(group: Group) -> Version | None:
    """Return the storage version of a group."""
    return next((version for version in group.versions if version.storage), None)


@evolution_rule("AG1348")
def stored_version_stays_readable(evolution: Evolution) -> Iterator[Diagnostic]:
    """Objects keep their stored version until they are written again, so the version must be kept, served or not, until they
    are migrated. (kubernetes/kubernetes, issue 52185) The rule stored-version-removed of the review reports beta and stable
    versions that the last release stores.
    """
    for group in evolution.now.groups:
        if group.folder in evolution.groups:
            for name, (release, place) in _ever_stored(group, evolution).items():
                is_reviewed = release == evolution.history.newest and stability(name) is not Stability.ALPHA
                if group.version(name) is None and not is_reviewed:
                    yield from _of_version(name, release, place, group, evolution)


def _of_version(name: str, last: Release, place: Place, group: Group, evolution: Evolution) -> Iterator[Diagnostic]:
    tombstone = next((tombstone for tombstone in group.removed_versions if tombstone.name == name), None)
    problem = _problem(name, tombstone, last, evolution)
    if problem is not None:
        yield finding(
            group.place if tombstone is None else tombstone.place,
            f"version {name} was removed, but it was the storage version until release {last}, and {problem}",
            f"keep {name} with `served: false` until all objects are rewritten; then remove it and declare"
            f" `tombstones: {{versions: {{{name}: {{removed: RELEASE, migrated: RELEASE}}}}}}`",
            (Related(place, f"the storage version of {last}"),),
        )


def _problem(name: str, tombstone: Tombstone | None, last: Release, evolution: Evolution) -> str | None:
    if last == evolution.history.newest:
        return "a rollback to that release must read the stored objects"
    migrated = None if tombstone is None else tombstone.migrated
    if migrated is None:
        return "no migration is declared"
    if migrated <= last:
        return f'`migrated: "{migrated}"` is not later than that release'
    return (
        None
        if evolution.release is None or migrated <= evolution.release
        else f'`migrated: "{migrated}"` is not released yet'
    )


def _ever_stored(group: Group, evolution: Evolution) -> dict[str, tuple[Release, Place]]:
    """Return the versions that were the storage version of a release, each with the last such release."""
    found: dict[str, tuple[Release, Place]] = {}
    for release, api in evolution.history.steps():
        was = next((other for other in api.groups if other.folder == group.folder), None)
        version = None if was is None else stored(was)
        if version is not None:
            found[version.name] = (release, version.place)
    return found


@evolution_rule("AG1106", severity=Severity.WARNING, can_be_acknowledged=True)
def pre_release_ends(evolution: Evolution) -> Iterator[Diagnostic]:
    """Alpha and beta versions are deprecated, and then removed, after three releases each. (Deprecation policy, rule 4a)

    A kind whose last release declares either is not checked: the review reports that it must be restored.
    """
    for version, struct in kinds_now(evolution):
        life = struct.lifecycle
        if life.introduced is None or stability(version.name) is Stability.STABLE:
            continue
        was = evolution.before.types.get(struct.id) if evolution.before is not None else None
        lives = [life, was.lifecycle] if isinstance(was, Struct) else [life]
        if not any(each.deprecated or each.removed for each in lives):
            deprecated = max(releases_later(life.introduced), evolution.release or life.introduced)
            yield finding(
                struct.place,
                f"{version.name} `{struct.id.name}` declares neither `deprecated:` nor `removed:`; pre-release versions must declare both",
                f'declare on the version, or here: `deprecated: "{deprecated}", removed: "{releases_later(deprecated)}"`',
            )


@evolution_rule("AG1341", severity=Severity.WARNING, can_be_acknowledged=True)
def beta_is_deprecated_in_time(evolution: Evolution) -> Iterator[Diagnostic]:
    """A beta kind is deprecated at most nine months or three releases after its introduction. (Deprecation policy, rule 4a)

    Past releases, and kinds that were released with a later plan, are not checked: released facts cannot change.
    """
    for version, struct in kinds_now(evolution):
        life = struct.lifecycle
        was = evolution.before.types.get(struct.id) if evolution.before is not None else None
        is_decided = isinstance(was, Struct) and was.lifecycle == life
        if evolution.release is None or is_decided or stability(version.name) is not Stability.BETA:
            continue
        if life.introduced is None or life.deprecated is None or life.deprecated < evolution.release:
            continue
        latest = max(releases_later(life.introduced), evolution.release)
        if life.deprecated > latest and life.deprecated.major == latest.major:
            yield finding(
                struct.place,
                f"{version.name} `{struct.id.name}` was introduced in {life.introduced} and is deprecated only in"
                f" {life.deprecated}; beta kinds must be deprecated within {WINDOW} releases",
                f'set `deprecated: "{latest}", removed: "{releases_later(latest)}"`',
            )


@dataclass(frozen=True, slots=True)
class Return:
    """A field or value with `returned:`; `was` is the last release that has it, and its state in that release."""

    name: str
    member: Member
    returned: Release
    was: tuple[Release, Member] | None
    is_still_in_last: bool


def returns(evolution: Evolution) -> Iterator[Return]:
    """Return all elements with `returned:`, compared with the recorded releases before they were restored."""
    for id_, type_ in evolution.now.types.items():
        for name, member in members_of(type_).items() if id_.group in evolution.groups else ():
            returned = None if isinstance(member, Inline) else member.lifecycle.returned
            if returned is None:
                continue
            past = [release for release in evolution.history.releases if release < returned]
            was = _last(id_, name, past, evolution.history)
            is_still_in_last = was is not None and was[0] == past[-1]
            yield Return(f"{id_.name}.{name}", member, returned, was, is_still_in_last)


def _last(id_: TypeId, name: str, releases: list[Release], history: History) -> tuple[Release, Member] | None:
    """Return the last of the releases that has a member, and its state in that release."""
    for release in reversed(releases):
        known = members_of(history.api(release).types.get(id_)).get(name)
        if known is not None:
            return release, known
    return None


@evolution_rule("AG1323")
def returned_is_identical(evolution: Evolution) -> Iterator[Diagnostic]:
    """A restored field has the same name, number, type and presence, because stored objects contain it. (api_changes.md,
    "if the feature is resurrected")
    """
    for restored in returns(evolution):
        if restored.was is None or restored.is_still_in_last:
            continue
        release, was = restored.was
        for word, before, now in _differences(was, restored.member):
            yield finding(
                restored.member.place,
                f"`{restored.name}` was restored with another {word}: `{now}` instead of `{before}` (release {release})",
                f"restore the {word} `{before}`, or keep the tombstone and add a field with a new name",
                (Related(was.place, f"in release {release}"),),
            )


def _differences(was: Member, now: Member) -> Iterator[tuple[str, str, str]]:
    """Return the differences between two states of a member: the property, the old value, the new value."""
    if isinstance(was, EnumValue) or isinstance(now, EnumValue):
        return
    for word, before, after in (
        ("number", str(was.number), str(now.number)),
        ("type", str(was.type), str(now.type)),
        ("presence", _presence(was), _presence(now)),
    ):
        if before != after:
            yield word, before, after


def _presence(member: Field | Inline) -> str:
    return "inline" if isinstance(member, Inline) else member.presence.value


@evolution_rule("AG1324")
def returned_was_removed(evolution: Evolution) -> Iterator[Diagnostic]:
    """The records must confirm `returned:`: a release had the element, a later one did not, and the next one restores
    it.
    """
    newest = evolution.history.newest
    if newest is None:
        return
    for restored in returns(evolution):
        problem = None
        if restored.was is None:
            problem = "no earlier release has it", "delete `returned:`"
        elif restored.is_still_in_last:
            problem = f"release {restored.was[0]} still has it", "delete `returned:`"
        elif restored.returned > newest and evolution.release is not None and restored.returned != evolution.release:
            edit = f'`returned: "{evolution.release}"`'
            problem = f"the next release is {evolution.release}", f"write {edit}"
        if problem is not None:
            message = f'`{restored.name}` declares `returned: "{restored.returned}"`, but {problem[0]}'
            yield finding(restored.member.place, message, problem[1])


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
                f"add an earlier stage that is disabled: `{_stage_before(first)}`, or if the release was shipped"
                " like this, suppress the finding at the gate: `ignore: {AG1311: REASON}`",
                (Related(place, "the first field or value behind the gate"),),
            )


def _stage_before(stage: FeatureStage) -> str:
    """Return an alpha stage that starts one release earlier than a stage, as in features.yaml."""
    return FeatureStage(one_before(stage.release), Stage.ALPHA, default=False, locked=False).as_yaml


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


@evolution_rule("AG1318", can_be_acknowledged=True)
def gated_default_depends_on_gate(evolution: Evolution) -> Iterator[Diagnostic]:
    """Objects are defaulted when they are read, independently of gates. An unconditional default is therefore set on every
    read, written by every client while the feature is disabled, and dropped with a warning about a field that the client
    did not set. (api_changes.md, "Backward compatibility gotchas")
    """
    for type_ in evolution.now.types.values():
        if isinstance(type_, Struct) and type_.id.group in evolution.groups:
            for field in type_.own_fields:
                yield from _of_field(field, type_)


def _of_field(field: Field, struct: Struct) -> Iterator[Diagnostic]:
    gate = field.gate
    if gate is None or gate.during == ():
        return
    for case in field.default:
        if (
            case.from_path is None
            and case.value is not None
            and not _is_harmless(case, gate)
            and not _requires_gates(case.when, gate)
        ):
            yield finding(
                field.place,
                f"default of `{struct.id.name}.{field.json_name}` applies even if {_off(gate)}; every read restores the "
                "field that the write dropped",
                _mend(field, case, gate),
            )
            return


def _is_harmless(case: DefaultCase, gate: GateSpec) -> bool:
    """Return whether the default clears the field, or is the value to which the gate resets it."""
    if not isinstance(case.value, Located):
        return case.value == gate.to
    return case.value.value is None or (isinstance(gate.to, Located) and gate.to.value == case.value.value)


def _requires_gates(when: Condition | None, gate: GateSpec) -> bool:
    """Return whether a condition is true only if the gates of the field are enabled."""
    names = {located.value for located in gate.gates}
    required = _required_gates(when)
    return bool(names & required) or _asks_any(when, names) if gate.join is GateJoin.ANY else names <= required


def _required_gates(when: Condition | None) -> set[str]:
    """Return the gates without which a condition is never true."""
    match when:
        case GateEnabled(gate):
            return {gate}
        case All(conditions):
            return set().union(*(_required_gates(each) for each in conditions))
        case Any(conditions) if conditions:
            return set.intersection(*(_required_gates(each) for each in conditions))
    return set()


def _asks_any(when: Condition | None, names: set[str]) -> bool:
    match when:
        case GateEnabled(gate):
            return gate in names
        case All(conditions):
            return any(_asks_any(each, names) for each in conditions)
        case Any(conditions):
            return bool(conditions) and all(_asks_any(each, names) for each in conditions)
    return False


def _off(gate: GateSpec) -> str:
    names = tuple(located.value for located in gate.gates)
    if len(names) > 1 and gate.join is GateJoin.ANY:
        return f"feature gates {listing(names, 'and')} are disabled"
    return f"feature gate {listing(names)} is disabled"


def _mend(field: Field, case: DefaultCase, gate: GateSpec) -> str:
    if len(field.default) > 1 or case.when is not None:
        return f"add the feature gate to each `when:`: `{_condition(gate)}`"
    if not isinstance(case.value, Located) or case.overwrite or case.by_key or case.empty_is_set:
        return f"make the default conditional: add `when: {_condition(gate)}` to it"
    value = case.value.value
    written = yaml_text(value) if isinstance(value, str) else json.dumps(value)
    return f"make the default conditional: `default: {{value: {written}, when: {_condition(gate)}}}`"


def _condition(gate: GateSpec) -> str:
    gates = [f"{{gate: {located.value}}}" for located in gate.gates]
    if len(gates) == 1:
        return gates[0]
    return f"{{{gate.join.value}: [{', '.join(gates)}]}}"


def enums(evolution: Evolution) -> Iterator[Enum]:
    """Return the enums that are checked."""
    for type_ in evolution.now.types.values():
        if isinstance(type_, Enum) and evolution.covers(type_.id):
            yield type_


@evolution_rule("AG1333", can_be_acknowledged=True)
def new_enum_is_declared(evolution: Evolution) -> Iterator[Diagnostic]:
    """An enum declares its handling of unknown values in its first release: clients are written for that release."""
    if evolution.release is None:
        return
    for enum in enums(evolution):
        if enum.open or enum.closed or enum.unknown is not None or not _is_new(enum, evolution):
            continue
        yield finding(
            enum.place,
            f"enum `{enum.id.name}` is new in {evolution.release} and does not declare how clients handle unknown values",
            "add `unknown: VALUE` with one of its values, or `open: true` if any string is valid, or `open: false` if it "
            "never gets another value",
        )


def _is_new(enum: Enum, evolution: Evolution) -> bool:
    """Return whether the enum is new in the next release. An enum served before the first record is not new."""
    before = evolution.before
    if before is not None and any((id_.group, id_.version) == (enum.id.group, enum.id.version) for id_ in before.types):
        return enum.id not in before.types
    version = evolution.now.group(enum.id.group).version(enum.id.version)
    introduced = None if version is None else version.lifecycle.introduced
    return introduced is None or evolution.release is None or introduced >= evolution.release


EVOLUTION_RULES: tuple[EvolutionRule, ...] = (
    returned_is_identical,
    returned_was_removed,
    pre_release_ends,
    beta_is_deprecated_in_time,
    stored_version_stays_readable,
    gate_stages_follow_policy,
    gate_of_fields_begins_off,
    gate_stage_lasts,
    gate_stays_long_enough,
    gated_default_depends_on_gate,
    gate_name_is_new,
    new_enum_is_declared,
)


def suppressible() -> frozenset[str]:
    """Return the codes that `ignore:` may name. An unused one is allowed, because the change may be in an earlier
    release.
    """
    return frozenset(rule.code for rule in EVOLUTION_RULES if rule.can_be_acknowledged)


def run_evolution_rules(evolution: Evolution, report: Report, rules: Iterable[EvolutionRule] = EVOLUTION_RULES) -> None:
    """Report every finding with the severity of its rule, or as a warning if no release is recorded."""
    rules = tuple(rules)
    suppressed = {place: {code.value for code, _ in ignored} for place, ignored in _elements(evolution.now) if ignored}
    for rule in rules:
        rejects = rule.severity is Severity.ERROR and evolution.before is not None
        tell = report.error if rejects else report.warning
        for found in rule.check(evolution):
            if rule.can_be_acknowledged and rule.code in suppressed.get(found.place, ()):
                continue
            tell(rule.code, found.place, found.message, hint=found.hint, related=found.related)


def _elements(api: Api) -> Iterator[tuple[Place, Ignored]]:
    """The places of all elements, with the findings that each suppresses."""
    for feature in api.features:
        yield from ((place, feature.ignore) for place in (feature.place, *(stage.place for stage in feature.stages)))
    for type_ in api.types.values():
        yield type_.place, type_.ignore
        if isinstance(type_, Struct):
            yield from ((field.place, field.ignore) for field in type_.own_fields)
            yield from ((inline.place, inline.ignore) for inline in type_.inlines)
