"""Kubernetes' resource quantities: fixed-point numbers such as `500m`, `2Gi` or `1e3`.

The rules are those of `resource.Quantity` of Kubernetes v1.36, with its oddities, as bytes depend on them: a text that
looks canonical is kept as it is (`+5`, `0012`), finer than nano is rounded away from zero, a binary suffix is capped at
2^63-1, and a suffix past `E` or `Ei` disappears from the text (`1000E` is written `1`; its value stays).
"""

from __future__ import annotations

from functools import cache, lru_cache, total_ordering

from .errors import shortened

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    import re
    from decimal import Decimal
    from typing import final
else:

    def final(declared):
        """For type checkers only."""
        return declared


_DECIMAL_SUFFIXES = {
    "n": -9,
    "u": -6,
    "m": -3,
    "": 0,
    "k": 3,
    "M": 6,
    "G": 9,
    "T": 12,
    "P": 15,
    "E": 18,
}
_DECIMAL_TEXTS = {exponent: suffix for suffix, exponent in _DECIMAL_SUFFIXES.items()}
_BINARY_SUFFIXES = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_BINARY_TEXTS = ("", *_BINARY_SUFFIXES)

_NANO = -9
_MAX = 2**63 - 1
_INT64_DIGITS = 18
_CACHED_LENGTH = 32
_LONGEST_SUM = 4000
"""In digits: `1e2000000000` is a quantity, too."""

_DECIMAL, _BINARY, _EXPONENTIAL = "", "i", "e"
"""The unit styles: `1500m`, `2Gi`, `1e3`."""


@final
@total_ordering
class Quantity:
    """An exact number with the unit style it was written in. Immutable; equal and ordered by value.

    `str()` is the canonical text, as JSON and protobuf hold it. Raises ValueError where Kubernetes refuses the text.
    """

    __slots__ = ("_exponent", "_mantissa", "_style", "_text")

    _text: str
    _mantissa: int
    _exponent: int
    _style: str

    def __new__(cls, text: str = "0") -> Quantity:
        return parse_quantity(text)

    @property
    def value(self) -> Decimal:
        """The exact value. (Arithmetic with it rounds as the decimal context says.)"""
        from decimal import Decimal

        digits = tuple(map(int, str(abs(self._mantissa))))
        return Decimal((int(self._mantissa < 0), digits, self._exponent))

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Quantity({self._text!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Quantity):
            return NotImplemented
        return self._mantissa == other._mantissa and self._exponent == other._exponent

    def __hash__(self) -> int:
        return hash((self._mantissa, self._exponent))

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Quantity):
            return NotImplemented
        return _difference(self, other) < 0

    def __bool__(self) -> bool:
        return self._mantissa != 0

    def __add__(self, other: object) -> Quantity:
        """Return the sum, in this one's unit style; in the other's if this is zero.

        A sum of more than 4000 digits is its longer term.
        """
        if not isinstance(other, Quantity):
            return NotImplemented
        style = self._style if self else other._style
        if not (self and other):
            term = self or other
            return _with_value(term._mantissa, term._exponent, style)
        low, high = sorted((self, other), key=lambda term: term._exponent)
        shift = high._exponent - low._exponent
        lengths = len(str(abs(low._mantissa))), len(str(abs(high._mantissa))) + shift
        if max(lengths) > _LONGEST_SUM:
            return high if lengths[1] > lengths[0] else low
        mantissa: int = low._mantissa + high._mantissa * 10**shift
        return _with_value(mantissa, low._exponent, style)

    def rounded_up(self, exponent: int) -> Quantity:
        """Return the next multiple of 10**exponent away from zero; itself if it is one. -3: thousandths."""
        if self._exponent >= exponent or not self._mantissa:
            return self
        mantissa, scale = _rounded_to(self._mantissa, self._exponent, exponent)
        return _with_value(mantissa, scale, self._style)

    def __copy__(self) -> Quantity:
        return self

    def __deepcopy__(self, memo: object) -> Quantity:
        return self

    def __reduce__(self) -> tuple[object, tuple[str, int, int, str]]:
        return _make, (self._text, self._mantissa, self._exponent, self._style)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Quantity cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a Quantity cannot be changed")


