"""The changes to which a rule applies."""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.review.changes.change import Added, Altered, Removed, Trait
from apigen.review.surface import ElementKind


@dataclass(frozen=True, slots=True)
class Claim:
    """The changes to which a rule applies: the kind of change, the elements, and for Altered the trait (None: any)."""

    how: type[Added] | type[Removed] | type[Altered]
    kinds: frozenset[ElementKind]
    trait: Trait | None = None

    def fits(self, how: object, kind: ElementKind, trait: Trait | None) -> bool:
        """Return whether the changes include a kind of change; `trait` is None for all but an alteration."""
        return how is self.how and kind in self.kinds and (self.trait is None or trait is self.trait)


_ANYTHING = frozenset(ElementKind)


def added(*kinds: ElementKind) -> Claim:
    """Select new elements of these kinds."""
    return Claim(Added, frozenset(kinds))


def removed(*kinds: ElementKind) -> Claim:
    """Select removed elements of these kinds."""
    return Claim(Removed, frozenset(kinds))


def altered(trait: Trait, *kinds: ElementKind) -> Claim:
    """Select a changed trait, of elements of these kinds, or of any."""
    return Claim(Altered, frozenset(kinds) if kinds else _ANYTHING, trait)
