"""Which changes a rule is asked about."""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.review.changes.change import Added, Altered, Removed, Trait
from apigen.review.surface import ElementKind


@dataclass(frozen=True, slots=True)
class Claim:
    """Which changes a rule wants to see: how, of which elements, and for Altered of which trait (None: any)."""

    how: type[Added] | type[Removed] | type[Altered]
    kinds: frozenset[ElementKind]
    trait: Trait | None = None

    def fits(self, how: object, kind: ElementKind, trait: Trait | None) -> bool:
        """Whether changes of that sort are among them; `trait` is None for all but an alteration."""
        return how is self.how and kind in self.kinds and (self.trait is None or trait is self.trait)


_ANYTHING = frozenset(ElementKind)


def added(*kinds: ElementKind) -> Claim:
    """New elements of these kinds."""
    return Claim(Added, frozenset(kinds))


def removed(*kinds: ElementKind) -> Claim:
    """Elements of these kinds that are gone."""
    return Claim(Removed, frozenset(kinds))


def altered(trait: Trait, *kinds: ElementKind) -> Claim:
    """Another value of a trait. Without kinds: of whatever has it."""
    return Claim(Altered, frozenset(kinds) if kinds else _ANYTHING, trait)
