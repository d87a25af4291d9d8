"""Lines of the registry: which rules there are, and when each is asked. A rule's module is imported when it is asked first."""

from __future__ import annotations

import importlib

from apigen.compat.rules.claims import Claim
from apigen.compat.rules.guards import Guard
from apigen.compat.rules.rule import ChangeRule, Rule, StateRule


class OnChange:
    """A rule that is asked about changes that one of its claims fits; `path` is its folder and its id."""

    __slots__ = ("_rule", "claims", "folder", "id")

    def __init__(self, path: str, *claims: Claim) -> None:
        self.folder, _, self.id = path.partition("/")
        self.claims = claims
        self._rule: ChangeRule | None = None

    @property
    def rule(self) -> ChangeRule:
        """The rule itself."""
        if self._rule is None:
            found = _imported(self.folder, self.id)
            assert isinstance(found, ChangeRule)
            self._rule = found
        return self._rule

    def with_rule(self, rule: ChangeRule) -> OnChange:
        """The same line for another rule."""
        line = OnChange(f"{self.folder}/{self.id}", *self.claims)
        line._rule = rule
        return line


class OnState:
    """A rule that is asked about both sides where `guard` holds of the new one; `path` is its folder and its id."""

    __slots__ = ("_rule", "folder", "guard", "id")

    def __init__(self, path: str, guard: Guard) -> None:
        self.folder, _, self.id = path.partition("/")
        self.guard = guard
        self._rule: StateRule | None = None

    @property
    def rule(self) -> StateRule:
        """The rule itself."""
        if self._rule is None:
            found = _imported(self.folder, self.id)
            assert isinstance(found, StateRule)
            self._rule = found
        return self._rule


Listed = OnChange | OnState


def _imported(folder: str, id_: str) -> Rule:
    """The rule `some-thing` is the class `SomeThing` of the module `some_thing`."""
    module = importlib.import_module(f"{__package__}.{folder}.{id_.replace('-', '_')}")
    made: Rule = getattr(module, id_.title().replace("-", ""))()
    return made
