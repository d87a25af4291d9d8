"""Joins the effects of several findings in each direction."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.review.results import Direction, Effect, Effects, Impact


def joined(each: Iterable[Effects]) -> dict[Direction, Effect]:
    """Return the worst effect of each direction, the first of equally bad ones; in the order of the directions."""
    found: dict[Direction, Effect] = {}
    for effects in each:
        for direction, effect in effects.items():
            known = found.get(direction)
            if known is None or (known.impact is Impact.DEPENDS and effect.impact is Impact.BREAKS):
                found[direction] = effect
    return {direction: found[direction] for direction in Direction if direction in found}


def any_breaks(effects: Effects) -> bool:
    """Return whether some direction certainly breaks."""
    return any(effect.impact is Impact.BREAKS for effect in effects.values())


def everywhere(effect: Effect) -> dict[Direction, Effect]:
    """Return the same effect in all four directions."""
    return dict.fromkeys(Direction, effect)


def alike(effect: Effect, *directions: Direction) -> dict[Direction, Effect]:
    """Return the same effect in some directions."""
    return dict.fromkeys(directions, effect)
