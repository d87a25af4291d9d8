"""Changes as text: for people, and the stable text of fingerprints."""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.ir.model import Feature, FeatureStage, Release
from apigen.ir.surface import (
    Alias,
    Branch,
    Default,
    Enum,
    EnumValue,
    Field,
    GateMark,
    Group,
    KindVersion,
    Method,
    Service,
    Slot,
    SourceFile,
    Struct,
    Tombstone,
    Union,
    Version,
)
from apigen.ir.surface import Kind as KindOfGroup
from apigen.review.changes.change import Added, Altered, AnyChange, Part, Removed, Value


def change_words(change: AnyChange) -> str:
    """Return the difference as a sentence without a final period."""
    match change:
        case Added():
            return f"{change.element.kind} {change.element.words} was added"
        case Removed():
            return f"{change.element.kind} {change.element.words} was removed"
        case Altered():
            return f"{change.label} of {change.element.words} changed {from_to(change)}"


def sides(change: AnyChange) -> tuple[str, str]:
    """Return the text of the base and of the revision; empty if a side has none."""
    match change:
        case Added():
            return "", part_words(change.part)
        case Removed():
            return part_words(change.part), ""
        case Altered():
            return f"{change.label}: {value_words(change.before)}", f"{change.label}: {value_words(change.after)}"


def from_to(change: Altered, absent: str = "unset") -> str:
    """Return both values of a trait, such as `from 1 to 2`; `absent` is the word for a side without a value."""
    return f"from {value_words(change.before, absent)} to {value_words(change.after, absent)}"


def value_words(value: Value, absent: str = "unset") -> str:
    """Return the value of a trait as text; `absent` without a value."""
    match value:
        case None | "" | ():
            return absent
        case bool():
            return "true" if value else "false"
        case Default():
            return value.text
        case GateMark():
            return (" or " if value.is_any else " and ").join(value.gates) + (
                f" ({value.words})" if value.words else ""
            )
        case Release():
            return str(value)
        case tuple():
            return ", ".join(_entry_words(entry) for entry in value)
        case _:
            return str(value)


def _entry_words(entry: object) -> str:
    if isinstance(entry, FeatureStage):
        locked = ", locked" if entry.locked else ""
        least = f", from {entry.min_compatibility}" if entry.min_compatibility else ""
        return f"{entry.release} {entry.stage.value} {'on' if entry.default else 'off'}{locked}{least}"
    if isinstance(entry, tuple) and not hasattr(entry, "_fields"):
        return "=".join(str(part) for part in entry)
    return str(entry)


def part_words(part: Part) -> str:
    """Return an added or removed part in one line."""
    match part:
        case Field():
            number = f" = {part.number}" if part.number is not None else ""
            return f"{part.name}: {part.slot.type}{number}"
        case Slot():
            return str(part.type)
        case Branch():
            return f"{part.keyword}[{part.label}]: {part.slot.type}"
        case EnumValue():
            return part.value if part.number is None else f"{part.value} = {part.number}"
        case Union():
            return f"union of {', '.join(part.members)}"
        case Tombstone():
            return f"tombstone {part.name}" + (f" = {part.numbers}" if part.numbers is not None else "")
        case Struct() | Enum() | Alias():
            return f"{type(part).__name__.lower()} {part.name.name}"
        case Feature():
            return f"feature gate {part.name}: {value_words(part.stages)}"
        case KindVersion():
            return f"kind {part.kind}"
        case Group() | Version() | KindOfGroup() | Service() | Method() | SourceFile():
            return f"{type(part).__name__.lower()} {part.name}"
        case _:
            return part.text


@dataclass(frozen=True, slots=True)
class Entries:
    """The removed and the added entries of a list of names."""

    removed: tuple[str, ...]
    new: tuple[str, ...]

    @classmethod
    def of(cls, change: Altered) -> Entries:
        """Return the entries of a change of a list of names."""
        before, after = (
            [str(each) for each in value] if isinstance(value, tuple) else [] for value in (change.before, change.after)
        )
        removed, added = (name for name in before if name not in after), (name for name in after if name not in before)
        return cls(tuple(removed), tuple(added))

    @property
    def first_removed(self) -> str:
        """The first name that was removed; empty if none was."""
        return self.removed[0] if self.removed else ""

    @property
    def words(self) -> str:
        """The removed and added names, or that the order changed."""
        parts = [
            f"{' and '.join(names)} {'was' if len(names) == 1 else 'were'} {how}"
            for names, how in ((self.removed, "removed"), (self.new, "added"))
            if names
        ]
        return " and ".join(parts) or "the order changed"
