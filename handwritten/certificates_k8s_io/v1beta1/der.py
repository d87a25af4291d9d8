"""DER as far as a certificate request needs it: elements, whole numbers, object identifiers and texts.

It accepts what Go's encoding/asn1 accepts and refuses what that refuses, since a default follows from which it is.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterator

from generated.runtime.dataclasses import dataclass

UNIVERSAL, CONTEXT = 0, 2
BOOLEAN, INTEGER, BITS, OCTETS, OID, SEQUENCE, SET = 1, 2, 3, 4, 6, 16, 17
_LARGEST_LENGTH = 1 << 31
_LARGEST_NUMBER = (1 << 31) - 1


class Unreadable(ValueError):
    """Not what it has to be."""


@dataclass(frozen=True, slots=True)
class Element:
    """A tag with its content; `whole` is both, as it is written."""

    tag_class: int
    constructed: bool
    tag: int
    content: bytes
    whole: bytes

    def is_a(self, tag: int, tag_class: int = UNIVERSAL) -> bool:
        """Whether it is that; sequences and sets are constructed, nothing else is."""
        constructed = tag_class != UNIVERSAL or tag in (SEQUENCE, SET)
        return (self.tag_class, self.tag, self.constructed) == (tag_class, tag, constructed)


class Reader:
    """Elements one after the other. All methods raise Unreadable."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def more(self) -> bool:
        return self._at < len(self._data)

    def next(self) -> Element:
        """The next element, whatever it is."""
        element, self._at = _element(self._data, self._at)
        return element

    def expect(self, tag: int, tag_class: int = UNIVERSAL) -> bytes:
        """The content of the next element, which has to be that."""
        element = self.next()
        if not element.is_a(tag, tag_class):
            raise Unreadable("another tag is expected")
        return element.content

    def skip_flag(self) -> None:
        """Pass over a boolean, if there is one."""
        if self.more():
            element, after = _element(self._data, self._at)
            if element.is_a(BOOLEAN):
                _flag(element.content)
                self._at = after

    def all(self, tag: int | None = None) -> Iterator[Element]:
        """The rest; with `tag`, every one has to be that."""
        while self.more():
            element = self.next()
            if tag is not None and not element.is_a(tag):
                raise Unreadable("another tag is expected")
            yield element


def only(data: bytes, tag: int) -> bytes:
    """The content of the element that `data` is, which has to be that, with nothing behind it."""
    reader = Reader(data)
    content = reader.expect(tag)
    if reader.more():
        raise Unreadable("something stands behind it")
    return content


def number(content: bytes) -> int:
    """The value of an INTEGER, in the fewest bytes."""
    if not content or (len(content) > 1 and content[0] in (0, 0xFF) and (content[0] ^ content[1]) < 0x80):
        raise Unreadable("no number")
    return int.from_bytes(content, "big", signed=True)


def small_number(content: bytes) -> int:
    """The value of an INTEGER of at most 64 bits."""
    value = number(content)
    if len(content) > 8:
        raise Unreadable("too large")
    return value


