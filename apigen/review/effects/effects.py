"""Joins the effects of several findings in each direction."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.review.verdict.impact import Direction, Effects, Hit, Impact


def joined(each: Iterable[Effects]) -> dict[Direction, Hit]:
    """Return the worst effect of each direction, the first of equally bad ones; in the order of the directions."""
    found: dict[Direction, Hit] = {}
    for hits in each:
        for direction, hit in hits.items():
            known = found.get(direction)
            if known is None or (known.impact is Impact.DEPENDS and hit.impact is Impact.BREAKS):
                found[direction] = hit
    return {direction: found[direction] for direction in Direction if direction in found}


def any_breaks(hits: Effects) -> bool:
    """Return whether some direction certainly breaks."""
    return any(hit.impact is Impact.BREAKS for hit in hits.values())


def everywhere(hit: Hit) -> dict[Direction, Hit]:
    """Return the same effect in all four directions."""
    return dict.fromkeys(Direction, hit)


def alike(hit: Hit, *directions: Direction) -> dict[Direction, Hit]:
    """Return the same effect in some directions."""
    return dict.fromkeys(directions, hit)
