"""Something comes because the release is another one."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.rules.enums.added_hits import rolled_out_hits
from apigen.compat.rules.enums.known import is_accepted, shown
from apigen.compat.rules.guards import has_lifecycles
from apigen.compat.rules.lifecycle.serving import hits_of_unserved, is_served
from apigen.compat.rules.rule import Issue, state_rule
from apigen.compat.rules.tombstones.elements import Living, living
from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.surface import KindVersion, Surface
from apigen.compat.surface.types import Enum
from apigen.compat.values.enum_json import in_json
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.impact import Direction, Hit, depends
from apigen.compat.verdict.verdict import Verdict
from apigen.ir.model import Release


@state_rule("introduction-reached", has_lifecycles, severities="I/I/I")
def introduction_reached(surface: Surface, context: Context) -> Iterator[Issue]:
    """Nothing was written anew: what `introduced:` planned for a release comes with it."""
    if surface is not context.new:
        return
    for each in living(surface, context):
        old, new = context.old.release_in(each.element.group), context.new.release_in(each.element.group)
        if old is None or new is None or each.life.introduced is None or each.life.introduced > new:
            continue
        if each.element.kind is ElementKind.ENUM_VALUE:
            verdict = _of_value(each, context)
        else:
            verdict = _of_served(each, old, new, context)
        if verdict is not None:
            yield Issue(each.element, each.place, verdict, str(each.life.introduced))


def _of_value(each: Living, context: Context) -> Verdict | None:
    """Of a value that nobody changed; None where who may have it is the same, or told of the change."""
    before, after = (side.type(each.element.type_name) for side in (context.old, context.new))
    if not isinstance(before, Enum) or not isinstance(after, Enum):
        return None
    was, value = before.values.get(each.element.path), after.values[each.element.path]
    is_same = was is not None and (was.gate, was.tolerated, was.lifecycle.introduced) == (
        value.gate,
        value.tolerated,
        value.lifecycle.introduced,
    )
    if (
        was is None
        or not is_same
        or is_accepted(was, context.old, each.element.group)
        or not is_accepted(value, context.new, each.element.group)
    ):
        return None
    name = shown(value.value)
    message = f"{name} of `{after.name.name}` is accepted from {value.lifecycle.introduced} on"
    example = Example(Side.NEW, in_json(value.value, after))
    return Verdict(message, rolled_out_hits(name), examples=(example,))


def _of_served(each: Living, old: Release, new: Release, context: Context) -> Verdict | None:
    """Of a version, or a kind in one, that the release before knew, and did not serve yet; None for all else."""
    kinds = _newly_served(each.element, old, new, context)
    if not kinds:
        return None
    message = f"{each.element} is served from {each.life.introduced} on"
    hit = depends(f"a client that speaks {each.element} gets 404 Not Found from a server of before")
    hits: dict[Direction, Hit] = {Direction.NEW_CLIENT: hit}
    return Verdict(
        message,
        {**hits, **hits_of_unserved(each.element, context)},
    )


def _newly_served(element: Element, old: Release, new: Release, context: Context) -> list[str]:
    """The kinds of a version, or the one kind, of which both sides say the same, and that only the new release serves.

    What a kind says that its version says as well is told of the version; what is said otherwise now is a change of its own.
    """
    before, after = (side.version(element.group, element.version) for side in (context.old, context.new))
    if element.kind not in (ElementKind.VERSION, ElementKind.KIND) or before is None or after is None:
        return []
    names = [name for name in after.kinds if element.type in ("", name) and name in before.kinds]
    own = [name for name in names if after.kinds[name].lifecycle.introduced != after.lifecycle.introduced]
    names = [name for name in names if (name in own) == bool(element.type)]
    offered = [name for name in names if before.served and before.kinds[name].served]
    same = [name for name in offered if _introduced(before.kinds[name]) == _introduced(after.kinds[name])]
    return [name for name in same if _comes_after(before.kinds[name], old) and is_served(after, name, new)]


def _introduced(kind: KindVersion) -> Release | None:
    return kind.lifecycle.introduced


def _comes_after(kind: KindVersion, release: Release) -> bool:
    return kind.lifecycle.introduced is not None and kind.lifecycle.introduced > release
