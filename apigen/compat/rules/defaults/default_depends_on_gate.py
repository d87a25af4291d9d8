"""Which gates a default asks has changed."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.mitigations.default_gates_off import DefaultGatesOff
from apigen.compat.rules.claims import altered
from apigen.compat.rules.defaults.pair import defaults_of
from apigen.compat.rules.defaults.words import gates_of, named
from apigen.compat.rules.rule import change_rule
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "default-depends-on-gate",
    altered(Trait.DEFAULT),
    severities="W/W/E",
    mitigated_by=(DefaultGatesOff(),),
    presets=WIRE,
)
def default_depends_on_gate(change: AnyChange, context: Context) -> Verdict | None:
    """Two servers with other gates give the same object two meanings."""
    pair = defaults_of(change, context)
    if pair is None or gates_of(pair.before) == gates_of(pair.after):
        return None
    return Verdict(
        f"the default of {change.element} asks {named(pair.after)}, and asked {named(pair.before)}",
        pair.hits,
        severities=None if pair.hits else Severities.of("I/I/I"),
        examples=pair.examples,
        is_unproven=pair.is_unproven,
    )
