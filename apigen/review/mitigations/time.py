"""A removal that was announced, and waited for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from apigen.review.changes.change import Altered, AnyChange, Removed, Trait
from apigen.review.context import Context
from apigen.review.gating import named
from apigen.review.mitigations.asked_of_what_stays import ASKED_OF_WHAT_STAYS, is_asked_of_what_stays
from apigen.review.mitigations.mitigation import Mitigation, MitigationResult
from apigen.review.surface import (
    Default,
    Element,
    ElementKind,
    EnumValue,
    Field,
    KindVersion,
    Lifecycle,
    Struct,
    Surface,
    Version,
    field_of,
)
from apigen.review.verdict.impact import Direction
from apigen.review.verdict.severity import Severity
from apigen.review.verdict.verdict import Verdict
from apigen.review.windows import too_early


class WindowElapsed(Mitigation):
    """What goes was deprecated for as long as its stability asks. (Deprecation policy, rule 4a)

    Users were told, and had the time to move: it still breaks who did not. CRDs and `.proto` files have no releases, so there
    it cannot be verified.
    """

    name = "window elapsed"

    def consider(self, change: AnyChange, verdict: Verdict, context: Context) -> MitigationResult | None:
        """Whether it holds; None for what was not removed, or has no lifecycle."""
        life = _life(change)
        if life is None:
            return None
        element = change.element
        old, new = (side.release_in(element.group) for side in (context.old, context.new))
        problem = too_early(life, element.version, old, new)
        if problem:
            return MitigationResult(self.name, False, problem)
        reason = "alpha may go at any time"
        if life.deprecated is not None:
            reason = f"it was deprecated in {life.deprecated}, and its time is over"
        return MitigationResult(self.name, True, reason, at_most=Severity.WARNING)


def _life(change: AnyChange) -> Lifecycle | None:
    """What was said of the time of what is gone, or is served no longer."""
    match change:
        case Removed(part=Version() | KindVersion() | Field() | EnumValue() as part):
            return part.lifecycle
        case Altered(old=Version() | KindVersion() as part, trait=Trait.SERVED):
            return part.lifecycle
    return None


_TIGHTENED = frozenset({Direction.OLD_CLIENT, Direction.STORED})


class Ratcheting(Mitigation):
    """An update that leaves a value as it is stored is not judged for it, so what is stored stays usable.

    A change that only tightens is then `at_most` a warning, as in Kubernetes' own releases; one that hurts new clients
    or a rollback, too, stays what it is.
    """

    name = "ratcheting"
    at_most: ClassVar[Severity | None] = Severity.WARNING

    def consider(self, change: AnyChange, verdict: Verdict, context: Context) -> MitigationResult | None:
        """Whether the new side ratchets; None where what is stored was not concerned."""
        if Direction.STORED not in verdict.hits:
            return None
        if not context.new.ratchets:
            reason = "nothing says that validation leaves alone what an update leaves as it was"
            return MitigationResult(self.name, False, reason)
        if is_asked_of_what_stays(change):
            return MitigationResult(self.name, False, ASKED_OF_WHAT_STAYS)
        reason = "validation does not judge again what an update leaves as it was"
        at_most = self.at_most if verdict.hits.keys() <= _TIGHTENED else None
        return MitigationResult(self.name, True, reason, frozenset({Direction.STORED}), at_most=at_most)


class RatchetingOfEnum(Ratcheting):
    """Of values that an enum accepts no longer: what is stored stays usable, and clients were promised each value by its name.

    A value that was accepted is accepted for ever. (Kubernetes, api_changes.md: removing one needs a new version)
    """

    at_most = None


_BACK = frozenset({Direction.ROLLBACK})


class RatchetingBefore(Mitigation):
    """After a rollback, objects that the new release stored can be updated, as long as the value stays what it is.

    The mirror of `Ratcheting`: it is for changes that loosen, and hurts nothing of what clients of either side meet. A value of
    an enum is kept likewise, but the release before does not know what to do about it.
    """

    name = "ratcheting before"

    def consider(self, change: AnyChange, verdict: Verdict, context: Context) -> MitigationResult | None:
        """Whether the old side ratchets; None where it does not, or a rollback was not concerned."""
        if Direction.ROLLBACK not in verdict.hits or not context.old.ratchets:
            return None
        if is_asked_of_what_stays(change):
            return MitigationResult(self.name, False, ASKED_OF_WHAT_STAYS)
        reason = "the release before does not judge again what an update leaves as it was"
        if change.element.kind is ElementKind.ENUM_VALUE:
            return MitigationResult(self.name, True, f"{reason}, but does not know the value", softens=_BACK)
        return MitigationResult(self.name, True, reason, clears=_BACK)


_CONCERNED = frozenset({Direction.OLD_CLIENT, Direction.STORED})


class ReadTimeDefault(Mitigation):
    """Who leaves a field out gets its default before anything is judged, the same in whichever version they speak.

    The default has to be a plain value that asks no gate, is filled in when objects are read, and is equal in all served
    versions. What was stored without the field then means what the default says: that depends on the default.
    """

    name = "read-time default"

    def consider(self, change: AnyChange, verdict: Verdict, context: Context) -> MitigationResult | None:
        """Whether it holds; None for what is no field, or has no default on the new side."""
        element = change.element
        if element.kind is not ElementKind.FIELD or not _CONCERNED & set(verdict.hits):
            return None
        found = dict(_defaults(element, context.new))
        if element.version not in found:
            return None
        own = _text(found[element.version])
        other = next((version for version, default in found.items() if _text(default) != own), None)
        if other is not None:
            reason = f"{other} defaults it to {_text(found[other]) or 'nothing'}, {element.version} to {own}"
            return MitigationResult(self.name, False, reason)
        if not own:
            return None
        problems = (_problem(version, default) for version, default in found.items() if default is not None)
        problem = next(filter(None, problems), "")
        if problem:
            return MitigationResult(self.name, False, problem)
        reason = f"{' and '.join(found)} {'fill' if len(found) > 1 else 'fills'} in {own} when an object is read"
        return MitigationResult(self.name, True, reason, softens=_CONCERNED, at_most=Severity.WARNING)


def counterparts(element: Element, side: Surface) -> Iterator[tuple[Version, Struct]]:
    """The struct of an element in all served versions of its group, and in its own version."""
    for version in side.versions_of(element.group):
        type_ = version.types.get(element.type)
        if isinstance(type_, Struct) and (version.served or version.name == element.version):
            yield version, type_


def _defaults(element: Element, side: Surface) -> Iterator[tuple[str, Default | None]]:
    """The default of a field by version."""
    for version, struct in counterparts(element, side):
        field = field_of(struct, element.path)
        yield version.name, None if field is None else field.slot.default


def _text(default: Default | None) -> str:
    return "" if default is None else default.text


def _problem(version: str, default: Default) -> str:
    if default.is_computed:
        return f"the default of {version} is computed: whether it fills every object is not known"
    if default.gates:
        return f"the default of {version} asks {named(default.gates)}"
    if not default.is_read_time:
        return f"the default of {version} is filled in when an object is written, not when it is read"
    return ""
