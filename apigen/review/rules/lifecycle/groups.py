"""Groups that are added or removed."""

from __future__ import annotations

from apigen.ir.stability import Stability, stability
from apigen.ir.surface import ElementKind, Group
from apigen.review.changes.change import Added, Removed
from apigen.review.context import Context
from apigen.review.results import WIRE, Direction, Effect, RuleResult, Severities, breaks, depends
from apigen.review.rules.rule import added, at, change_rule, removed


@change_rule("group-removed", removed(ElementKind.GROUP), severities="E/E/E", presets=WIRE)
def group_removed(change: Removed, context: Context) -> RuleResult:
    """Its URLs are removed, and its stored objects cannot be read."""
    assert isinstance(change.part, Group)
    if context.old.form in _NOT_SERVED:
        return _removed_definitions(change.part, _NOT_SERVED[context.old.form], context)
    versions = " and ".join(filter(None, change.part.versions))
    name = change.element.group or "core"
    url = "/".join(filter(None, (name, next(iter(change.part.versions), ""))))
    effects = {
        Direction.OLD_CLIENT: breaks(f"clients of {url} get 404 Not Found"),
        Direction.NEW_CLIENT: breaks(f"newer clients do not know {name}, which older servers serve"),
        Direction.STORED: breaks(f"objects of {name} remain stored and cannot be read"),
        Direction.ROLLBACK: breaks(f"the previous release serves {name}, whose objects no client has updated since"),
    }
    with_versions = f", with {versions}" if versions else ""
    renamed = _renamed(change.part, context)
    to = f"; the new group {renamed.name} has the same kinds" if renamed else ""
    stable = max(map(stability, change.part.versions), default=Stability.STABLE)
    fix = f"restore `group: {name}`, or keep the old group next to the new one" if renamed else ""
    return RuleResult(
        f"group {name} was removed{with_versions}{to}", effects, fix, severities=at(Severities.of("W/E/E"), stable)
    )


_NOT_SERVED = {"proto": "package", "jsonschema": "schema"}
"""By form of input, the term for a group that no server serves as a whole."""


def _removed_definitions(group: Group, term: str, context: Context) -> RuleResult:
    subject = f"{term} {_names(group)}"
    effects = {
        Direction.OLD_CLIENT: breaks(f"older clients use definitions of {subject}"),
        Direction.STORED: breaks(f"no definition describes stored data of {subject}"),
    }
    stable = max(map(stability, group.versions), default=Stability.STABLE)
    return RuleResult(f"{subject} was removed", effects, severities=at(Severities.of("W/E/E"), stable))


def _names(group: Group) -> str:
    return " and ".join(filter(None, map(str, group.versions.values()))) or "without a name"


def _renamed(group: Group, context: Context) -> Group | None:
    """Return the new group that has the same kinds, if there is one."""
    kinds = set(group.kinds)
    others = (other for name, other in context.new.groups.items() if name not in context.old.groups)
    return next((other for other in others if kinds and kinds == set(other.kinds)), None)


@change_rule("group-added", added(ElementKind.GROUP), severities="I/I/I")
def group_added(change: Added, context: Context) -> RuleResult:
    """Older servers do not have it."""
    group, name = change.part, change.element.group or "core"
    assert isinstance(group, Group)
    if context.new.form in _NOT_SERVED:
        return RuleResult(f"{_NOT_SERVED[context.new.form]} {_names(group)} was added")
    effects: dict[Direction, Effect] = {}
    kinds = [kind for version in group.versions.values() if version.served for kind in version.kinds.values()]
    if any(kind.served for kind in kinds):
        effects[Direction.NEW_CLIENT] = depends(f"newer clients of {name} get 404 Not Found from an older server")
    if group.kinds:
        effects[Direction.ROLLBACK] = depends(
            f"objects of {name} remain stored, and the previous release does not read them"
        )
    return RuleResult(f"group {name} was added, with {' and '.join(group.versions) or 'no version'}", effects)
