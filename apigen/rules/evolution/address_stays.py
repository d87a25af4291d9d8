"""Objects are found where they were."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Related
from apigen.ir.model import Group, Kind
from apigen.rules.evolution.evolution import Evolution, EvolutionRule
from apigen.rules.rule import finding


class AddressStays(EvolutionRule):
    """The path of an object in the API, and its key in the store, are made of the group's name, the kind's plural and
    its scope; subresources are paths too. (deprecation policy, rule 1: elements are removed only by a new version)
    """

    code = "AG1386"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        before = {} if evolution.before is None else {group.folder: group for group in evolution.before.groups}
        release = str(evolution.history.newest)
        for group in evolution.now.groups:
            if group.folder in evolution.groups and group.folder in before:
                yield from _judge_group(group, before[group.folder], release)


def _judge_group(now: Group, before: Group, release: str) -> Iterator[Diagnostic]:
    related = (Related(before.place, f"as {release} shipped it"),)
    if now.name != before.name:
        message = f"the group was called `{before.name}` in {release}: its objects would not be found any more"
        yield finding(now.place, message, f"put `group: {before.name}` back; another name is another group", related)
    for kind in now.kinds:
        was = before.kind(kind.name)
        if was is not None:
            related = (Related(was.place, f"as {release} shipped it"),)
            yield from (finding(kind.place, message, hint, related) for message, hint in _moves(kind, was, release))


def _moves(now: Kind, was: Kind, release: str) -> Iterator[tuple[str, str]]:
    """What makes objects of a kind unfindable, each with the mend."""
    if now.namespaced != was.namespaced:
        scope = "Namespaced" if was.namespaced else "Cluster"
        where = "in namespaces" if was.namespaced else "outside of namespaces"
        yield f"objects of `{now.name}` live {where} in {release}, and would not be found any more", f"`scope: {scope}`"
    if now.plural != was.plural:
        message = f"`{now.name}` was served as `{was.plural}` in {release}: its objects would not be found any more"
        yield message, f"put `plural: {was.plural}` back"
    for name in was.subresources:
        if name not in now.subresources:
            message = f"`{now.name}` had the subresource `{name}` in {release}, and clients that use it fail"
            yield message, f"put `subresources: {{{name}: {{}}}}` back"
