"""Rule on enums: a new one declares whether it may grow."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic
from apigen.ir.model import Enum
from apigen.lint.evolution.evolution import Evolution, evolution_rule
from apigen.lint.rule import finding


def enums(evolution: Evolution) -> Iterator[Enum]:
    """Return the enums that are checked."""
    for type_ in evolution.now.types.values():
        if isinstance(type_, Enum) and evolution.covers(type_.id):
            yield type_


@evolution_rule("AG1333", can_be_acknowledged=True)
def new_enum_is_declared(evolution: Evolution) -> Iterator[Diagnostic]:
    """An enum declares its handling of unknown values in its first release: clients are written for that release."""
    if evolution.release is None:
        return
    for enum in enums(evolution):
        if enum.open or enum.closed or enum.unknown is not None or not _is_new(enum, evolution):
            continue
        yield finding(
            enum.place,
            f"enum `{enum.id.name}` is new in {evolution.release} and does not declare how clients handle unknown values",
            "add `unknown: VALUE` with one of its values, or `open: true` if any string is valid, or `open: false` if it "
            "never gets another value",
        )


def _is_new(enum: Enum, evolution: Evolution) -> bool:
    """Return whether the enum is new in the next release. An enum served before the first record is not new."""
    before = evolution.before
    if before is not None and any((id_.group, id_.version) == (enum.id.group, enum.id.version) for id_ in before.types):
        return enum.id not in before.types
    version = evolution.now.group(enum.id.group).version(enum.id.version)
    introduced = None if version is None else version.lifecycle.introduced
    return introduced is None or evolution.release is None or introduced >= evolution.release
