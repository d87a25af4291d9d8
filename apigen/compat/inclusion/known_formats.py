"""Formats that are patterns and lengths, too."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.compat.inclusion.texts import Texts
from apigen.dataclass import replace

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_VALUE = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_HEX = "[0-9a-f]"

KNOWN: Mapping[str, Texts] = {
    "k8s-short-name": Texts(patterns=(f"^{_LABEL}$",), most_bytes=63),
    "k8s-long-name": Texts(patterns=(rf"^{_LABEL}(\.{_LABEL})*$",), most_bytes=253),
    "k8s-label-value": Texts(patterns=(f"^({_VALUE})?$",), most_bytes=63),
    "k8s-uuid": Texts(patterns=(f"^{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}$",)),
}
"""By the name of the format, exactly the texts that have it. A test holds that against what validation calls."""


def spelled_out(of: Texts) -> Texts:
    """A set with its formats as patterns and lengths where they are just that."""
    found = replace(of, formats=tuple(name for name in of.formats if name not in KNOWN))
    for name in of.formats:
        known = KNOWN.get(name)
        if known is not None:
            bounds = [bound for bound in (found.most_bytes, known.most_bytes) if bound is not None]
            most_bytes = min(bounds) if bounds else None
            found = replace(found, patterns=(*found.patterns, *known.patterns), most_bytes=most_bytes)
    return found
