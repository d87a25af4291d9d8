"""Kubernetes' resource quantities: fixed-point numbers such as `500m`, `2Gi` or `1e3`.

The rules are those of `resource.Quantity` of Kubernetes v1.36, with its oddities, because bytes depend on them: a text
that looks canonical is kept unchanged (`+5`, `0012`), digits below nano are rounded away from zero, a binary suffix is
capped at 2^63-1, exponents wrap around at 32 bits, and a suffix past `E` or `Ei` disappears from the text (`1000E` is
written `1`; its value stays).

Digits stay text. Parsing, comparing, rounding and adding therefore take time linear in the length of the text, and
`int`, which takes quadratic time and rejects more than 4,300 digits, only reads texts of bounded length.
"""

from __future__ import annotations

from functools import lru_cache, total_ordering

from .dataclasses import PYDANTIC_HOOKS
from .errors import rejecting_once, shortened

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from decimal import Decimal
    from typing import final
else:

    def final(declared):
        """For type checkers only."""
        return declared


DECIMAL_SUFFIXES = {
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
_DECIMAL_TEXTS = {exponent: suffix for suffix, exponent in DECIMAL_SUFFIXES.items()}
BINARY_SUFFIXES = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_BINARY_TEXTS = ("", *BINARY_SUFFIXES)
_SUFFIX_LETTERS = "eEinumkKMGTP"
_DIGITS = "0123456789"

_GO_SPACE = " \t\n\v\f\r\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
"""The characters that Go's `strings.TrimSpace` removes."""

_NANO = -9
_MAX = 2**63 - 1
_MAX_DIGITS = 19
_INT64_DIGITS = 18
_CACHED_LENGTH = 32
_INT_DIGITS = 640
"""`int()` accepts as many digits under every `sys.set_int_max_str_digits`."""
_LONGEST_GAP = 10_000
"""In digits: the sum of `1e2000000000` and `1` has no text of a reasonable length."""

_DECIMAL, _BINARY, _EXPONENTIAL = "", "i", "e"
"""The unit styles: `1500m`, `2Gi`, `1e3`."""


@final
@total_ordering
class Quantity:
    """An exact number with the unit style it was written in. Immutable; equal and ordered by value.

    `str()` is the canonical text, as JSON and protobuf hold it. Raises ValueError if Kubernetes rejects the text.
    """

    __slots__ = ("_point", "_style", "_text", "digits", "sign")

    _text: str
    sign: int
    """-1, 0 or 1."""
    digits: str
    """Without zeros at either end; empty for zero."""
    _point: int
    """The value is `0.` followed by the digits, times 10 to this power."""
    _style: str

    def __new__(cls, text: str = "0") -> Quantity:
        return parse_quantity(text)

    @property
    def value(self) -> Decimal:
        """The exact value. (Arithmetic with it rounds by the decimal context.)"""
        from decimal import Decimal

        digits = f"{self.digits or 0}E{self.exponent}"
        return Decimal(f"-{digits}" if self.sign < 0 else digits)

    @property
    def exponent(self) -> int:
        """The power of ten of the last digit."""
        return self._point - len(self.digits)

    __get_pydantic_core_schema__ = PYDANTIC_HOOKS["__get_pydantic_core_schema__"]
    __get_pydantic_json_schema__ = PYDANTIC_HOOKS["__get_pydantic_json_schema__"]

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Quantity({self._text!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Quantity):
            return NotImplemented
        return (
            self.digits == other.digits
            and self._point == other._point
            and self.sign == other.sign
        )

    def __hash__(self) -> int:
        return hash((self.sign, self._point, self.digits))

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Quantity):
            return NotImplemented
        if self.sign != other.sign:
            return self.sign < other.sign
        low, high = (self, other) if self.sign > 0 else (other, self)
        if low._point != high._point:
            return low._point < high._point
        return low.digits < high.digits

    def __bool__(self) -> bool:
        return self.sign != 0

    def __add__(self, other: object) -> Quantity:
        """Return the sum, in this one's unit style; in the other's if this is zero.

        If more than 10,000 zeros were needed between the digits of the two, the sum is the larger term.
        """
        if not isinstance(other, Quantity):
            return NotImplemented
        style = self._style if self else other._style
        if not (self and other):
            term = self or other
            return _with_value(term.sign < 0, term.digits, term.exponent, style)
        exponent = min(self.exponent, other.exponent)
        length = max(self._point, other._point) - exponent
        if length > len(self.digits) + len(other.digits) + _LONGEST_GAP:
            return self if self._point > other._point else other
        negative, digits = _added(
            (self.sign < 0, self.digits + "0" * (self.exponent - exponent)),
            (other.sign < 0, other.digits + "0" * (other.exponent - exponent)),
        )
        return _with_value(negative, digits, exponent, style)

    def rounded_up(self, exponent: int) -> Quantity:
        """Return the next multiple of 10**exponent away from zero; itself if it is one. -3: thousandths."""
        if not self.sign or self.exponent >= exponent:
            return self
        digits = _rounded_to(self.digits, self.exponent, exponent)
        return _with_value(self.sign < 0, digits, exponent, self._style)

    def __copy__(self) -> Quantity:
        return self

    def __deepcopy__(self, memo: object) -> Quantity:
        return self

    def __reduce__(self) -> tuple[object, tuple[str, bool, str, int, str]]:
        parts = (self._text, self.sign < 0, self.digits, self.exponent, self._style)
        return _make, parts

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Quantity cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a Quantity cannot be changed")


def _with_value(negative: bool, digits: str, exponent: int, style: str) -> Quantity:
    """Return the quantity with its canonical text in a unit style."""
    text = _canonical(negative, digits, exponent, style)
    return _make(text, negative, digits, exponent, style)


def _make(
    text: str, negative: bool, digits: str, exponent: int, style: str
) -> Quantity:
    """Return the quantity of digits * 10**exponent, in the one form that equality compares."""
    without_zeros = digits.lstrip("0")
    significant = without_zeros.rstrip("0")
    quantity = object.__new__(Quantity)
    set_slot = object.__setattr__
    set_slot(quantity, "_text", text)
    set_slot(quantity, "sign", 0 if not significant else -1 if negative else 1)
    set_slot(quantity, "digits", significant)
    set_slot(quantity, "_point", exponent + len(without_zeros) if significant else 0)
    set_slot(quantity, "_style", style)
    return quantity


@rejecting_once
def _parse(text: str) -> Quantity:
    negative, whole, fraction, suffix = split_quantity(text)
    if suffix in BINARY_SUFFIXES:
        power = BINARY_SUFFIXES[suffix]
        return _parse_binary(text, negative, whole, fraction, power)
    return _parse_decimal(text, negative, whole, fraction, suffix)


_cached = lru_cache(maxsize=4096)(_parse)


def parse_quantity(text: str) -> Quantity:
    """Return `Quantity(text)`, without the time of calling a class."""
    return _cached(text) if len(text) <= _CACHED_LENGTH else _parse(text)


def parse_json_quantity(text: str) -> Quantity:
    """Return the quantity of a JSON string, where spaces around it do not count."""
    return _cached_json(text) if len(text) <= _CACHED_LENGTH else _parse_json(text)


def _parse_json(text: str) -> Quantity:
    return _parse(text.strip(_GO_SPACE))


_cached_json = lru_cache(maxsize=4096)(_parse_json)


def split_quantity(text: str) -> tuple[bool, str, str, str]:
    """Return whether the text starts with `-`, its digits before and after the point, and the suffix."""
    negative = text[:1] == "-"
    unsigned = text[1:] if negative or text[:1] == "+" else text
    suffix = unsigned.lstrip(_DIGITS)
    whole = unsigned[: len(unsigned) - len(suffix)]
    fraction = ""
    if suffix[:1] == ".":
        rest = suffix[1:]
        suffix = rest.lstrip(_DIGITS)
        fraction = rest[: len(rest) - len(suffix)]
    return negative, whole, fraction, suffix


def is_int64(digits: int, scale: int, power: int | None = None) -> bool:
    """Return whether Go stores a number with this many digits, times 10**scale or 2**power, in 64 bits."""
    if power is not None:
        return digits <= 14 - power * 3 // 10
    return digits <= _INT64_DIGITS and scale >= _NANO


def quantity_of(negative: bool, digits: str, exponent: int) -> Quantity:
    """Return the quantity of digits * 10**exponent, in decimal style."""
    return _with_value(negative, digits, exponent, _DECIMAL)


def _parse_decimal(
    text: str, negative: bool, whole: str, fraction: str, suffix: str
) -> Quantity:
    exponent = DECIMAL_SUFFIXES.get(suffix) if text else None
    style = _DECIMAL
    if exponent is None:
        exponent = written_exponent(text, suffix)
        style = _EXPONENTIAL
    digits = (whole.lstrip("0") or "0") + fraction
    scale = exponent - len(fraction)
    if is_int64(len(digits), to_int32(scale)):
        scale = to_int32(scale)
        if scale % 3 == 0 and not digits.endswith("000") and digits[0] != "0":
            return _make(text, negative, digits, scale, style)
    else:
        if not (whole or fraction):
            raise ValueError(f"{shortened(text)} has no digits")
        if scale < _NANO:
            digits, scale = _rounded_to(digits, scale, _NANO), _NANO
    return _with_value(negative, digits, scale, style)


def written_exponent(text: str, suffix: str) -> int:
    """Return the exponent of a suffix such as `e3`. It has 64 bits, of which Kubernetes keeps the low 32."""
    signed = suffix.lstrip(_SUFFIX_LETTERS)
    digits = signed[1:] if signed[:1] in ("+", "-") else signed
    if not text or digits.strip(_DIGITS):
        raise ValueError(
            f"{shortened(text)} is not a quantity, such as 500m, 2Gi or 1e3"
        )
    significant = digits.lstrip("0")
    letters = suffix[: len(suffix) - len(signed)]
    if digits and letters in ("e", "E") and len(significant) <= _MAX_DIGITS:
        exponent = int(significant or "0") * (-1 if signed[0] == "-" else 1)
        if -(2**63) <= exponent < 2**63:
            return to_int32(exponent)
    raise ValueError(f"{shortened(text)} has the unknown suffix {shortened(suffix)}")


def to_int32(number: int) -> int:
    """Return a number truncated to 32 bits, as in Go."""
    if -(2**31) <= number < 2**31:
        return number
    return (number + 2**31) % 2**32 - 2**31


def _parse_binary(
    text: str, negative: bool, whole: str, fraction: str, power: int
) -> Quantity:
    """Read a number with a binary suffix.

    At most 19 digits before the point matter, because of the cap. After the point, multiples of a billionth of
    2**-power have at most 9 + power digits, so that rounding up only depends on whether any digit follows those.
    """
    significant = whole.lstrip("0") or "0"
    if not fraction and is_int64(len(significant), 0, power):
        number = int(significant)
        digits = str(number << power)
        if number & 7:
            return _make(text, negative, digits, 0, _BINARY)
        return _with_value(negative, digits, 0, _BINARY)
    if not (whole or fraction):
        raise ValueError(f"{shortened(text)} has no digits")
    if len(significant) > _MAX_DIGITS:
        return _with_value(negative, str(_MAX), 0, _BINARY)
    places = power - _NANO
    if len(fraction) > places:
        some = "1" if fraction.rstrip("0")[places:] else ""
        fraction = fraction[:places] + some
    digits, scale = str(int(significant + fraction) << power), -len(fraction)
    if scale < _NANO:
        digits, scale = _rounded_to(digits, scale, _NANO), _NANO
    mantissa = int(digits)
    if mantissa > _MAX * 10**-scale:
        digits, mantissa, scale = str(_MAX), _MAX, 0
    style = _DECIMAL if 0 < mantissa < 10**-scale else _BINARY
    return _with_value(negative, digits, scale, style)


def _rounded_to(digits: str, exponent: int, least: int) -> str:
    """Return digits * 10**exponent in units of the greater 10**least, rounded away from zero."""
    dropped = least - exponent
    kept = digits[:-dropped]
    if not digits[len(kept) :].strip("0"):
        return kept or "0"
    head = kept.rstrip("9")
    nines = len(kept) - len(head)
    if not head:
        return "1" + "0" * nines
    return head[:-1] + str(int(head[-1]) + 1) + "0" * nines


def _canonical(negative: bool, digits: str, exponent: int, style: str) -> str:
    """Return the text of digits * 10**exponent; a number that is not whole has no binary text."""
    without_zeros = digits.lstrip("0")
    significant = without_zeros.rstrip("0")
    if not significant:
        return "0"
    exponent += len(without_zeros) - len(significant)
    sign = "-" if negative else ""
    if style == _BINARY and exponent >= 0:
        return sign + _binary_text(significant, exponent)
    return sign + _decimal_text(significant, exponent, style)


def _decimal_text(digits: str, exponent: int, style: str) -> str:
    """Return the shortest integer with an exponent that is a multiple of three, as a suffix or (`e`) in digits."""
    exponent = to_int32(exponent)
    zeros = exponent % 3
    digits += "0" * zeros
    exponent = to_int32(exponent - zeros)
    if style == _EXPONENTIAL:
        return f"{digits}e{exponent}" if exponent else digits
    return digits + _DECIMAL_TEXTS.get(exponent, "")


def _binary_text(digits: str, exponent: int) -> str:
    length = len(digits) + exponent
    whole = digits + "0" * exponent
    if length < 4 or (length == 4 and whole < "1024"):
        return _decimal_text(digits, exponent, _DECIMAL)
    times = 0
    if length > _INT_DIGITS:
        whole, times = _without_kibi(whole)
    else:
        value = int(whole)
        while value % 1024 == 0:
            value //= 1024
            times += 1
        whole = str(value)
    return whole + (_BINARY_TEXTS[times] if times < len(_BINARY_TEXTS) else "")


def _without_kibi(digits: str) -> tuple[str, int]:
    """Divide by 1024 as often as that leaves no remainder; return the quotient and how often.

    It divides by 1024 to the powers 2**n, 2**(n-1), … 1, each once, so that time grows little faster than the length.
    """
    from decimal import MAX_EMAX, MIN_EMIN, Context

    context = Context(prec=len(digits) + 1, Emax=MAX_EMAX, Emin=MIN_EMIN)
    value = context.create_decimal(digits)
    divisors = [context.create_decimal(1024)]
    while not context.remainder(value, divisors[-1]):
        divisors.append(context.multiply(divisors[-1], divisors[-1]))
        if divisors[-1] > value:
            break
    times = 0
    for power in reversed(range(len(divisors))):
        quotient, rest = context.divmod(value, divisors[power])
        if not rest:
            value = quotient
            times += 1 << power
    return f"{value:f}", times


def _added(a: tuple[bool, str], b: tuple[bool, str]) -> tuple[bool, str]:
    """Return the sum of two integers, each as whether it is negative and its digits."""
    (a_negative, a_digits), (b_negative, b_digits) = a, b
    length = max(len(a_digits), len(b_digits))
    if length <= _INT_DIGITS:
        one, other = int(a_digits), int(b_digits)
        total = (-one if a_negative else one) + (-other if b_negative else other)
        return total < 0, str(abs(total))
    from decimal import MAX_EMAX, MIN_EMIN, Context

    context = Context(prec=length + 1, Emax=MAX_EMAX, Emin=MIN_EMIN)
    terms = [
        context.create_decimal(f"-{digits}" if negative else digits)
        for negative, digits in (a, b)
    ]
    text = format(context.add(*terms), "f")
    return text.startswith("-"), text.removeprefix("-")
