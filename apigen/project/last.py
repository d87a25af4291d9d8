"""What a run begins from: what the last run built, of what, and what has changed since."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.dataclass import dataclass
from apigen.project.built import Built, MadeOf
from apigen.project.inputs import Inputs

_OF_ALL_GROUPS = ("AG1368", "AG0806")


@dataclass(frozen=True, slots=True)
class Last:
    """The last run: what it built, of what; and what is there now."""

    built: Built
    made_of: MadeOf
    inputs: Inputs

    @property
    def counts_all(self) -> bool:
        """Whether something was found that no part of the groups tells: AG1368 is about all, AG0806 about removed ones."""
        return any(warning.code in _OF_ALL_GROUPS for warning in self.built.warnings)

    @property
    def changed(self) -> frozenset[str]:
        """The groups of which files have changed; none where that is not all, or more than files of versions and hubs."""
        now, before = self.inputs.specs, self.made_of.specs
        if self.inputs.common != self.made_of.common or now.keys() != before.keys():
            return frozenset()
        paths = [path for path, content in now.items() if content != before[path]]
        groups = [self.inputs.group_of(path) for path in paths]
        if any(path.endswith("/group.yaml") for path in paths):
            return frozenset()
        return frozenset(group for group in groups if group is not None)

    @property
    def earlier(self) -> Mapping[str, bytes]:
        """What the files that have changed were then."""
        return {path: was for path, was in self.made_of.specs.items() if self.inputs.specs[path] != was}

    def reached_by(self, changed: frozenset[str]) -> frozenset[str]:
        """These groups, and those that lead to them."""
        return changed | {folder for folder, others in self.made_of.links.items() if not changed.isdisjoint(others)}

    def led_to_by(self, groups: frozenset[str]) -> frozenset[str]:
        """These groups, and those that they lead to."""
        return groups.union(*(self.made_of.links.get(group, ()) for group in groups))
