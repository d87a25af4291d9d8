"""What a rule of evolution is, and what it can look at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from apigen.diagnostics import Severity
from apigen.history.model import History
from apigen.ir.model import Api, Release
from apigen.rules.rule import Finding


@dataclass(frozen=True, slots=True)
class Evolution:
    """The API as it is written now, what was released before, and the release that is being made.

    `release` is None where neither the configuration nor the history tells it. `groups` are the folders that this
    project is to be judged for; what it takes from elsewhere is not. So with `gates`, by name; None is all of them.
    """

    now: Api
    history: History
    release: Release | None
    groups: frozenset[str]
    gates: frozenset[str] | None = None

    @property
    def before(self) -> Api | None:
        """The API as the last release shipped it; None where nothing was recorded."""
        newest = self.history.newest
        return None if newest is None else self.history.api(newest)

    def judges_gate(self, name: str) -> bool:
        """Whether a gate is the project's own."""
        return self.gates is None or name in self.gates


class EvolutionRule:
    """A rule about the step that is being made. A class per rule, stateless.

    What `can_be_acknowledged` is a matter of policy: `ignore: {CODE: reason}` on the element at whose place the finding
    stands lets it pass. What would lose data or give out a name twice cannot.
    """

    code: ClassVar[str]
    severity: ClassVar[Severity] = Severity.ERROR
    can_be_acknowledged: ClassVar[bool] = False

    def check(self, evolution: Evolution) -> Iterator[Finding]:
        """What is to be said of the step."""
        raise NotImplementedError
