"""How bad a finding is, by the stability of what it is about."""

from __future__ import annotations

from enum import IntEnum

from apigen.dataclass import dataclass
from apigen.ir.stability import Stability


class Severity(IntEnum):
    """From changes without effect to changes that must not be merged.

    `UNVERIFIED` is an error that is neither proven nor shown by a counterexample.
    """

    SILENT = 0
    INFO = 1
    WARNING = 2
    UNVERIFIED = 3
    ERROR = 4

    @property
    def word(self) -> str:
        """As reports spell it."""
        return self.name.lower()


_LETTERS = {"–": Severity.SILENT, "-": Severity.SILENT, "I": Severity.INFO, "W": Severity.WARNING, "E": Severity.ERROR}


@dataclass(frozen=True, slots=True)
class Severities:
    """A rule's severity for what is alpha, beta and stable."""

    alpha: Severity
    beta: Severity
    stable: Severity

    @classmethod
    def of(cls, letters: str) -> Severities:
        """From `I/W/E`: silent is `-`."""
        alpha, beta, stable = (_LETTERS[letter] for letter in letters.split("/"))
        return cls(alpha, beta, stable)

    def at(self, stability: Stability) -> Severity:
        """The severity for a stability."""
        return {Stability.ALPHA: self.alpha, Stability.BETA: self.beta, Stability.STABLE: self.stable}[stability]

    def capped(self, most: Severity) -> Severities:
        """Return the severities, each at most `most`."""
        return Severities(*(min(each, most) for each in (self.alpha, self.beta, self.stable)))
