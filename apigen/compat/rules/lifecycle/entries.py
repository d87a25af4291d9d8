"""Lists of names that changed."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, Value
from apigen.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Entries:
    """What is gone from a list of names, and what came to it."""

    gone: tuple[str, ...]
    new: tuple[str, ...]

    @classmethod
    def of(cls, change: Altered) -> Entries:
        """Of a trait that is a list of names."""
        before, after = _names(change.before), _names(change.after)
        return cls(
            tuple(name for name in before if name not in after), tuple(name for name in after if name not in before)
        )

    @property
    def words(self) -> str:
        """Both in words; of an order that changed: that."""
        gone = f"{' and '.join(self.gone)} {'is' if len(self.gone) == 1 else 'are'} gone" if self.gone else ""
        new = f"{' and '.join(self.new)} {'is' if len(self.new) == 1 else 'are'} new" if self.new else ""
        return " and ".join(part for part in (gone, new) if part) or "the order is another one"


def _names(value: Value) -> tuple[str, ...]:
    return tuple(str(each) for each in value) if isinstance(value, tuple) else ()
