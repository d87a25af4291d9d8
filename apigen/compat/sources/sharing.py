"""Where the first side of a comparison leaves what it was made of, for a second side that says much the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apigen.compat.sources.api.side import SpecsSide


class Sharing:
    """What the sides of one comparison share; both are loaded by one process, one after the other."""

    def __init__(self) -> None:
        self.first: SpecsSide | None = None
        """What was made of the first side, where that is of specs."""
