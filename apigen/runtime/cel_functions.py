"""The functions that Kubernetes adds to CEL, for values that have no type of their own in JSON.

Quantities, URLs, addresses and versions are messages with their canonical text: the type checker sees different
types, and equal values are equal. (`form` of a quantity is not compared: see `Amount.parts`.) Functions that Python
cannot provide are omitted: `format` (its result is an optional), `indexOf` of lists (strings have a function of that
name) and `authorizer` (there is no request).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from itertools import pairwise
from urllib.parse import urlsplit

from .cel_quantities import Amount
from .patterns import Pattern, PatternError, pattern
from .quantity import Quantity

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from typing import Any, Final

_PACKAGE: Final = "kubernetes"
_MESSAGES: Final = ("Quantity", "URL", "IP", "CIDR", "Semver")
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
            return message(text=text, form=form)

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
    parts = urlsplit(text)
    if not (parts.scheme or text.startswith("/")):
        raise ValueError(f"URL parse error during conversion from string: {text!r}")
    if _port(text).strip("0123456789"):
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


_Q, _U, _I, _C, _V = (f"{name}" for name in _MESSAGES)

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
    _Overload("find", True, "string", ("string", "string"), _first),
    _Overload("findAll", True, "texts", ("string", "string"), _all),
    _Overload("findAll", True, "texts", ("string", "string", "int"), _all),
)
