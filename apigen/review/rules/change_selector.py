"""The changes to which a rule applies."""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.review.changes.change import Added, Altered, Removed, Trait
from apigen.review.surface import ElementKind


@dataclass(frozen=True, slots=True)
class ChangeSelector:
    """The changes to which a rule applies: the kind of change, the elements, and for Altered the trait (None: any)."""

    how: type[Added] | type[Removed] | type[Altered]
    kinds: frozenset[ElementKind]
    trait: Trait | None = None

    def fits(self, how: object, kind: ElementKind, trait: Trait | None) -> bool:
        """Return whether the changes include a kind of change; `trait` is None for all but an alteration."""
        return how is self.how and kind in self.kinds and (self.trait is None or trait is self.trait)


_ANYTHING = frozenset(ElementKind)


def added(*kinds: ElementKind) -> ChangeSelector:
    """Select new elements of these kinds."""
    return ChangeSelector(Added, frozenset(kinds))


def removed(*kinds: ElementKind) -> ChangeSelector:
    """Select removed elements of these kinds."""
    return ChangeSelector(Removed, frozenset(kinds))


def altered(trait: Trait, *kinds: ElementKind) -> ChangeSelector:
    """Select a changed trait, of elements of these kinds, or of any."""
    return ChangeSelector(Altered, frozenset(kinds) if kinds else _ANYTHING, trait)
