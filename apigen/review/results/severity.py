"""The severity of a finding, by the stability of its element."""

from __future__ import annotations

from enum import IntEnum

from apigen.dataclass import dataclass
from apigen.ir.stability import Stability


class Severity(IntEnum):
    """The severity of a finding, from changes without effect to changes that must not be merged.

    `UNVERIFIED` is an error that is neither proven nor shown by a counterexample.
    """

    SILENT = 0
    INFO = 1
    WARNING = 2
    UNVERIFIED = 3
    ERROR = 4

    @property
    def word(self) -> str:
        """The name in reports."""
        return self.name.lower()


_LETTERS = {"–": Severity.SILENT, "-": Severity.SILENT, "I": Severity.INFO, "W": Severity.WARNING, "E": Severity.ERROR}


@dataclass(frozen=True, slots=True)
class Severities:
    """The severities of a rule for alpha, beta and stable elements."""

    alpha: Severity
    beta: Severity
    stable: Severity

    @classmethod
    def of(cls, letters: str) -> Severities:
        """Parse `I/W/E`; `-` means silent."""
        alpha, beta, stable = (_LETTERS[letter] for letter in letters.split("/"))
        return cls(alpha, beta, stable)

    def at(self, stability: Stability) -> Severity:
        """Return the severity for a stability."""
        return {Stability.ALPHA: self.alpha, Stability.BETA: self.beta, Stability.STABLE: self.stable}[stability]

    def capped(self, most: Severity) -> Severities:
        """Return the severities, each at most `most`."""
        return Severities(*(min(each, most) for each in (self.alpha, self.beta, self.stable)))
