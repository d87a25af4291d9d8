"""Floating-point numbers as Go's encoding/json writes them: `5`, `0.5`, `1e+21`, `1e-7`."""

from __future__ import annotations

import math
import struct

from .dataclasses import dataclass
from .errors import EncodeError, unfit

_FLOAT32 = struct.Struct("<f")


@dataclass(frozen=True, slots=True)
class JsonNumber:
    """A number in a JSON tree that is written as `text`, because no int or float of Python prints like it."""

    text: str


def float_of(value: object) -> float:
    """Return a float, or an integer that is one exactly. Raises EncodeError for other values."""
    if type(value) is float:
        return value
    if isinstance(value, float):
        return float.__float__(value)
    if isinstance(value, int) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            raise unfit("a number", value) from None
        if number == value:
            return number
    raise unfit("a number", value)


def encode_float64(value: float) -> float | JsonNumber:
    """Return the value of the float in the JSON tree. Raises EncodeError for NaN and infinities, as Go does."""
    value = float_of(value)
    if 1e-4 <= abs(value) < 1e16 and not value.is_integer():
        return value  # here Python's repr is Go's text
    return _in_tree(float64_text(value))


def encode_float32(value: float) -> float | JsonNumber:
    """Return the value of the float in the JSON tree, rounded to 32 bits. Raises EncodeError as encode_float64."""
    return _in_tree(float32_text(float_of(value)))


def _in_tree(text: str) -> float | JsonNumber:
    if text.removeprefix("-").isdecimal() and text != "-0":
        return int(text)
    value = float(text)
    return value if repr(value) == text and "e" not in text else JsonNumber(text)


def float64_text(value: float) -> str:
    """Return the text of a float in Go's JSON. Raises EncodeError for NaN and infinities."""
    return _go_text(value, float.__repr__(value), 1e-6, 1e21)


def float32_text(value: float) -> str:
    """Return the text of a float of 32 bits in Go's JSON. Raises EncodeError for NaN and numbers beyond 32 bits."""
    single = to_float32(value)
    if not math.isfinite(single):
        raise EncodeError("", f"{value} does not fit into a float32")
    return _go_text(single, _shortest_of_32(single), to_float32(1e-6), to_float32(1e21))


def to_float32(value: float) -> float:
    """Round to the nearest float of 32 bits; infinity where the size of the value exceeds them."""
    try:
        rounded: float = _FLOAT32.unpack(_FLOAT32.pack(value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return rounded


def yaml_float_text(value: float) -> str:
    """Return the text of a float in Go's YAML (format `g`): exponents of two digits from 1e+06 and 1e-05 on."""
    return _general_text(value, float.__repr__(value))


def yaml_key_text(value: float) -> str:
    """Return the name that a float becomes as a key: of 32 bits, as Kubernetes' YAML library has it."""
    single = to_float32(value)
    if math.isnan(single):
        return ".nan"
    if math.isinf(single):
        return ".inf" if single > 0 else "-.inf"
    return _general_text(single, _shortest_of_32(single))


def _general_text(value: float, shortest: str) -> str:
    sign, digits, point = _digits(value, shortest)
    if not -4 < point <= 6:
        return sign + _scientific(digits, point, 2)
    return sign + _positional(digits, point)


def _shortest_of_32(single: float) -> str:
    return next(
        text
        for digits in range(1, 10)
        if to_float32(float(text := f"{single:.{digits}g}")) == single
    )


def _go_text(value: float, shortest: str, low: float, high: float) -> str:
    if not math.isfinite(value):
        raise EncodeError("", f"JSON cannot hold {value}")
    sign, digits, point = _digits(value, shortest)
    if value and not low <= abs(value) < high:
        return sign + _scientific(digits, point, 1)
    return sign + _positional(digits, point)


def _digits(value: float, shortest: str) -> tuple[str, str, int]:
    """Return sign, significant digits and the position of the decimal point among them (0: before the first)."""
    mantissa, _, exponent = shortest.lstrip("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or "0") - (len(whole + fraction) - len(digits))
    sign = "-" if math.copysign(1.0, value) < 0 else ""
    return sign, digits.rstrip("0") or "0", point if value else 1


def _positional(digits: str, point: int) -> str:
    if point <= 0:
        return "0." + "0" * -point + digits
    if point >= len(digits):
        return digits + "0" * (point - len(digits))
    return f"{digits[:point]}.{digits[point:]}"


def _scientific(digits: str, point: int, width: int) -> str:
    exponent = point - 1
    fraction = "." + digits[1:] if len(digits) > 1 else ""
    return (
        f"{digits[0]}{fraction}e{'-' if exponent < 0 else '+'}{abs(exponent):0{width}d}"
    )
