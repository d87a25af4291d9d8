"""What clients make of a value that they do not know stays as it was released."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Related
from apigen.ir.model import Enum
from apigen.lint.evolution.enum_steps import enum_steps
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.rule import finding


class UnknownValuesStay(EvolutionRule):
    """Clients of both releases run at once, and would take the same object for different ones."""

    code = "AG1334"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        for step in enum_steps(evolution):
            was, is_ = _treatment(step.before), _treatment(step.now)
            if was == is_ or (not was and not step.now.open):
                continue
            release = evolution.newest
            yield finding(
                step.now.place,
                f"clients of {release} {_words(step.before)}; now `{step.now.id.name}` says that they "
                f"{_words(step.now)}",
                f"write `{was}` again" if was else "leave out `open: true`: values are added one by one",
                (Related(step.before.place, f"`{step.now.id.name}` as {release} shipped it"),),
            )


def _treatment(enum: Enum) -> str:
    """What an enum declares, as it is written; empty if nothing."""
    if enum.open or enum.closed:
        return f"open: {'true' if enum.open else 'false'}"
    return f"unknown: {enum.unknown}" if enum.unknown is not None else ""


def _words(enum: Enum) -> str:
    if enum.open:
        return "take any other value as it is"
    if enum.closed:
        return "never meet another value"
    if enum.unknown is not None:
        return f"take what they do not know for `{enum.unknown}`"
    return "know no other value"