def _with_value(mantissa: int, exponent: int, style: str) -> Quantity:
    """Return the quantity with its canonical text in a unit style."""
    if not mantissa:
        return _make("0", 0, 0, style)
    whole = exponent >= 0 or mantissa % 10**-exponent == 0
    if style != _BINARY or not whole:
        text = _decimal_text(mantissa, exponent, style)
    elif exponent < 0:
        text = _binary_text(mantissa // 10**-exponent)
    else:
        text = _binary_text(mantissa * 10**exponent)
    return _make(text, mantissa, exponent, style)


def _make(text: str, mantissa: int, exponent: int, style: str) -> Quantity:
    """Return the quantity of mantissa * 10**exponent, brought to the one form that equality compares."""
    if mantissa == 0:
        exponent = 0
    while mantissa and mantissa % 10 == 0:
        mantissa //= 10
        exponent += 1
    quantity = object.__new__(Quantity)
    object.__setattr__(quantity, "_text", text)
    object.__setattr__(quantity, "_mantissa", mantissa)
    object.__setattr__(quantity, "_exponent", exponent)
    object.__setattr__(quantity, "_style", style)
    return quantity


@cache
def _form() -> re.Pattern[str]:
    """The form of a quantity; importing does not wait for what it takes to compile this."""
    import re

    return re.compile(
        r"([+-]?)(0*)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[+-]?[0-9]*)", re.ASCII
    )


@cache
def _exponent() -> re.Pattern[str]:
    """The form of an exponent."""
    import re

    return re.compile(r"[eE]([+-]?[0-9]+)", re.ASCII)


def _parse(text: str) -> Quantity:
    if text.isascii() and text.isdecimal():  # most are, and spare importing `re`
        whole = text.lstrip("0")
        zeros = text[: len(text) - len(whole)]
        return _parse_decimal(text, False, zeros, whole, "", "")
    form = _form().fullmatch(text)
    if form is None or not text:
        raise ValueError(
            f"{shortened(text)} is not a quantity, such as 500m, 2Gi or 1e3"
        )
    sign, zeros, whole, fraction, suffix = form.groups("")
    negative = sign == "-"
    if suffix in _BINARY_SUFFIXES:
        return _parse_binary(
            text, negative, zeros, whole, fraction, _BINARY_SUFFIXES[suffix]
        )
    return _parse_decimal(text, negative, zeros, whole, fraction, suffix)


_cached = lru_cache(maxsize=4096)(_parse)


def parse_quantity(text: str) -> Quantity:
    """`Quantity(text)`, without what calling a class takes."""
    return _cached(text) if len(text) <= _CACHED_LENGTH else _parse(text)


def _parse_decimal(
    text: str, negative: bool, zeros: str, whole: str, fraction: str, suffix: str
) -> Quantity:
    scale = _decimal_exponent(text, suffix) - len(fraction)
    digits = (whole or "0") + fraction
    mantissa = -int(digits) if negative else int(digits)
    small = len(digits) <= _INT64_DIGITS and scale >= _NANO
    if not small and not (zeros or whole or fraction):
        raise ValueError(f"{shortened(text)} has no digits")
    exponential = suffix[:1] in ("e", "E") and suffix != "E"
    style = _EXPONENTIAL if exponential else _DECIMAL
    if small and scale % 3 == 0 and not digits.endswith("000") and digits[0] != "0":
        return _make(text, mantissa, scale, style)
    mantissa, scale = _rounded_to(mantissa, scale, _NANO)
    return _make(_decimal_text(mantissa, scale, style), mantissa, scale, style)


def _decimal_exponent(text: str, suffix: str) -> int:
    exponent = _DECIMAL_SUFFIXES.get(suffix)
    if exponent is not None:
        return exponent
    written = _exponent().fullmatch(suffix)
    if written is None or not -(2**63) <= int(written[1]) < 2**63:
        raise ValueError(
            f"{shortened(text)} has the unknown suffix {shortened(suffix)}"
        )
    return (int(written[1]) + 2**31) % 2**32 - 2**31  # Kubernetes keeps the low 32 bits


def _parse_binary(
    text: str, negative: bool, zeros: str, whole: str, fraction: str, power: int
) -> Quantity:
    digits = (whole or "0") + fraction
    mantissa = int(digits) << power
    if not fraction and len(whole or "0") <= 14 - power * 3 // 10:
        mantissa = -mantissa if negative else mantissa
        kept = text if int(digits) & 7 else _binary_text(mantissa)
        return _make(kept, mantissa, 0, _BINARY)
    if not (zeros or whole or fraction):
        raise ValueError(f"{shortened(text)} has no digits")
    mantissa, scale = _rounded_to(mantissa, -len(fraction), _NANO)
    if mantissa > _MAX * 10**-scale:
        mantissa, scale = _MAX, 0
    style = _DECIMAL if 0 < mantissa < 10**-scale else _BINARY
    return _with_value(-mantissa if negative else mantissa, scale, style)


def _rounded_to(mantissa: int, scale: int, least: int) -> tuple[int, int]:
    """Round away from zero to multiples of 10**least: whoever asks for some gets some."""
    if scale >= least or mantissa == 0:
        return mantissa, scale
    places = least - scale
    if places > len(
        str(abs(mantissa))
    ):  # spares 10**places, which an exponent can make huge
        return (1 if mantissa > 0 else -1), least
    unit: int = 10**places
    return (-(-mantissa // unit) if mantissa > 0 else mantissa // unit), least


def _decimal_text(mantissa: int, exponent: int, style: str) -> str:
    """Return the shortest integer with an exponent that is a multiple of three, as a suffix or (`e`) in digits."""
    if mantissa == 0:
        return "0"
    while mantissa % 10 == 0:
        mantissa //= 10
        exponent += 1
    mantissa *= 10 ** (exponent % 3)
    exponent -= exponent % 3
    if style == _EXPONENTIAL:
        return f"{mantissa}e{exponent}" if exponent else str(mantissa)
    return str(mantissa) + _DECIMAL_TEXTS.get(exponent, "")


def _binary_text(value: int) -> str:
    if -1024 < value < 1024:
        return _decimal_text(value, 0, "")
    times = 0
    while value % 1024 == 0:
        value //= 1024
        times += 1
    return str(value) + (_BINARY_TEXTS[times] if times < len(_BINARY_TEXTS) else "")


def _difference(a: Quantity, b: Quantity) -> int:
    """Return a number with the sign of a - b, without expanding huge exponents."""
    m, n = a._mantissa, b._mantissa
    if (m > 0) != (n > 0) or (m < 0) != (n < 0) or not m:
        return (m > 0) - (m < 0) - (n > 0) + (n < 0)
    by_size = len(str(abs(m))) + a._exponent - len(str(abs(n))) - b._exponent
    if by_size:
        return by_size if m > 0 else -by_size
    common = min(a._exponent, b._exponent)
    return int(m * 10 ** (a._exponent - common) - n * 10 ** (b._exponent - common))
