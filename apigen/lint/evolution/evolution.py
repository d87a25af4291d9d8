"""What a rule of evolution is, and what it can look at."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import ClassVar

from apigen.dataclass import dataclass
from apigen.diagnostics import Diagnostic, Severity
from apigen.history.model import History
from apigen.history.rollback import Rollback, RollbackLoss, rollback_of
from apigen.ir.model import Api, Release
from apigen.ir.stability import Stability, next_release, stability
from apigen.ir.types import TypeId


@dataclass(frozen=True)  # no slots: the rollback is kept
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

    @property
    def newest(self) -> Release:
        """The last release that was recorded. Only for an API that has been released."""
        assert self.history.newest is not None
        return self.history.newest

    @property
    def in_the_making(self) -> Release:
        """The release that is being made: the one that was named, or the one after the last."""
        return self.release or next_release(self.newest)

    @cached_property
    def rollback(self) -> Rollback | None:
        """The step back to the newest recorded release before the one in the making, which may be recorded in part
        already. None where there is none, or nobody knows what follows it.
        """
        release = self.release
        before = max((each for each in self.history.releases if release and each < release), default=None)
        if before is None or release is None:
            return None
        own = (group for group in self.now.groups if group.folder in self.groups)
        return rollback_of(self.now, release, self.history.api(before), before, own)

    @property
    def losses(self) -> tuple[RollbackLoss, ...]:
        """What that step loses."""
        return () if self.rollback is None else self.rollback.losses

    def judges(self, id_: TypeId) -> bool:
        """Whether a type is the project's own, in a version that promises anything: those in alpha do not."""
        return id_.group in self.groups and stability(id_.version) is not Stability.ALPHA

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

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        """What is to be said of the step."""
        raise NotImplementedError
