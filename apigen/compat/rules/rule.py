"""What a rule of compatibility is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from apigen.compat.changes.change import AnyChange
from apigen.compat.mitigations.mitigation import Mitigation
from apigen.compat.surface.elements import Element
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.preset import API, Preset
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict
from apigen.dataclass import dataclass
from apigen.diagnostics import Place

if TYPE_CHECKING:
    from apigen.compat.context import Context


class Rule(ABC):
    """What rules have in common: a class per rule, stateless, in a module called like its id, and in the registry of its folder.

    `id` is its name in reports and approvals, and never changes. `title` is what it finds, in a few words; `explanation` why
    that matters, with where the rule comes from; `fix` what to do. `no_witness`: why none of its findings can have an object
    that shows it; empty where they can. `presets` are those that it counts in.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    severities: ClassVar[Severities]
    explanation: ClassVar[str]
    fix: ClassVar[str]
    no_witness: ClassVar[str] = ""
    presets: ClassVar[frozenset[Preset]] = API


class ChangeRule(Rule):
    """A rule about a change. The first in the registry whose verdict is not None has claimed it; which it is asked stands there.

    `mitigations` are considered for it besides the common ones (`mitigations.registry.COMMON`), which are left out where
    it is not `is_excusable`: names and numbers count for ever, whoever could use them.
    """

    mitigations: ClassVar[tuple[Mitigation, ...]] = ()
    is_excusable: ClassVar[bool] = True

    @abstractmethod
    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """What the change does; None if it is none of this rule's. A change that hurts nobody has a verdict without hits."""


@dataclass(frozen=True, slots=True)
class Issue:
    """What a rule has against one side as it is; `detail` tells two of them at one element apart."""

    element: Element
    place: Place
    verdict: Verdict
    detail: str = ""


class StateRule(Rule):
    """A rule about one side alone: served versions that disagree, lifecycles that are not planned to the end.

    Only what the new side has and the old one has not is told.
    """

    @abstractmethod
    def check(self, surface: Surface, context: Context) -> Iterator[Issue]:
        """What is to be said of one side."""
