"""Texts that are hard to read, or usual for some type: what mutations put in place of values."""

from __future__ import annotations

from random import Random

USUAL = (
    "", "a", "cpu", "nginx:1.27", "0", "1", "-1", "500m", "1.5Gi", "1e3", "12E-3", "100k", "+5", ".5", "5.", "80%", "true", "null",
    "2000-01-02T03:04:05Z", "2000-01-02T03:04:05.123456Z", "2000-02-30T00:00:00Z", "0001-01-01T00:00:00Z",
    "2000-01-02T03:04:05.999999999+14:00", "9999-12-31T23:59:60Z", "1h2m3.5s", "-1ns", "300ms", "9223372036854775807ns", "1d",
    "10.0.0.1", "fe80::1%eth0", "2001:db8::/32", "YWJj", "YWI=", "YWI", "Always", "always", "v1", "Pod", "apps/v1", "a b", "é",
    "\U0001f600", "\u2028", "<&>", "a\tb\n", "\x7f", "$(X)", "x" * 64, "x" * 300,
)  # fmt: skip
"""Texts that are values of some type, or nearly."""

NUMBERS = (
    "0", "1", "-1", "80", "-0", "2147483647", "2147483648", "-2147483648", "-2147483649", "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "1.0",
    "1.5", "-0.0", "1e0", "1E+2", "1e-1", "1e400", "-1e400", "1e-400", "1e2147483647", "1e-2147483648", "1e9999999999", "0.1e1",
    "3.4028236e38", "5e-324", "01", "+1", "1.", ".1", "0x10", "0o17", "1_000", "NaN", "Infinity", "-Infinity", "--1", "1e", "-",
)  # fmt: skip
"""Numbers as JSON or YAML may write them, and texts that only look like that."""


def long_text(random: Random) -> str:
    """A text that is hard for a parser of quantities, numbers, times, addresses, paths or patterns."""
    size = random.choice((20, 641, 1000, 4300, 4301, 20_000))
    start, repeated, end = random.choice(
        (
            ("", "0", ""), ("", "0", "q"), ("1", "0", ""), ("", "9", ""), ("0.", "0", "1"), ("1e", "9", ""), ("-", "1", "m"),
            ("", " ", ""), ("", "1h", ""), ("", "0.", ""), ("", ":", ""), ("", "/", ""), ("", "a.", ""), ("", "a-", "!"),
            ("2000-01-02T03:04:05.", "0", "Z"), ("", "A", "="), ("", "=", ""), ("", "\\", ""), ("", "%", ""), ("", "é", ""),
            ("1e-", "0", "1"), ("", "1_", ""), ("", "[", ""), ("", "<", ""), ("", "\u2028", ""), ("0x", "f", ""), ("", "1:", "1"),
        )
    )  # fmt: skip
    return start + repeated * (size // len(repeated)) + end


def text(random: Random) -> str:
    """Some text: mostly a usual one."""
    return long_text(random) if random.random() < 0.02 else random.choice(USUAL)


def number(random: Random) -> str:
    """The text of some number: mostly a short one."""
    chance = random.random()
    if chance < 0.02:
        return random.choice(("", "-", "0.", "1e", "1.")) + random.choice("0179") * random.choice(
            (19, 400, 641, 4301, 20_000)
        )
    return str(random.randrange(-100, 100_000)) if chance < 0.3 else random.choice(NUMBERS)


def bent(data: bytes, random: Random) -> bytes:
    """Bytes with a piece removed, doubled, moved, replaced or cut off."""
    text = bytearray(data)
    at = random.randrange(len(text) + 1)
    match random.randrange(7):
        case 0:
            text[at : at + 1] = random.randbytes(1)
        case 1:
            del text[at : at + random.randrange(1, 20)]
        case 2:
            start = random.randrange(len(text) + 1)
            text[at:at] = text[start : start + random.randrange(1, 40)]
        case 3:
            del text[at:]
        case 4:
            text[at : at + 1] = bytes([text[at] ^ 1 << random.randrange(8)]) if at < len(text) else b""
        case 5:
            text[at : at + random.randrange(4)] = random.choice(PIECES)
        case _:
            text[at:at] = random.choice(PIECES)
    return bytes(text)


PIECES = (
    b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xef\xbb\xbf", b"\0", b"\x1f", b"\x80" * 9, b"null", b"{", b"}", b"[",
    b"]", b",", b":", b'"', b"\\", b"\\ud800", b"\\ud83d\\ude00", b"-0", b"1e9", b"//", b"#", b"---\n", b"...\n", b"\t", b"\r", b"\n", b"&a ", b"*a",
    b"!!str ", b"\x0a\xff\xff\xff\xff\x0f", b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", b"k8s\0", b"\xe2\x80\xa8",
)  # fmt: skip