def identifier(content: bytes) -> tuple[int, ...]:
    """The numbers of an OBJECT IDENTIFIER."""
    parts: list[int] = []
    at = 0
    while at < len(content):
        part, at = _base_128(content, at)
        parts.append(part)
    if not parts:
        raise Unreadable("an identifier of no numbers")
    first = min(parts[0] // 40, 2)
    return (first, parts[0] - 40 * first, *parts[1:])


def bits(content: bytes) -> bytes:
    """The bytes of a BIT STRING, shifted so that the last bit is the last bit."""
    if not content or content[0] > 7 or (len(content) == 1 and content[0]):
        raise Unreadable("no bits")
    value = int.from_bytes(content[1:], "big")
    if value & ((1 << content[0]) - 1):
        raise Unreadable("bits behind the last one")
    return (value >> content[0]).to_bytes(len(content) - 1, "big")


def text(element: Element) -> str | None:
    """The text of a value of any type; None where that is none. The value has to be good, whatever its type."""
    if element.tag_class != UNIVERSAL or element.constructed:
        return None
    check = _VALUES.get(element.tag)
    found = check(element.content) if check else None
    return found if isinstance(found, str) else None


def _element(data: bytes, at: int) -> tuple[Element, int]:
    start, first = at, _byte(data, at)
    tag = first & 0x1F
    at += 1
    if tag == 0x1F:
        tag, at = _base_128(data, at)
        if tag < 0x1F:
            raise Unreadable("a tag in too many bytes")
    length, at = _length(data, at)
    if length > len(data) - at:
        raise Unreadable("cut off")
    end = at + length
    return Element(first >> 6, bool(first & 0x20), tag, data[at:end], data[start:end]), end


def _byte(data: bytes, at: int) -> int:
    if at >= len(data):
        raise Unreadable("cut off")
    return data[at]


def _length(data: bytes, at: int) -> tuple[int, int]:
    first = _byte(data, at)
    at += 1
    if first < 0x80:
        return first, at
    end = at + first - 0x80
    if end > len(data) or end == at or data[at] == 0:
        raise Unreadable("no length")
    length = int.from_bytes(data[at:end], "big")
    if not 0x80 <= length < _LARGEST_LENGTH:
        raise Unreadable("a length in too many bytes")
    return length, end


def _base_128(data: bytes, at: int) -> tuple[int, int]:
    if _byte(data, at) == 0x80:
        raise Unreadable("a number in too many bytes")
    value = 0
    while True:
        byte = _byte(data, at)
        value = value << 7 | byte & 0x7F
        at += 1
        if value > _LARGEST_NUMBER:
            raise Unreadable("too large")
        if byte < 0x80:
            return value, at


def _flag(content: bytes) -> None:
    if content not in (b"\0", b"\xff"):
        raise Unreadable("no boolean")


def _printable(content: bytes) -> str:
    return _matched(content, rb"[A-Za-z0-9 '()+,\-./:=?*&]*")  # the last two are none, and common


def _matched(content: bytes, pattern: bytes) -> str:
    if not re.fullmatch(pattern, content):
        raise Unreadable("a character that this type of text has not")
    return content.decode("latin-1")


def _utf_8(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise Unreadable("no UTF-8") from None


def _bmp(content: bytes) -> str:
    if len(content) % 2:
        raise Unreadable("half a character")
    units = content.removesuffix(b"\0\0")
    for at in range(0, len(units), 2):
        unit = units[at] << 8 | units[at + 1]
        if 0xD800 <= unit <= 0xDFFF or 0xFDD0 <= unit <= 0xFDEF or unit >= 0xFFFE:
            raise Unreadable("no character")
    return units.decode("utf-16-be")


_ZONE = rb"(?:Z|(?!.0000)[+-](?:[01]\d|2[0-4])[0-5]\d)"
_UTC_TIME = rb"(\d\d)(\d\d)(\d\d)([01]\d|2[0-3])([0-5]\d)(?:[0-5]\d)?" + _ZONE
_TIME = rb"(\d{4})(\d\d)(\d\d)([01]\d|2[0-3])([0-5]\d)[0-5]\d(?:\.\d{0,8}[1-9])?" + _ZONE


def _utc_time(content: bytes) -> None:
    _date(content, _UTC_TIME)


def _time(content: bytes) -> None:
    _date(content, _TIME)


def _date(content: bytes, pattern: bytes) -> None:
    found = re.fullmatch(pattern, content)
    year, month, day = (int(part) for part in found.groups()[:3]) if found else (0, 0, 0)
    if not 1 <= month <= 12 or not 1 <= day <= monthrange(2000 + year % 400, month)[1]:  # leap years, of two digits too
        raise Unreadable("no date")


_VALUES: dict[int, Callable[[bytes], object]] = {
    BOOLEAN: _flag,
    INTEGER: small_number,
    BITS: bits,
    OID: identifier,
    12: _utf_8,
    18: lambda content: _matched(content, rb"[0-9 ]*"),
    19: _printable,
    20: lambda content: content.decode("latin-1"),
    22: lambda content: _matched(content, rb"[\x00-\x7f]*"),
    23: _utc_time,
    24: _time,
    30: _bmp,
}
"""What a value of each type has to be, by tag; others are taken as they are."""
