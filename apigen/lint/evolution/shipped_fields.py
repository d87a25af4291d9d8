"""The fields that a release shipped and that are still there, for rules about what may become of them."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.dataclass import dataclass
from apigen.diagnostics import Related
from apigen.ir.model import Field, Presence, Struct
from apigen.lint.evolution.enum_steps import is_on, struct_steps
from apigen.lint.evolution.evolution import Evolution


@dataclass(frozen=True, slots=True)
class ShippedField:
    """A field as the last release had it and as it is now. `struct` is its type now."""

    struct: Struct
    before: Field
    now: Field
    release: str

    @property
    def name(self) -> str:
        """The field with its type, as messages say it."""
        return f"{self.struct.id.name}.{self.now.json_name}"

    @property
    def shipped(self) -> tuple[Related, ...]:
        """Where the record has the field."""
        return (Related(self.before.place, f"as {self.release} shipped it"),)


def shipped_fields(evolution: Evolution) -> Iterator[ShippedField]:
    """The fields of versions that promise anything; each once, in the struct that declares it."""
    release = str(evolution.history.newest)
    for before, now in struct_steps(evolution):
        for field in () if now.taken_from is not None else now.own_fields:
            was = before.field(field.json_name)
            if was is not None and not was.via:
                yield ShippedField(now, was, field, release)


def fields_in_use(evolution: Evolution) -> Iterator[ShippedField]:
    """Those that everybody could set: what stands behind a gate that is off may still change."""
    for step in shipped_fields(evolution):
        gate = step.before.gate
        if gate is None or gate.during == () or is_on_before(step, evolution):
            yield step


def is_on_before(step: ShippedField, evolution: Evolution) -> bool:
    """Whether the gate of a field was on by default in the last release."""
    assert evolution.before is not None
    return step.before.gate is not None and is_on(step.before.gate, evolution.before, evolution.newest)


def spelled(presence: Presence) -> str:
    """A presence as a sentence has it."""
    return "always written" if presence is Presence.PLAIN else f"`{presence.value}`"
