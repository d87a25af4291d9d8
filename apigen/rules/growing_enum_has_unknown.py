"""An enum that grows says what a client makes of a value that it does not know."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.ir.model import Enum
from apigen.rules.rule import Finding, Rule, Surroundings


class GrowingEnumHasUnknown(Rule):
    """A new value reaches clients that are older; those of an open enum expect such. (Kubernetes API changes, "Backward compatibility gotchas")"""

    code = "AG1105"

    def check_enum(self, enum: Enum, around: Surroundings) -> Iterator[Finding]:
        new = next((value for value in enum.values if value.is_rolled_out), None)
        if new is not None and enum.unknown is None and not enum.open and not enum.closed:
            message = f"`{enum.id.name}` gets a new value, and does not say what older clients take it for"
            yield Finding(new.place, message, "add `unknown:` with a value that every client knows")
