"""What could be changed can be changed."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic
from apigen.rules.evolution.evolution import Evolution, EvolutionRule
from apigen.rules.evolution.shipped_fields import fields_in_use
from apigen.rules.rule import finding
from apigen.spec.model import Constraints


class FieldStaysMutable(EvolutionRule):
    """Mutable fields do not become immutable; one that code by hand kept from changing was not mutable.

    (api_changes.md, "On compatibility")
    """

    code = "AG1384"
    can_be_acknowledged = True

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        for step in fields_in_use(evolution):
            enforced = step.before.constraints.enforced_by_hand
            known = {*_rules(step.before.constraints), *(() if enforced is None else _rules(enforced))}
            for word in _rules(step.now.constraints):
                if word not in known:
                    message = f"`{step.name}` could be changed in {step.release} as `{word}` forbids now"
                    hint = f"take `{word}` away; a field that cannot be changed is another field"
                    yield finding(step.now.place, message, hint, step.shipped)


def _rules(constraints: Constraints) -> Iterator[str]:
    """What forbids changes of a field, as specs write it."""
    for word, written in (("immutable", constraints.immutable), ("monotonic", constraints.monotonic)):
        if written is not None and written.value:
            yield f"{word}: true"
    yield from (f"update: [{rule.value}]" for rule in constraints.update)
