"""The functions that Kubernetes adds to CEL, for values that have no type of their own in JSON.

Quantities, URLs, addresses and versions are messages with their canonical text: the type checker sees different
types, and equal values are equal. (`form` of a quantity is not compared: see `Amount.parts`.) Functions that Python
cannot provide are omitted: `indexOf` of lists (strings have a function of that name) and `authorizer` (there is no
request). The functions of `format` return optionals, which Python cannot make: `cel_text` lets CEL make them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import partial
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from itertools import pairwise
from urllib.parse import urlsplit

from . import formats
from .dataclasses import dataclass
from .field_paths import ROOT
from .patterns import Pattern, PatternError, pattern
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
from .schema_formats import FORMATS

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from typing import Any, Final

    from .field_paths import FieldPath
    from .validation import FieldError


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


_PACKAGE: Final = "kubernetes"
_MESSAGES: Final = ("Quantity", "URL", "IP", "CIDR", "Semver", "Format")
_SEMVER = re.compile(
    r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)"
    r"(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
)
_UINT64_DIGITS: Final = 20
_Address = IPv4Address | IPv6Address


@dataclass(frozen=True, slots=True)
class _Overload:
    """One form of a function: its name, whether it is called on its first argument, result, arguments, body."""

    name: str
    member: bool
    result: str
    arguments: tuple[str, ...]
    body: Callable[..., object]


def message_types() -> list[bytes]:
    """The file that declares the messages, serialized."""
    from importlib import import_module

    descriptors = import_module("google.protobuf.descriptor_pb2")
    file = descriptors.FileDescriptorProto(
        name="kubernetes.proto", package=_PACKAGE, syntax="proto2"
    )
    for name in _MESSAGES:
        message = file.message_type.add(name=name)
        message.field.add(name="text", number=1, type=9, label=1)
        message.field.add(name="form", number=2, type=1, label=3)
    return [file.SerializeToString()]


def functions(library: Any, pool: Any, message_class: Any) -> list[Any]:
    """The declarations of all functions, for environments whose messages are in `pool`."""
    type_ = library.Type
    types = {
        "bool": type_.BOOL,
        "int": type_.INT,
        "double": type_.DOUBLE,
        "string": type_.STRING,
        "dyn": type_.DYN,
        "list": type_.List(type_.DYN),
        "texts": type_.List(type_.STRING),
        "query": type_.Map(type_.STRING, type_.List(type_.STRING)),
    }
    classes = {
        name: message_class(pool.FindMessageTypeByName(f"{_PACKAGE}.{name}"))
        for name in _MESSAGES
    }
    types |= {name: type_(f"{_PACKAGE}.{name}") for name in _MESSAGES}

    def body(overloads: list[_Overload]) -> Callable[..., object]:
        """Return the implementation of overloads that differ only in the type of their first argument."""
        by_first = {overload.arguments[:1]: overload for overload in overloads}

        def call(*arguments: Any) -> object:
            overload = overloads[0]
            if len(overloads) > 1:
                overload = by_first[(arguments[0].DESCRIPTOR.name,)]
            found = overload.body(*map(_content, arguments))
            message = classes.get(overload.result)
            if message is None:
                return found
            text, form = found.parts() if isinstance(found, Amount) else (found, [])
            return message(text=text or None, form=form)

        return call

    declared: dict[str, list[Any]] = {}
    for alike in _alike(_OVERLOADS):
        for number, overload in enumerate(alike):
            implementation = {} if number else {"impl": body(alike)}
            declared.setdefault(overload.name, []).append(
                library.Overload(
                    f"{overload.name}({','.join(overload.arguments)}){overload.member}",
                    return_type=types[overload.result],
                    parameters=[types[name] for name in overload.arguments],
                    is_member=overload.member,
                    **implementation,
                )
            )
    return [library.FunctionDecl(name, found) for name, found in declared.items()]


def _content(argument: Any) -> Any:
    """Return the Python value that a function gets for an argument of CEL."""
    text = getattr(argument, "text", None)
    if not isinstance(text, str):
        return argument
    return Amount.of_parts(text, argument.form) if argument.form else text


def _alike(overloads: Iterable[_Overload]) -> Iterable[list[_Overload]]:
    """The overloads between which the library cannot choose: to its evaluator, a message is a message."""
    groups: dict[object, list[_Overload]] = {}
    for overload in overloads:
        kinds = ("message" if a in _MESSAGES else a for a in overload.arguments)
        groups.setdefault((overload.name, overload.member, *kinds), []).append(overload)
    return groups.values()


def _is(read: Callable[[str], object]) -> Callable[[str], bool]:
    """Return whether a text can be read."""

    def holds(text: str) -> bool:
        try:
            read(text)
        except ValueError:
            return False
        return True

    return holds


# --- formats ----------------------------------------------------------------------------------------------------------


def _problems(
    validate: Callable[[FieldPath, str], Iterable[FieldError]], *, prefix: bool = False
) -> Callable[[str], list[str]]:
    """Return the function that returns the problems of a string; a `prefix` may end with a dash."""

    def problems(text: str) -> list[str]:
        if prefix and len(text) > 1 and text.endswith("-"):
            text = f"{text[:-2]}a"
        return [error.detail for error in validate(ROOT, text)]

    return problems


def _of_schemas(name: str, problem: str) -> Callable[[str], list[str]]:
    return lambda text: [] if FORMATS[name](text) else [problem]


_FORMATS: Final[dict[str, Callable[[str], list[str]]]] = {
    "dns1123Label": _problems(formats.k8s_short_name),
    "dns1123LabelPrefix": _problems(formats.k8s_short_name, prefix=True),
    "dns1123Subdomain": _problems(formats.k8s_long_name),
    "dns1123SubdomainPrefix": _problems(formats.k8s_long_name, prefix=True),
    "dns1035Label": _problems(formats.dns_1035_label),
    "dns1035LabelPrefix": _problems(formats.dns_1035_label, prefix=True),
    "qualifiedName": _problems(formats.k8s_label_key),
    "labelValue": _problems(formats.k8s_label_value),
    "uri": _of_schemas("uri", "invalid URI for request"),
    "uuid": _of_schemas("uuid", "does not match the UUID format"),
    "byte": _of_schemas("byte", "invalid base64"),
    "date": _of_schemas("date", "invalid date"),
    "datetime": _of_schemas("datetime", "invalid datetime"),
}


# --- quantities -------------------------------------------------------------------------------------------------------


def _as_integer(amount: Amount) -> int:
    found = amount.integer()
    if found is None:
        raise ValueError("cannot convert value to integer")
    return found


def _amount(term: Amount | int) -> Amount:
    return Amount.of_integer(term) if isinstance(term, int) else term


def _compare(a: Any, b: Any) -> int:
    return int(a > b) - int(a < b)


# --- URLs, addresses, versions ----------------------------------------------------------------------------------------


def _url(text: str) -> str:
    is_absolute = urlsplit(text).scheme or text.startswith("/")
    if not is_absolute or _port(text).strip("0123456789"):
        raise ValueError(f"URL parse error during conversion from string: {text!r}")
    return text


def _port(text: str) -> str:
    """The digits of the port, which may be any number."""
    _, colon, port = _host(text).rpartition("]")[2].rpartition(":")
    return port if colon else ""


def _host(text: str) -> str:
    return urlsplit(text).netloc.rpartition("@")[2]


def _hostname(text: str) -> str:
    host = _host(text)
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


def _query(text: str) -> dict[str, list[str]]:
    from urllib.parse import parse_qs

    return parse_qs(urlsplit(text).query, keep_blank_values=True)


def _address(text: str) -> _Address:
    address = ip_address(text)
    if isinstance(address, IPv6Address) and (address.scope_id or address.ipv4_mapped):
        raise ValueError(f"IP address {text!r} has a zone or is a mapped IPv4 address")
    return address


def _network(text: str) -> tuple[_Address, int]:
    address, slash, length = text.partition("/")
    is_number = length.isascii() and length.isdecimal()
    if not slash or not is_number or (length != "0" and length[0] == "0"):
        raise ValueError(f"network address {text!r} is no CIDR")
    found = _address(address)
    if len(length) > 3 or int(length) > found.max_prefixlen:
        raise ValueError(f"network address {text!r} has too long a prefix")
    return found, int(length)


def _contains(cidr: str, inner: str) -> bool:
    address, length = _network(inner) if "/" in inner else (_address(inner), 128)
    outer, bits = _network(cidr)
    if outer.version != address.version or length < bits:
        return False
    shift = outer.max_prefixlen - bits
    return int(outer) >> shift == int(address) >> shift


def _masked(cidr: str) -> str:
    return str(ip_network(cidr, strict=False))


def _is_global_unicast(text: str) -> bool:
    address = _address(text)
    special = address.is_unspecified or address.is_loopback or address.is_multicast
    return not (special or address.is_link_local or text == "255.255.255.255")


def _semver(text: str) -> str:
    found = _SEMVER.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no semantic version")
    parts = [*found.groups()[:3], *(found[4] or "").split(".")]
    for number in filter(str.isdecimal, parts):
        if number != "0" and number[0] == "0":
            raise ValueError(f"{text!r} is no semantic version: {number!r}")
        if len(number) > _UINT64_DIGITS or int(number) >= 2**64:
            raise ValueError(f"{text!r} is no semantic version: a number is too large")
    return text


def _version_key(text: str) -> tuple[object, ...]:
    """Return the sort key of a semantic version: a pre-release before its release, numbers in it before text."""
    found = _SEMVER.fullmatch(text)
    assert found is not None
    before = tuple(
        (0, int(part), "") if part.isdecimal() else (1, 0, part)
        for part in (found[4] or "").split(".")
        if part
    )
    return (*(int(found[n]) for n in (1, 2, 3)), not before, before)


def _version_part(number: int) -> Callable[[str], int]:
    return lambda text: int(_version_key(text)[number])  # type: ignore[call-overload]


# --- lists, sets, regular expressions ---------------------------------------------------------------------------------


def _total(items: list[Any]) -> object:
    if not items:
        return 0
    total = items[0]
    if isinstance(total, (str, bytes, list)):  # only grow, in quadratic time
        raise ValueError("sum is defined for numbers and durations")
    for item in items[1:]:
        total = total + item
    return total


def _least(items: list[Any], choose: Callable[[Iterable[Any]], Any]) -> object:
    if not items:
        raise ValueError("min and max of an empty list are not defined")
    return choose(items)


def _holds_all(items: list[Any], required: list[Any]) -> bool:
    return set(map(_identity, items)).issuperset(map(_identity, required))


def _identity(item: Any) -> Hashable:
    """Return a key that is equal for values that are equal in CEL, in which `true` is not a number."""
    if isinstance(item, bool):
        return bool, item
    if isinstance(item, float) and item != item:
        return object()
    if isinstance(item, (list, tuple)):
        return list, tuple(map(_identity, item))
    if isinstance(item, Mapping):
        entries = ((_identity(k), _identity(v)) for k, v in item.items())
        return dict, frozenset(entries)
    descriptor = getattr(item, "DESCRIPTOR", None)
    if descriptor is None:
        return item if isinstance(item, Hashable) else (type(item), repr(item))
    message: Any = item
    known = getattr(message, "text", None)
    return descriptor.full_name, message.SerializeToString() if known is None else known


def _first(text: str, written: str) -> str:
    return _pattern(written).find(text)


def _all(text: str, written: str, most: int = -1) -> list[str]:
    return _pattern(written).find_all(text, most)


def _pattern(written: str) -> Pattern:
    try:
        return pattern(written)
    except PatternError as error:
        raise ValueError(f"invalid regular expression: {error}") from None


def _ordered(
    message: str, key: Callable[[Any], Any]
) -> tuple[_Overload, _Overload, _Overload]:
    two = (message, message)
    return (
        _Overload("isLessThan", True, "bool", two, lambda a, b: key(a) < key(b)),
        _Overload("isGreaterThan", True, "bool", two, lambda a, b: key(a) > key(b)),
        _Overload("compareTo", True, "int", two, lambda a, b: _compare(key(a), key(b))),
    )


_Q, _U, _I, _C, _V, _F = (f"{name}" for name in _MESSAGES)
_OVERLOADS: Final[tuple[_Overload, ...]] = (
    _Overload("quantity", False, _Q, ("string",), Amount.parse),
    _Overload("isQuantity", False, "bool", ("string",), _is(Quantity)),
    _Overload(
        "isInteger", True, "bool", (_Q,), lambda q: Amount.integer(q) is not None
    ),
    _Overload("asInteger", True, "int", (_Q,), _as_integer),
    _Overload("asApproximateFloat", True, "double", (_Q,), Amount.approximate_float),
    _Overload("sign", True, "int", (_Q,), lambda q: q.value.sign),
    _Overload("add", True, _Q, (_Q, _Q), Amount.plus),
    _Overload("add", True, _Q, (_Q, "int"), lambda a, b: a.plus(_amount(b))),
    _Overload("sub", True, _Q, (_Q, _Q), Amount.minus),
    _Overload("sub", True, _Q, (_Q, "int"), lambda a, b: a.minus(_amount(b))),
    *_ordered(_Q, lambda q: q.value),
    _Overload("url", False, _U, ("string",), _url),
    _Overload("isURL", False, "bool", ("string",), _is(_url)),
    _Overload("getScheme", True, "string", (_U,), lambda u: urlsplit(u).scheme),
    _Overload("getHost", True, "string", (_U,), _host),
    _Overload("getHostname", True, "string", (_U,), _hostname),
    _Overload("getPort", True, "string", (_U,), _port),
    _Overload("getEscapedPath", True, "string", (_U,), lambda u: urlsplit(u).path),
    _Overload("getQuery", True, "query", (_U,), _query),
    _Overload("ip", False, _I, ("string",), lambda t: str(_address(t))),
    _Overload("ip", True, _I, (_C,), lambda c: str(_network(c)[0])),
    _Overload("isIP", False, "bool", ("string",), _is(_address)),
    _Overload(
        "ip.isCanonical", False, "bool", ("string",), lambda t: str(_address(t)) == t
    ),
    _Overload("family", True, "int", (_I,), lambda i: _address(i).version),
    _Overload(
        "isUnspecified", True, "bool", (_I,), lambda i: _address(i).is_unspecified
    ),
    _Overload("isLoopback", True, "bool", (_I,), lambda i: _address(i).is_loopback),
    _Overload(
        "isLinkLocalUnicast", True, "bool", (_I,), lambda i: _address(i).is_link_local
    ),
    _Overload(
        "isLinkLocalMulticast",
        True,
        "bool",
        (_I,),
        lambda i: i.startswith(("224.0.0.", "ff02:")),
    ),
    _Overload("isGlobalUnicast", True, "bool", (_I,), _is_global_unicast),
    _Overload(
        "cidr",
        False,
        _C,
        ("string",),
        lambda t: "{}/{}".format(*_network(t)),
    ),
    _Overload("isCIDR", False, "bool", ("string",), _is(_network)),
    _Overload("containsIP", True, "bool", (_C, "string"), _contains),
    _Overload("containsIP", True, "bool", (_C, _I), _contains),
    _Overload("containsCIDR", True, "bool", (_C, "string"), _contains),
    _Overload("containsCIDR", True, "bool", (_C, _C), _contains),
    _Overload("masked", True, _C, (_C,), _masked),
    _Overload("prefixLength", True, "int", (_C,), lambda c: _network(c)[1]),
    _Overload("semver", False, _V, ("string",), _semver),
    _Overload("isSemver", False, "bool", ("string",), _is(_semver)),
    _Overload("major", True, "int", (_V,), _version_part(0)),
    _Overload("minor", True, "int", (_V,), _version_part(1)),
    _Overload("patch", True, "int", (_V,), _version_part(2)),
    *_ordered(_V, _version_key),
    _Overload(
        "isSorted",
        True,
        "bool",
        ("list",),
        lambda items: all(a <= b for a, b in pairwise(items)),
    ),
    _Overload("sum", True, "dyn", ("list",), _total),
    _Overload("min", True, "dyn", ("list",), lambda items: _least(items, min)),
    _Overload("max", True, "dyn", ("list",), lambda items: _least(items, max)),
    _Overload("sets.contains", False, "bool", ("list", "list"), _holds_all),
    _Overload(
        "sets.equivalent",
        False,
        "bool",
        ("list", "list"),
        lambda a, b: _holds_all(a, b) and _holds_all(b, a),
    ),
    _Overload(
        "sets.intersects",
        False,
        "bool",
        ("list", "list"),
        lambda a, b: not {*map(_identity, a)}.isdisjoint(map(_identity, b)),
    ),
    *(
        _Overload(f"format.{name}", False, _F, (), partial(str, name))
        for name in _FORMATS
    ),
    _Overload(
        "format.named", False, _F, ("string",), lambda t: t if t in _FORMATS else ""
    ),
    _Overload("validate", True, "texts", (_F, "string"), lambda f, t: _FORMATS[f](t)),
    _Overload("find", True, "string", ("string", "string"), _first),
    _Overload("findAll", True, "texts", ("string", "string"), _all),
    _Overload("findAll", True, "texts", ("string", "string", "int"), _all),
)
