"""What becomes of a call where the sides do not agree on a message."""

from __future__ import annotations

from apigen.compat.verdict.impact import Direction, Hit, breaks


def misread(what: str) -> dict[Direction, Hit]:
    """The hits where `what` (request, response) is parsed as another message than it was written as."""
    tail = f"{what} that the other side parses as another message"
    return {
        Direction.OLD_CLIENT: breaks(f"a client of before and the new server have a {tail}"),
        Direction.NEW_CLIENT: breaks(f"a new client and a server of before have a {tail}"),
    }
