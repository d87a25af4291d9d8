"""`dataclass` and `field` of the runtime, for the compiler, and a `replace` that needs no more than they create."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apigen.runtime.dataclasses import dataclass, field

__all__ = ["dataclass", "field", "replace"]

if TYPE_CHECKING:
    from dataclasses import replace
else:

    def replace(value, /, **changes):
        """Return a value with other fields, as the standard library's function does."""
        unchanged = {name: getattr(value, name) for name in value.__match_args__ if name not in changes}
        return value.__class__(**unchanged, **changes)
