"""What rules about defaults ask of them."""

from __future__ import annotations

from apigen.compat.rules.defaults.pair import DefaultPair
from apigen.compat.surface.types import Default
from apigen.compat.values.member import default_value

_ZEROS = (0, "", False, "0", "0s", None)


def gates_of(default: Default | None) -> tuple[str, ...]:
    """The gates that a default asks."""
    return () if default is None else default.gates


def named(default: Default | None) -> str:
    """The gates that a default asks, in words."""
    return " and ".join(gates_of(default)) or "no gate"


def is_zero_swap(pair: DefaultPair) -> bool:
    """Whether one of two plain defaults is zero and the other is not."""
    if pair.before is None or pair.after is None or pair.before.is_computed or pair.after.is_computed:
        return False
    return _is_zero(pair.before) != _is_zero(pair.after)


def _is_zero(default: Default) -> bool:
    value = default_value(default)
    return (isinstance(value, list | dict) and not value) or any(value is each or value == each for each in _ZEROS)
