"""Quantities as Kubernetes' CEL library computes with them.

Some of its answers depend on how Go holds a value, not on the value alone: `isInteger` is false for `1000m`, and
`asApproximateFloat` multiplies a rounded mantissa by a rounded power of ten. An `Amount` therefore has the value as Go
stores it: an int64 or a big integer, and a power of ten as its factor.
"""

from __future__ import annotations

from .dataclasses import dataclass
from .quantity import (
    BINARY_SUFFIXES,
    DECIMAL_SUFFIXES,
    Quantity,
    is_int64,
    quantity_of,
    split_quantity,
    to_int32,
    written_exponent,
)

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from typing import Final

_NANO: Final = -9
_INT64: Final = 2**63
_MAX_SCALED: Final = (
    18  # no other number than 0 times a higher power of ten has 64 bits
)
_FORM_BITS: Final = 33


@dataclass(frozen=True, slots=True)
class Amount:
    """A quantity's value; `scale` is the power of ten that its integer is multiplied by, in int64 or, `big`, in more."""

    value: Quantity
    scale: int
    big: bool

    @staticmethod
    def parse(text: str) -> Amount:
        """Read a quantity. Raises ValueError."""
        value = Quantity(text)
        _, whole, fraction, suffix = split_quantity(text)
        digits = len(whole.lstrip("0") or "0")
        power = BINARY_SUFFIXES.get(suffix)
        if power is not None:
            if not fraction and is_int64(digits, 0, power):
                return Amount(value, 0, False)
            exponent = 0
            is_capped = (value.digits, value.exponent) == (_MAX.digits, 0)
        else:
            found = DECIMAL_SUFFIXES.get(suffix)
            exponent = written_exponent(text, suffix) if found is None else found
            scale = to_int32(exponent - len(fraction))
            if is_int64(digits + len(fraction), scale):
                return Amount(value, scale, False)
            is_capped = False
        if not value:
            return Amount(value, exponent - len(fraction), True)
        return Amount(value, 0 if is_capped else _NANO, True)

    @staticmethod
    def of_integer(number: int) -> Amount:
        """Return the amount of an integer of CEL."""
        return Amount(_of_integer(number, 0), 0, False)

    @staticmethod
    def of_parts(text: str, form: list[float]) -> Amount:
        """Return the amount that `parts` returned."""
        digits, _, exponent = text.removeprefix("-").partition("e")
        value = quantity_of(text[0] == "-", digits, int(exponent))
        bits = sum(1 << at for at, zero in enumerate(form) if str(zero)[0] == "-")
        return Amount(value, to_int32(bits >> 1), bool(bits & 1))

    def parts(self) -> tuple[str, list[float]]:
        """Return the value as text, the same for equal values, and the rest as a list of zeros.

        CEL compares messages field by field, and all lists of 33 zeros are equal, whatever their signs: the signs
        encode the bits that do not matter in a comparison.
        """
        sign = "-" if self.value.sign < 0 else ""
        text = f"{sign}{self.value.digits or 0}e{self.value.exponent}"
        bits = (self.scale & 0xFFFFFFFF) << 1 | self.big
        return text, [-0.0 if bits >> at & 1 else 0.0 for at in range(_FORM_BITS)]

    def integer(self) -> int | None:
        """Return the result of Go's `AsInt64`; None if it fails."""
        if self.big or self.scale < 0:
            return None
        return _scaled(self._mantissa(), self.scale)

    def approximate_float(self) -> float:
        """Return the result of Go's `AsApproximateFloat64`."""
        exponent = self.value.exponent - self.scale
        digits = f"{self.value.digits or 0}e{exponent}"
        base = float(f"-{digits}" if self.value.sign < 0 else digits)
        return base * _power_of_ten(self.scale) if self.scale else base

    def plus(self, other: Amount) -> Amount:
        """Return the sum."""
        if not (self.big or other.big):
            found = self._plus_int64(other._mantissa(), other.scale)
            if found is not None:
                return found
        return Amount(self.value + other.value, min(self.scale, other.scale), True)

    def minus(self, other: Amount) -> Amount:
        """Return the difference."""
        if not (self.big or other.big):
            mantissa = other._mantissa()
            negated = mantissa if mantissa == -_INT64 else -mantissa  # as in Go
            found = self._plus_int64(negated, other.scale)
            if found is not None:
                return found
        value = other.value
        negative = quantity_of(value.sign > 0, value.digits, value.exponent)
        return Amount(self.value + negative, min(self.scale, other.scale), True)

    def _plus_int64(self, mantissa: int, scale: int) -> Amount | None:
        """Return the sum with an integer times a power of ten; None if 64 bits do not hold it."""
        own_mantissa = self._mantissa()
        if not mantissa:
            return self
        if not own_mantissa:
            return Amount(_of_integer(mantissa, scale), scale, False)
        least = min(self.scale, scale)
        one = _scaled(own_mantissa, to_int32(self.scale - least))
        other = _scaled(mantissa, to_int32(scale - least))
        if one is None or other is None or not -_INT64 <= one + other < _INT64:
            return None
        return Amount(_of_integer(one + other, least), least, False)

    def _mantissa(self) -> int:
        """Return the int64, of at most 19 digits."""
        if not self.value:
            return 0
        digits = self.value.digits + "0" * (self.value.exponent - self.scale)
        return int(digits) * self.value.sign


_MAX: Final = quantity_of(False, str(_INT64 - 1), 0)


def _of_integer(number: int, scale: int) -> Quantity:
    return quantity_of(number < 0, str(abs(number)), scale)


def _scaled(number: int, power: int) -> int | None:
    """Return number * 10**power if int64 holds it. (The power is negative where Go's 32 bits overflow.)"""
    if power <= 0 or not number:
        return number
    if power > _MAX_SCALED:
        return None
    scaled: int = number * 10**power
    return scaled if -_INT64 <= scaled < _INT64 else None


def _power_of_ten(power: int) -> float:
    """Return the result of Go's `math.Pow10`: the product of two rounded powers."""
    if power < -323:
        return 0.0
    if power > 308:
        return float("inf")
    if power < 0:
        return float(f"1e-{-power // 32 * 32}") / float(f"1e{-power % 32}")
    return float(f"1e{power // 32 * 32}") * float(f"1e{power % 32}")
