"""What stands in a request for a certificate (PKCS #10, in PEM), as far as Kubernetes asks.

A request is readable here if Go's crypto/x509 can read it; its signature is not checked there either.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator

from generated.runtime.dataclasses import dataclass
from handwritten.certificates_k8s_io.v1beta1.der import (
    BITS,
    CONTEXT,
    INTEGER,
    OCTETS,
    OID,
    SEQUENCE,
    SET,
    Reader,
    Unreadable,
    bits,
    identifier,
    only,
    small_number,
    text,
)
from handwritten.certificates_k8s_io.v1beta1.public_keys import check_public_key

_BEGIN, _END, _DASHES = b"-----BEGIN ", b"\n-----END ", b"-----"
_BASE_64 = re.compile(rb"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")

_COMMON_NAME, _ORGANIZATION = (2, 5, 4, 3), (2, 5, 4, 10)
_EXTENSIONS, _ALTERNATIVE_NAMES = (1, 2, 840, 113549, 1, 9, 14), (2, 5, 29, 17)
_MAIL, _HOST, _URI, _ADDRESS = 0x81, 0x82, 0x86, 0x87


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks, and for which other names: `hosts` host names and addresses, `others` mail addresses and URIs."""

    common_name: str
    organizations: tuple[str, ...]
    hosts: int
    others: int


def read_request(data: bytes) -> Request:
    """Read the first block of PEM text, which has to be a request. Raises Unreadable."""
    block = _first_block(data)
    if block is None or block[0] != b"CERTIFICATE REQUEST":
        raise Unreadable("no block of a request")
    whole = Reader(only(block[1], SEQUENCE))
    asked = Reader(whole.expect(SEQUENCE))
    _algorithm(whole.expect(SEQUENCE))
    bits(whole.expect(BITS))
    small_number(asked.expect(INTEGER))
    subject = asked.next().whole
    key = Reader(asked.expect(SEQUENCE))
    algorithm, parameters = _algorithm(key.expect(SEQUENCE))
    key_bits = bits(key.expect(BITS))
    attributes = [element.whole for element in Reader(asked.expect(0, CONTEXT)).all()]
    check_public_key(algorithm, parameters, key_bits)
    names = list(_names(only(subject, SEQUENCE)))
    hosts, others = _alternative_names(attributes)
    return Request(
        common_name=next((value for kind, value in reversed(names) if kind == _COMMON_NAME), ""),
        organizations=tuple(value for kind, value in names if kind == _ORGANIZATION),
        hosts=hosts,
        others=others,
    )


def _algorithm(content: bytes) -> tuple[tuple[int, ...], bytes]:
    reader = Reader(content)
    found = identifier(reader.expect(OID))
    return found, reader.next().whole if reader.more() else b""


def _names(content: bytes) -> Iterator[tuple[tuple[int, ...], str]]:
    for group in list(Reader(content).all(SET)):
        for pair in list(Reader(group.content).all(SEQUENCE)):
            reader = Reader(pair.content)
            kind = identifier(reader.expect(OID))
            value = text(reader.next())
            if value is not None:
                yield kind, value


def _alternative_names(attributes: list[bytes]) -> tuple[int, int]:
    """How many host names and addresses, and how many mail addresses and URIs."""
    hosts = others = 0
    seen: set[tuple[int, ...]] = set()
    for attribute in attributes:
        for kind, value in _extensions(attribute):
            if kind in seen:
                raise Unreadable("an extension twice")
            seen.add(kind)
            if kind == _ALTERNATIVE_NAMES:
                hosts, others = _counted(value)
    return hosts, others


def _extensions(attribute: bytes) -> list[tuple[tuple[int, ...], bytes]]:
    """Those of an attribute that asks for some; none of another, and of one that has another form."""
    try:
        reader = Reader(only(attribute, SEQUENCE))
        kind = identifier(reader.expect(OID))
        values = list(Reader(reader.expect(SET)).all())
    except Unreadable:
        return []
    if kind != _EXTENSIONS or not values:
        return []
    found = []
    for extension in list(Reader(only(values[0].whole, SEQUENCE)).all(SEQUENCE)):
        reader = Reader(extension.content)
        kind = identifier(reader.expect(OID))
        reader.skip_flag()
        found.append((kind, reader.expect(OCTETS)))
    return found


def _counted(value: bytes) -> tuple[int, int]:
    hosts = others = 0
    for name in Reader(Reader(value).expect(SEQUENCE)).all():
        if name.tag >= 0x1F:
            raise Unreadable("a tag of more than a byte")
        kind = name.tag_class << 6 | name.constructed << 5 | name.tag
        if kind in (_HOST, _MAIL, _URI) and not name.content.isascii():
            raise Unreadable("a name with other characters than those of ASCII")
        if kind == _ADDRESS and len(name.content) not in (4, 16):
            raise Unreadable("an address of no known length")
        hosts += kind in (_HOST, _ADDRESS)
        others += kind in (_MAIL, _URI)  # a URI that cannot be read would come to the same
    return hosts, others


def _first_block(data: bytes) -> tuple[bytes, bytes] | None:
    """Type and content of the first good block of PEM text, of whatever type; None if there is none.

    A block ends at the first END line behind it and begins at the last BEGIN line before that.
    """
    at = 0
    while (end := data.find(_END, at)) >= 0:
        behind = end + len(_END)
        begin = data.rfind(_BEGIN, at, end)
        if begin >= 0 and (begin == at or data[begin - 1 : begin] == b"\n"):
            kind, start = _line(data, begin + len(_BEGIN))
            if kind.endswith(_DASHES):
                headers, start = _behind_headers(data, start)
                if start >= len(data) or start > behind:
                    return None
                content = _content(data[start:end])
                if _ends_with(data, behind, kind) and not (headers and start > end) and content is not None:
                    return kind.removesuffix(_DASHES), content
        at = behind
    return None


def _behind_headers(data: bytes, at: int) -> tuple[bool, int]:
    start = at
    while at < len(data):
        line, behind = _line(data, at)
        if b":" not in line:
            break
        at = behind
    return at > start, at


def _line(data: bytes, at: int) -> tuple[bytes, int]:
    """The line at a place, without white space at its end, and where the next one is."""
    end = data.find(b"\n", at)
    if end < 0:
        return data[at:].rstrip(b" \t"), len(data)
    return data[at:end].removesuffix(b"\r").rstrip(b" \t"), end + 1


def _ends_with(data: bytes, at: int, kind: bytes) -> bool:
    return data.startswith(kind, at) and _line(data, at + len(kind))[0] == b""


def _content(lines: bytes) -> bytes | None:
    letters = lines.translate(None, b" \t\r\n")
    return b64decode(letters) if _BASE_64.fullmatch(letters) else None
