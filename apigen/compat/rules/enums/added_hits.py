"""What a new value of an enum does to whom."""

from __future__ import annotations

from apigen.compat.context import Context
from apigen.compat.rules.enums.known import ValueChange, is_open
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.impact import Direction, Hit, breaks, depends


def added_hits(of: ValueChange, context: Context) -> dict[Direction, Hit]:
    """Of a value that every object may have."""
    name = of.name
    if is_open(of.old):
        return added_hits_of_open(name)
    return {
        Direction.OLD_CLIENT: depends(f"a client of before reads {name}, which it does not know"),
        Direction.NEW_CLIENT: breaks(f"a new client that sends {name} to a server of before is refused"),
        Direction.ROLLBACK: breaks(f"the release before refuses an object with {name} when it judges it again"),
    }


def added_hits_of_open(name: str) -> dict[Direction, Hit]:
    """Of a value that came to an enum which took it for any text before; `name` as messages show it."""
    return {
        Direction.OLD_CLIENT: depends(f"a client of before reads {name} and does not know what it means"),
        Direction.NEW_CLIENT: depends(f"a server of before takes {name} for any other text, and does not act on it"),
        Direction.ROLLBACK: depends(f"the release before keeps {name} and does not act on it"),
    }


def rolled_out_hits(name: str) -> dict[Direction, Hit]:
    """Of a value that the release before tolerated, and that every object may have now; `name` as messages show it."""
    return {
        Direction.OLD_CLIENT: depends(
            f"a client of before reads {name}, which it knows if it is of the release that tolerates it"
        ),
        Direction.NEW_CLIENT: breaks(f"a new client that gives {name} to an object at a server of before is refused"),
        Direction.ROLLBACK: depends(f"the release before keeps {name} where it is, and gives it to no other object"),
    }


def example(of: ValueChange) -> tuple[Example, ...]:
    """The value itself."""
    return (Example(Side.NEW, of.json),)
