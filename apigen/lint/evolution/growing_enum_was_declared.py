"""An enum grows only if it said from its first release on what clients make of a value that they do not know."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Related
from apigen.ir.model import Enum, Release
from apigen.lint.evolution.enum_steps import enum_steps, enums
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.rule import finding


class GrowingEnumWasDeclared(EvolutionRule):
    """Clients are written by what the enum says when they are written, and older ones meet the new value.
    (Kubernetes API changes: enums say from their first release on that they may grow)
    """

    code = "AG1332"
    can_be_acknowledged = True

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        for step in enum_steps(evolution):
            added = next(step.new_values, None)
            if added is None:
                continue
            release, first = _first(evolution, step.now)
            if first.open or first.unknown is not None:
                continue
            said = (
                "said that it never gets another value" if first.closed else "did not say what clients make of others"
            )
            yield finding(
                step.now.place,
                f"`{step.now.id.name}` gets the value `{added.value}`, and in its first release, {release}, it {said}",
                "add a field with an enum of its own, or a version of the API in which this enum declares `unknown:`",
                (
                    Related(added.place, "the new value"),
                    Related(first.place, f"`{step.now.id.name}` as {release} shipped it"),
                ),
            )


class NewEnumIsDeclared(EvolutionRule):
    """What is not said in the first release cannot be said later: clients were written without it."""

    code = "AG1333"
    can_be_acknowledged = True

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        if evolution.release is None:
            return
        for enum in enums(evolution):
            if enum.open or enum.closed or enum.unknown is not None or not _is_new(enum, evolution):
                continue
            yield finding(
                enum.place,
                f"`{enum.id.name}` comes with {evolution.release}, and does not say what clients make of a value that "
                "they do not know",
                "add `unknown:` with one of its values, `open: true` if any text will do, or `open: false` if it never "
                "gets another value",
            )


def _is_new(enum: Enum, evolution: Evolution) -> bool:
    """Whether the next release brings an enum. What was served before anything was recorded is not new."""
    before = evolution.before
    if before is not None and any((id_.group, id_.version) == (enum.id.group, enum.id.version) for id_ in before.types):
        return enum.id not in before.types
    version = evolution.now.group(enum.id.group).version(enum.id.version)
    introduced = None if version is None else version.lifecycle.introduced
    return introduced is None or evolution.release is None or introduced >= evolution.release


def _first(evolution: Evolution, now: Enum) -> tuple[Release, Enum]:
    """The first release that had an enum, and what the enum was there. Only for an enum that was released."""
    for release, api in evolution.history.steps():
        found = api.types.get(now.id)
        if isinstance(found, Enum):
            return release, found
    raise KeyError(now.id)
