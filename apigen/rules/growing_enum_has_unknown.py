"""An enum that grows says what a client makes of a value that it does not know."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.ir.model import Enum
from apigen.rules.rule import Finding, Rule, Surroundings


class GrowingEnumHasUnknown(Rule):
    """A new value reaches clients that are older; those of an open enum expect such. (Kubernetes API changes, "Backward compatibility gotchas")"""

    code = "AG1105"

    def check_enum(self, enum: Enum, around: Surroundings) -> Iterator[Finding]:
        gated = next((value for value in enum.values if value.gate is not None), None)
        if gated is not None and enum.unknown is None and not enum.open:
            message = f"`{enum.id.name}` gets a new value, and does not say what older clients take it for"
            yield Finding(gated.place, message, "add `unknown:` with a value that every client knows")
