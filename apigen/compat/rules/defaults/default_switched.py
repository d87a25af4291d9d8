"""A gate is on by default that was off, or the other way round, and a default asks it."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.rules.defaults.slots import defaulted_slots, path_defaults
from apigen.compat.rules.enums.switched import switched_gates
from apigen.compat.rules.guards import has_gates
from apigen.compat.rules.rule import Issue, state_rule
from apigen.compat.surface.elements import Element
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Default
from apigen.compat.values.hits import everywhere
from apigen.compat.verdict.impact import depends
from apigen.compat.verdict.verdict import Verdict


@state_rule("default-switched", has_gates, severities="W/W/E")
def default_switched(surface: Surface, context: Context) -> Iterator[Issue]:
    """A default says the same, and the gate that it asks does not."""
    switched = switched_gates(context) if surface is context.new else {}
    if not switched:
        return
    known = dict(_defaults(context.old))
    for element, default in _defaults(surface):
        before = known.get(element)
        for gate in default.gates if before is not None else ():
            if gate in switched and before is not None and gate in before.gates:
                verdict = _verdict(element, default, gate, is_on=switched[gate])
                yield Issue(element, default.place, verdict, f"default by {gate}")


def _defaults(surface: Surface) -> Iterator[tuple[Element, Default]]:
    yield from ((each.element, each.default) for each in defaulted_slots(surface))
    yield from path_defaults(surface)


def _verdict(element: Element, default: Default, gate: str, *, is_on: bool) -> Verdict:
    state, was = ("on", "off") if is_on else ("off", "on")
    text = f"what is left out means what the default gives with {gate} {state} to the new release, and with it {was} to the one before"
    return Verdict(
        f"the default of {element} is {default.text}, and {gate} is {state} by default, which was {was}",
        everywhere(depends(text)),
        is_unproven=True,
    )
