"""Mutations of protobuf messages in Kubernetes' envelope: of their fields at every depth, with right or wrong lengths."""

from __future__ import annotations

from random import Random

from tests.fuzz import tokens

MAGIC = b"k8s\0"
VARINT, FIXED64, LENGTH, GROUP, END, FIXED32 = range(6)


class Message(list["Field"]):
    """The fields of a message in their order."""


class Field:
    """A field: its number, its wire type, and a number, bytes or a message."""

    __slots__ = ("number", "value", "wire_type")

    def __init__(self, number: int, wire_type: int, value: int | bytes | Message) -> None:
        self.number = number
        self.wire_type = wire_type
        self.value = value


# --- reading and writing ----------------------------------------------------------------------------------------------


def varint(number: int) -> bytes:
    """A number of up to 64 bits."""
    out = bytearray()
    number &= 2**64 - 1
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = data[at]
        at += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number, at
        shift += 7


def parse(data: bytes, depth: int = 0) -> Message:
    """The fields of a message; bytes that may be a message are treated as one. Raises ValueError or IndexError."""
    fields, at = Message(), 0
    while at < len(data):
        tag, at = _read_varint(data, at)
        number, wire_type = tag >> 3, tag & 7
        if number == 0 or number > 2**29:
            raise ValueError("not a message")
        if wire_type == VARINT:
            value, at = _read_varint(data, at)
            fields.append(Field(number, wire_type, value))
            continue
        size = {FIXED64: 8, FIXED32: 4}.get(wire_type, -1)
        if wire_type == LENGTH:
            size, at = _read_varint(data, at)
        if size < 0 or at + size > len(data):
            raise ValueError("not a message")
        body = data[at : at + size]
        at += size
        fields.append(Field(number, wire_type, _message(body, depth) if wire_type == LENGTH else body))
    return fields


def _message(body: bytes, depth: int) -> bytes | Message:
    if body and depth < 30:
        try:
            return parse(body, depth + 1)
        except (ValueError, IndexError):
            pass
    return body


def write(message: Message) -> bytes:
    """The bytes of a message, with right lengths."""
    out = []
    for field in message:
        out.append(varint(field.number << 3 | field.wire_type))
        if isinstance(field.value, int):
            out.append(varint(field.value))
        else:
            body = write(field.value) if isinstance(field.value, Message) else field.value
            out.append(varint(len(body)) + body if field.wire_type == LENGTH else body)
    return b"".join(out)


# --- one change -------------------------------------------------------------------------------------------------------


def _messages(message: Message) -> list[Message]:
    found, waiting = [message], [message]
    while waiting:
        for field in waiting.pop():
            if isinstance(field.value, Message):
                found.append(field.value)
                waiting.append(field.value)
    return found


INTEGERS = (
    0,
    1,
    -1,
    2,
    7,
    127,
    128,
    2**31 - 1,
    2**31,
    -(2**31),
    2**32 - 1,
    2**32,
    2**63 - 1,
    2**63,
    -(2**63),
    2**64 - 1,
    -62135596800,
    253402300800,
)
VARINTS = (
    b"\xff" * 9 + b"\x01",
    b"\xff" * 9 + b"\x7f",
    b"\xff" * 10,
    b"\x80" * 9 + b"\x00",
    b"\x80\x00",
    b"\x81\x80\x00",
    b"\x80",
    b"\xff" * 20,
    b"",
)


def _deep(random: Random) -> bytes:
    body = b""
    tag = varint(random.randrange(1, 12) << 3 | LENGTH)
    for _ in range(random.choice((5, 88, 95, 120, 1500))):
        body = tag + varint(len(body)) + body
    return body


