"""Objects are stored in another version."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.lifecycle.moves import effect_of, hits_of_effect, move_of
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import note, silent
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict

_ALTERS = Severities.of("I/W/W")


@change_rule(
    "storage-version-moved",
    altered(Trait.STORAGE, ElementKind.VERSION),
    altered(Trait.STORAGE, ElementKind.KIND),
    severities="I/I/I",
)
def storage_version_moved(change: AnyChange, context: Context) -> Verdict | None:
    """As it should be: the release before served both versions."""
    if not isinstance(change, Altered):
        return None
    move = move_of(change, context)
    if move is not None:
        what = f"the storage version of {move.kind}" if move.kind else "the storage version"
        message = f"{what} moved from {move.was} to {move.now.name}, which the release before served"
        effect = effect_of(move, change.element, context)
        if not effect:
            return note(message, "")
        return Verdict(f"{message}; one of the two {effect}", hits_of_effect(effect), severities=_ALTERS)
    if change.after is True or _is_stored(change, context):
        return silent(f"{change.element.version} is part of a move of storage that is told elsewhere")
    hit = breaks(f"no version stores what {change.element.version} did: objects are found by nobody")
    return Verdict(
        f"{change.element.version} is not stored any more, and no other version is",
        {Direction.STORED: hit, Direction.OLD_CLIENT: hit},
        "let one version have `storage: true`",
        severities=Severities.of("E/E/E"),
    )


def _is_stored(change: Altered, context: Context) -> bool:
    group = context.new.groups.get(change.element.group)
    kind = change.element.type if change.element.kind is ElementKind.KIND else ""
    for version in group.versions.values() if group is not None else ():
        if version.storage if not kind else (kind in version.kinds and version.kinds[kind].storage):
            return True
    return False
