"""Removals after the deprecation period, ratcheting, and defaults that are applied on read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from apigen.ir.model import Lifecycle
from apigen.review.changes.change import Added, Altered, AnyChange, Removed, Trait
from apigen.review.context import Context
from apigen.review.gating import named
from apigen.review.mitigations.mitigation import Mitigation
from apigen.review.results import Direction, MitigationResult, RuleResult, Severity
from apigen.review.surface import (
    CelRule,
    Default,
    Element,
    ElementKind,
    EnumValue,
    Field,
    KindVersion,
    Struct,
    Surface,
    Version,
    field_of,
)
from apigen.review.windows import too_early

_EVALUATED_WITHOUT_CHANGE = "a CEL rule that uses `oldSelf` is evaluated for every update, also if it changes nothing"


class WindowElapsed(Mitigation):
    """The removed element was deprecated for the period that its stability requires. (Deprecation policy, rule 4a)

    Users were informed and had time to migrate; clients that did not still break. CRDs and `.proto` files have no releases,
    so it cannot be verified there.
    """

    name = "deprecation period"

    def consider(self, change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
        """Return whether it applies; None for other changes, and for elements without a lifecycle."""
        life = _life(change)
        if life is None:
            return None
        element = change.element
        old, new = (side.release_in(element.group) for side in (context.old, context.new))
        problem = too_early(life, element.version, old, new)
        if problem:
            return MitigationResult(self.name, False, problem)
        reason = "alpha elements may be removed at any time"
        if life.deprecated is not None:
            reason = f"it was deprecated in {life.deprecated}, and the deprecation period is over"
        return MitigationResult(self.name, True, reason, at_most=Severity.WARNING)


def _life(change: AnyChange) -> Lifecycle | None:
    """Return the lifecycle of an element that was removed, or is no longer served."""
    match change:
        case Removed(part=Version() | KindVersion() | Field() | EnumValue() as part):
            return part.lifecycle
        case Altered(old=Version() | KindVersion() as part, trait=Trait.SERVED):
            return part.lifecycle
    return None


_TIGHTENED = frozenset({Direction.OLD_CLIENT, Direction.STORED})


class Ratcheting(Mitigation):
    """Ratcheting: an update is not validated for values that it does not change, so stored objects stay usable.

    A change that only tightens is then `at_most` a warning, as in Kubernetes' own releases; one that also affects newer
    clients or a rollback is not.
    """

    name = "ratcheting"
    at_most: ClassVar[Severity | None] = Severity.WARNING

    def consider(self, change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
        """Return whether the revision ratchets; None if stored objects were not affected."""
        if Direction.STORED not in result.effects:
            return None
        if not context.new.ratchets:
            reason = "validation may check unchanged values"
            return MitigationResult(self.name, False, reason)
        if _is_evaluated_without_change(change):
            return MitigationResult(self.name, False, _EVALUATED_WITHOUT_CHANGE)
        reason = "unchanged values are not validated"
        at_most = self.at_most if result.effects.keys() <= _TIGHTENED else None
        return MitigationResult(self.name, True, reason, frozenset({Direction.STORED}), at_most=at_most)


class RatchetingOfEnum(Ratcheting):
    """Ratcheting of removed enum values: stored objects stay usable, but clients rely on each value by name.

    An accepted value stays accepted. (Kubernetes, api_changes.md: removing one needs a new version)
    """

    at_most = None


_BACK = frozenset({Direction.ROLLBACK})


class RatchetingBefore(Mitigation):
    """Ratcheting after a rollback: objects that the newer release stored can be updated if the value does not change.

    The counterpart of `Ratcheting` for changes that loosen; it does not affect clients of either side. An enum value is
    kept, too, but the previous release does not know its meaning.
    """

    name = "ratcheting of the previous release"

    def consider(self, change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
        """Return whether the base ratchets; None if it does not, or if a rollback was not affected."""
        if Direction.ROLLBACK not in result.effects or not context.old.ratchets:
            return None
        if _is_evaluated_without_change(change):
            return MitigationResult(self.name, False, _EVALUATED_WITHOUT_CHANGE)
        reason = "the previous release does not validate unchanged values"
        if change.element.kind is ElementKind.ENUM_VALUE:
            return MitigationResult(self.name, True, f"{reason}, but it does not know the value", softens=_BACK)
        return MitigationResult(self.name, True, reason, clears=_BACK)


_CONCERNED = frozenset({Direction.OLD_CLIENT, Direction.STORED})


class ReadTimeDefault(Mitigation):
    """Objects without the field get its default before validation, the same in every version.

    The default must be a literal without gates, applied when objects are read, and equal in all served versions. The
    meaning of stored objects without the field then depends on the default.
    """

    name = "default on read"

    def consider(self, change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
        """Return whether it applies; None for other elements, and without a default on the revision."""
        element = change.element
        if element.kind is not ElementKind.FIELD or not _CONCERNED & set(result.effects):
            return None
        defaults = dict(_defaults(element, context.new))
        if element.version not in defaults:
            return None
        own = _text(defaults[element.version])
        other = next((version for version, default in defaults.items() if _text(default) != own), None)
        if other is not None:
            reason = f"the default is {_text(defaults[other]) or 'unset'} in {other}, and {own} in {element.version}"
            return MitigationResult(self.name, False, reason)
        if not own:
            return None
        problems = (_problem(version, default) for version, default in defaults.items() if default is not None)
        problem = next(filter(None, problems), "")
        if problem:
            return MitigationResult(self.name, False, problem)
        reason = f"{' and '.join(defaults)} {'apply' if len(defaults) > 1 else 'applies'} the default {own} when an object is read"
        return MitigationResult(self.name, True, reason, softens=_CONCERNED, at_most=Severity.WARNING)


def counterparts(element: Element, side: Surface) -> Iterator[tuple[Version, Struct]]:
    """Yield the struct of an element in all served versions of its group, and in its own version."""
    for version in side.versions_of(element.group):
        type_ = version.types.get(element.type)
        if isinstance(type_, Struct) and (version.served or version.name == element.version):
            yield version, type_


def _defaults(element: Element, side: Surface) -> Iterator[tuple[str, Default | None]]:
    """Yield the default of a field by version."""
    for version, struct in counterparts(element, side):
        field = field_of(struct, element.path)
        yield version.name, None if field is None else field.slot.default


def _text(default: Default | None) -> str:
    return "" if default is None else default.text


def _problem(version: str, default: Default) -> str:
    if default.is_computed:
        return f"the default of {version} is computed, and may not apply to every object"
    if default.gates:
        return f"the default of {version} depends on {named(default.gates)}"
    if not default.is_read_time:
        return f"the default of {version} is applied when an object is written, not when it is read"
    return ""


def _is_evaluated_without_change(change: AnyChange) -> bool:
    """Return whether the added or removed CEL rule can reject an update that does not change the value.

    As in Kubernetes, a rule that uses `oldSelf` is evaluated for every update. With `optionalOldSelf`, it is also evaluated
    for values without an old one, such as elements of atomic lists. (`docs/explanation/cel.md`)
    """
    if not isinstance(change, Added | Removed) or not isinstance(change.part, CelRule):
        return False
    if not change.part.is_transition:
        return False
    # imported here, because few changes need the analysis of rules
    from apigen.review.prover.cel import is_true_without_change

    return change.part.optional_old_self or not is_true_without_change(change.part.text)