def _gentle(message: Message, random: Random) -> None:
    """A change after which most messages can be decoded."""
    found = random.choice(_messages(message))
    if not found:
        return
    at = random.randrange(len(found))
    field = found[at]
    match random.randrange(8):
        case 0:
            del found[at]
        case 1:
            found.insert(random.randrange(len(found) + 1), field)
        case 2:
            random.shuffle(found)
        case 3 if isinstance(field.value, int):
            field.value = random.choice(INTEGERS)
        case 4:
            number = random.choice((200, 1000, 2**28, field.number + 40))
            found.insert(
                at,
                random.choice(
                    (Field(number, VARINT, 1), Field(number, LENGTH, b"abc"), Field(number, FIXED32, b"abcd"))
                ),
            )
        case 5 if isinstance(field.value, Message):
            half = len(field.value) // 2
            found.insert(at, Field(field.number, LENGTH, Message(field.value[:half])))
            field.value = Message(field.value[half:])
        case 6 if isinstance(field.value, bytes) and field.wire_type == LENGTH:
            field.value = tokens.text(random).encode(errors="surrogatepass")
        case _ if isinstance(field.value, Message):
            field.value = Message()


def _harsh(message: Message, random: Random) -> None:
    found = random.choice(_messages(message))
    if not found:
        found.append(Field(1, LENGTH, b""))
    at = random.randrange(len(found))
    field = found[at]
    match random.randrange(10):
        case 0:
            field.number = random.choice((1, 2, 3, 15, 16, field.number + 1, 18999, 2**29 - 1))
        case 1:
            field.wire_type, field.value = random.choice(
                (
                    (VARINT, random.choice(INTEGERS)),
                    (FIXED64, random.randbytes(8)),
                    (FIXED32, random.randbytes(4)),
                    (LENGTH, b""),
                    (LENGTH, b"\x08\x01"),
                )
            )
        case 2:  # packed: several numbers in one field
            numbers = b"".join(varint(random.choice(INTEGERS)) for _ in range(random.randrange(4)))
            field.wire_type, field.value = LENGTH, numbers + random.choice((b"", b"", b"\x80"))
        case 3:  # a varint that is too long, or ends early
            field.value, field.wire_type = random.choice(VARINTS), VARINT
        case 4:
            field.value, field.wire_type = (
                random.choice((b"\xff", b"\xed\xa0\x80", b"\xc0\x80", b"a\xf4\x90\x80\x80", b"\0")),
                LENGTH,
            )
        case 5:  # groups, which Kubernetes skips, and their ends
            inner = write(Message([Field(1, VARINT, 1)]))
            end = varint(random.choice((field.number, field.number + 1)) << 3 | END)
            found.insert(at, Field(field.number, GROUP, inner + random.choice((end, end, b""))))
        case 6:  # a length that is wrong
            body = write(field.value) if isinstance(field.value, Message) else b"abc"
            size = random.choice(
                (varint(len(body) + 1), varint(max(0, len(body) - 1)), varint(2**31), varint(2**63), *VARINTS)
            )
            field.wire_type, field.value = VARINT, b""
            found.insert(at, Field(field.number, VARINT, Source(size + body)))
        case 7:
            field.value, field.wire_type = _deep(random), LENGTH
        case 8:
            field.wire_type = random.choice((6, 7, GROUP, END))
            field.value = b""
        case _:
            other = random.choice(random.choice(_messages(message)) or [field])
            found[at] = Field(
                field.number, other.wire_type, write(other.value) if isinstance(other.value, Message) else other.value
            )


class Source(bytes):
    """The rest of a field as it is written."""


def mutate(data: bytes, random: Random) -> bytes:
    """A message with some changes, in its envelope."""
    chance = random.random()
    if chance < 0.12 or not data.startswith(MAGIC):
        return tokens.bent(data, random)
    try:
        envelope = parse(data[len(MAGIC) :])
    except (ValueError, IndexError):
        return tokens.bent(data, random)
    raw = next((field.value for field in envelope if field.number == 2 and isinstance(field.value, Message)), envelope)
    if random.random() < 0.3:
        for found in _messages(raw):
            found[:] = [field for field in found if random.random() < 0.8]
    for _ in range(random.choice((1, 1, 2, 3))):
        target = envelope if random.random() < 0.06 else raw
        (_gentle if chance < 0.7 else _harsh)(target, random)
    return MAGIC + write(envelope)
