"""The versions and kinds that both sides serve and store."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.dataclass import dataclass
from apigen.ir.model import Release
from apigen.ir.stability import Stability, stability
from apigen.review.changes.change import Altered, Trait
from apigen.review.context import Context
from apigen.review.results import Direction, Effect, depends, everywhere
from apigen.review.rules.defaults import version_defaults
from apigen.review.surface import Element, ElementKind, Struct, Surface, Version
from apigen.review.windows import acting_release


def is_served(version: Version, kind: str, release: Release | None) -> bool:
    """Return whether a version serves a kind in a release, by the lifecycles of both; None for an unknown release."""
    found = version.kinds.get(kind)
    if found is None or not version.served or not found.served:
        return False
    life = found.lifecycle
    if release is None:
        return True
    has_come = life.introduced is None or life.introduced <= release
    return has_come and (life.removed is None or life.removed > release)


def is_served_at_all(kind: str, group: str, surface: Surface) -> bool:
    """Return whether a side serves a kind in any version, in its own release."""
    release = acting_release(surface, group)
    return any(is_served(version, kind, release) for version in surface.versions_of(group))


def effects_of_unserved(element: Element, context: Context) -> dict[Direction, Effect]:
    """Return the effects on stored objects of a version, or of a kind in it, if no version serves them any more or before.

    Empty if another version serves them: they are read in that one.
    """
    before, after = _served_kinds(element, context.old), _served_kinds(element, context.new)
    effects: dict[Direction, Effect] = {}
    if before - after:
        unserved = ", ".join(sorted(before - after))
        effects[Direction.STORED] = depends(f"objects of {unserved} remain stored, and no version serves them")
    if after - before:
        newly_served = ", ".join(sorted(after - before))
        effects[Direction.ROLLBACK] = depends(
            f"objects of {newly_served} remain stored, and the previous release does not serve them"
        )
    return effects


def effects_of_newly_served(subject: str, element: Element, context: Context) -> dict[Direction, Effect]:
    """Return the effects of a version, or a kind in it, that the previous release did not serve; messages call it `subject`."""
    return {Direction.NEW_CLIENT: not_found_by_new_client(subject), **effects_of_unserved(element, context)}


def not_found_by_new_client(subject: str) -> Effect:
    """Return the effect on newer clients of a version, or a kind in a version, that older servers do not serve."""
    return depends(f"newer clients of {subject} get 404 Not Found from an older server")


def _served_kinds(element: Element, surface: Surface) -> frozenset[str]:
    version = surface.version(element.group, element.version)
    names = () if version is None else (name for name in version.kinds if element.type in ("", name))
    return frozenset(name for name in names if is_served_at_all(name, element.group, surface))


def may_be_stored(kind: str, version: Element, context: Context) -> bool:
    """Return whether objects of a kind may be stored in a version of the revision: it is the storage version, or the kind has
    none and objects are stored in the version of the request.
    """
    storing = [each.name for each in context.new.versions_of(version.group) if _stores(each, kind)]
    return not storing or version.version in storing


def left_behind(kinds: Iterable[str], version: Element) -> Effect:
    """Return the effect on stored objects of kinds that the previous release does not have."""
    return depends(
        f"objects of {', '.join(kinds)} remain stored in {version.version}, and the previous release does not read them"
    )


@dataclass(frozen=True, slots=True)
class Move:
    """A move from one version to another, of storage or of the preferred version.

    `known` is the new version in the base, or None. `kind` is empty if all kinds of the group move.
    """

    was: str
    now: Version
    known: Version | None
    kind: str = ""

    @property
    def of_storage_in_words(self) -> str:
        """A move of storage, as the start of a message."""
        return f"storage version{f' of `{self.kind}`' if self.kind else ''} moved from {self.was} to {self.now.name}"

    @property
    def is_to_less_stable(self) -> bool:
        """Return whether the new version is less stable."""
        return stability(self.now.name) < stability(self.was)

    @property
    def promise(self) -> Stability:
        """The stability of the more stable one of both versions."""
        return max(stability(self.was), stability(self.now.name))

    def missing(self, before: Version | None) -> str:
        """Return why the base could not read objects after the move; empty if it could. `before`: its old version."""
        if self.known is None:
            return f"{self.now.name} is new"
        if not self.known.served:
            return f"{self.now.name} was not served"
        kinds = [self.kind] if self.kind else list(before.kinds if before is not None else ())
        lacking = next((kind for kind in kinds if kind in self.now.kinds and kind not in self.known.kinds), None)
        return f"{self.now.name} did not have {lacking}" if lacking else ""


def move_of(change: Altered, context: Context) -> Move | None:
    """Return the move that a change of `storage` or `preferred` belongs to; None if another change of the move reports it.

    It is reported at the version that loses the flag, or at the one that gets it if the other one was removed.
    """
    element = change.element
    kind = element.type if element.kind is ElementKind.KIND else ""
    source, target = _holder(context.old, change), _holder(context.new, change)
    if source is None or target is None or source.name == target.name:
        return None
    if change.trait is Trait.PREFERRED and not source.declares_preferred and not target.declares_preferred:
        return None  # the preferred version is then the storage version, which has a finding of its own
    remaining = context.new.version(element.group, source.name)
    reporting = source if remaining is not None and (not kind or kind in remaining.kinds) else target
    if element.version != reporting.name or (kind and _moves_as_a_whole(change, context)):
        return None
    return Move(source.name, target, context.old.version(element.group, target.name), kind)


def effect_of(move: Move, element: Element, context: Context) -> str:
    """Return the first effect on objects of storing them in one of the versions of a move, on either side.

    Empty if objects are the same in both: neither version is lossy, and both have the same defaults.
    """
    for side in (context.old, context.new):
        was, now = (side.version(element.group, name) for name in (move.was, move.now.name))
        for version in (was, now):
            for type_ in () if version is None else version.types.values():
                if isinstance(type_, Struct) and type_.losses:
                    return f"does not preserve all values: {type_.losses[0]}"
        place = "" if was is None or now is None else _defaulted_otherwise(was, now)
        if place:
            return f"has another default for {place}"
    return ""


def _defaulted_otherwise(was: Version, now: Version) -> str:
    """Return the first place where two versions have different defaults; empty if they have the same."""
    one, other = version_defaults(was), version_defaults(now)
    return next((place for place in {**one, **other} if one.get(place) != other.get(place)), "")


def effects_of(effect: str) -> dict[Direction, Effect]:
    """Return the effects of a move of storage between versions that differ; empty if they do not."""
    text = f"objects change if they are stored in a version that {effect}"
    return everywhere(depends(text)) if effect else {}


def _stores(version: Version, kind: str) -> bool:
    return kind in version.kinds and version.kinds[kind].storage


def _holder(side: Surface, change: Altered) -> Version | None:
    """Return the preferred version or the storage version of a side, depending on the change."""
    for version in side.versions_of(change.element.group):
        if change.trait is Trait.PREFERRED:
            holds = version.preferred
        elif change.element.kind is ElementKind.KIND:
            holds = _stores(version, change.element.type)
        else:
            holds = version.storage
        if holds:
            return version
    return None


def has_storage(change: Altered, context: Context) -> bool:
    """Return whether the revision has a storage version for the kinds of a change."""
    return _holder(context.new, change) is not None


def _moves_as_a_whole(change: Altered, context: Context) -> bool:
    """Return whether the version of a kind moves, too, which is reported at the version."""
    element = change.element
    before, after = (side.version(element.group, element.version) for side in (context.old, context.new))
    return before is not None and after is not None and before.storage != after.storage


@dataclass(frozen=True, slots=True)
class Entries:
    """The removed and the added entries of a list of names."""

    removed: tuple[str, ...]
    new: tuple[str, ...]

    @classmethod
    def of(cls, change: Altered) -> Entries:
        """Return the entries of a change of a list of names."""
        before, after = (
            [str(each) for each in value] if isinstance(value, tuple) else [] for value in (change.before, change.after)
        )
        removed, added = (name for name in before if name not in after), (name for name in after if name not in before)
        return cls(tuple(removed), tuple(added))

    @property
    def first_removed(self) -> str:
        """The first name that was removed; empty if none was."""
        return self.removed[0] if self.removed else ""

    @property
    def words(self) -> str:
        """The removed and added names, or that the order changed."""
        parts = [
            f"{' and '.join(names)} {'was' if len(names) == 1 else 'were'} {how}"
            for names, how in ((self.removed, "removed"), (self.new, "added"))
            if names
        ]
        return " and ".join(parts) or "the order changed"
