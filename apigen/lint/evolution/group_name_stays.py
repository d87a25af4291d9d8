"""A group keeps its name."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Related
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.rule import finding


class GroupNameStays(EvolutionRule):
    """The name of the group is part of the path of an object in the API, and of its key in the store.

    (Deprecation policy, rule 1: elements are removed only by a new version)
    """

    code = "AG1386"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        before = {} if evolution.before is None else {group.folder: group for group in evolution.before.groups}
        release = evolution.history.newest
        for group in evolution.now.groups:
            was = before.get(group.folder)
            if was is not None and group.folder in evolution.groups and group.name != was.name:
                yield finding(
                    group.place,
                    f"the group was called `{was.name}` in {release}: its objects are no longer found",
                    f"restore `group: {was.name}`; a group with another name is another group",
                    (Related(was.place, f"as {release} shipped it"),),
                )
