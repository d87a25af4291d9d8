"""What of a repository somebody asked for."""

from __future__ import annotations

from apigen.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Asked:
    """A revision, and a path in it; None: the folder of specs."""

    revision: str
    path: str | None

    @classmethod
    def read(cls, said: str) -> Asked:
        """From `main`, `HEAD~3:api-specs`, `feature/x:api/v1`. A colon in braces (`HEAD^{/fix: it}`) is part of the revision."""
        depth = 0
        for at, character in enumerate(said):
            depth += (character == "{") - (character == "}")
            if character == ":" and depth == 0 and at:
                return cls(said[:at], said[at + 1 :])
        return cls(said, None)
