"""The formats of strings that are evaluated. The server ignores formats that it does not know; so does this module."""

from __future__ import annotations

import ipaddress
import re
from datetime import date

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final


def _parsed(parse: Callable[[str], object]) -> Callable[[str], bool]:
    def holds(text: str) -> bool:
        try:
            parse(text)
        except ValueError:
            return False
        return "%" not in text

    return holds


def _matched(pattern: str) -> Callable[[str], bool]:
    known = re.compile(pattern, re.ASCII)
    return lambda text: known.fullmatch(text) is not None


_HEX: Final = "[0-9a-fA-F]"

FORMATS: Final = {
    "bsonobjectid": _matched(f"{_HEX}{{24}}"),
    "date": _parsed(date.fromisoformat),
    "ipv4": _parsed(ipaddress.IPv4Address),
    "ipv6": _parsed(ipaddress.IPv6Address),
    "hexcolor": _matched(f"#?({_HEX}{{3}}|{_HEX}{{6}})"),
    "password": lambda _text: True,
    "ssn": _matched(r"[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}"),
    **{
        f"uuid{version}": _matched(
            f"{_HEX}{{8}}-?{_HEX}{{4}}-?{third}{_HEX}{{3}}-?{fourth}-?{_HEX}{{12}}"
        )
        for version, third, fourth in (
            ("", _HEX, f"{_HEX}{{4}}"),
            ("3", "3", f"{_HEX}{{4}}"),
            ("4", "4", f"[89abAB]{_HEX}{{3}}"),
            ("5", "5", f"[89abAB]{_HEX}{{3}}"),
        )
    },
}
"""Whether a string is of a format, by its name. Each takes linear time."""
