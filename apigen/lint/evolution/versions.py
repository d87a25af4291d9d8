"""Rules on versions and kinds: names, lifecycles, and losses of a rollback."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.dataclass import dataclass
from apigen.diagnostics import Diagnostic, Place, Related, Severity
from apigen.history.model import History
from apigen.history.rollback import Lost, RollbackLoss
from apigen.ir.model import EnumValue, Field, Group, Inline, Release, Struct
from apigen.ir.stability import WINDOW, Stability, releases_later, stability
from apigen.ir.types import TypeId
from apigen.language.model import Tombstone
from apigen.lint.evolution.evolution import (
    Evolution,
    Member,
    evolution_rule,
    kinds_now,
    members_of,
    stored,
)
from apigen.lint.rule import finding


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
        latest = releases_later(life.introduced)
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


@evolution_rule("AG1350", can_be_acknowledged=True)
def rollback_keeps_fields(evolution: Evolution) -> Iterator[Diagnostic]:
    """A rollback loses a new field that every client may set at once. (api_changes.md, "Adding unstable features to stable
    versions"; feature-gates.md) Alpha versions are not checked. The rule gate-enabled-too-early of the review reports fields behind a gate that is enabled.
    """
    for loss in evolution.losses:
        promises = stability(loss.version) is not Stability.ALPHA
        if promises and loss.lost is Lost.FIELD and loss.before is None and not loss.gates:
            yield _finding(loss, evolution)


def _finding(loss: RollbackLoss, evolution: Evolution) -> Diagnostic:
    newest = evolution.history.newest
    return finding(
        loss.place,
        f"`{loss.path}` is new in {evolution.release} and not behind a feature gate; servers of {newest} drop the field, so a"
        " rollback loses it",
        "put it behind a feature gate that is alpha in this release: `optional: true, featureGate: NAME`, and in features.yaml"
        f' `NAME: {{stages: [{{release: "{evolution.release}", stage: alpha}}]}}`',
    )


@evolution_rule("AG1351", can_be_acknowledged=True)
def rollback_keeps_limits(evolution: Evolution) -> Iterator[Diagnostic]:
    """A server of the previous release rejects updates with values that it does not allow, unless it ratchets them."""
    for loss in evolution.losses:
        if loss.lost is Lost.LIMIT:
            newest = evolution.history.newest
            message = (
                f"constraint of `{loss.path}` was loosened: release {newest} {loss.detail}; servers of {newest} reject updates of"
                " objects that use the new values"
            )
            related = (Related(loss.before, f"in release {newest}"),) if loss.before else ()
            hint = (
                f"restore the constraint, or if no server of {newest} will run next to this release, suppress the finding:"
                " `ignore: {AG1351: REASON}`"
            )
            yield finding(loss.place, message, hint, related)
