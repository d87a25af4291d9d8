"""What a constraint that changed does to whom."""

from __future__ import annotations

from apigen.compat.inclusion.result import Inclusion, NotIncluded
from apigen.compat.rules.constraints.compared import Compared
from apigen.compat.rules.constraints.shown import value_shown
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.impact import Direction, Hits, breaks, depends
from apigen.compat.verdict.verdict import Verdict


def tightened_hits(value: str) -> Hits:
    """A value that was accepted is refused."""
    return {
        Direction.OLD_CLIENT: breaks(f"a client of before that sends {value} is refused"),
        Direction.STORED: breaks(f"a stored object with {value} is refused when it is judged again"),
    }


def loosened_hits(value: str) -> Hits:
    """A value that was refused is accepted."""
    return {
        Direction.OLD_CLIENT: depends(f"a client of before may read {value}, which no object could have"),
        Direction.NEW_CLIENT: breaks(f"a new client that sends {value} to a server of before is refused"),
        Direction.ROLLBACK: breaks(f"the release before refuses an object with {value} when it judges it again"),
    }


def hits_of(found: Compared) -> Hits:
    """Of both directions; the worse of two stays."""
    loosened = loosened_hits(value_shown(found.backward, "what was refused")) if found.loosens else {}
    tightened = tightened_hits(value_shown(found.forward, "what was accepted")) if found.tightens else {}
    return {**loosened, **tightened}


def examples_of(found: Compared) -> tuple[Example, ...]:
    """The counter-examples."""
    return (*_example(found.forward, Side.OLD), *_example(found.backward, Side.NEW))


def _example(found: Inclusion, side: Side) -> tuple[Example, ...]:
    if not isinstance(found, NotIncluded) or found.counter_example is None:
        return ()
    return (Example(side, found.counter_example),)


def verdict_of(words: str, found: Compared, fix: str = "") -> Verdict:
    """A verdict with the hits of both directions; what is not proven is said."""
    doubts = found.doubts
    message = f"{words}; not proven: {doubts}" if doubts else words
    return Verdict(message, hits_of(found), fix, examples=examples_of(found), is_unproven=bool(doubts))
