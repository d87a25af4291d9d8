"""Fingerprints: the identity of a finding by rule, element, old and new value, independent of location and message."""

from __future__ import annotations

from apigen.files.hashing import sha256
from apigen.review.surface import Element

_LENGTH = 16


def fingerprint(rule: str, element: Element, old: str, new: str) -> str:
    """Return the hash of rule, element, old and new value. Locations and messages are not included, so that a reworded message
    does not invalidate approvals.
    """
    parts = [
        rule,
        *(str(part) for part in (element.kind, element.group, element.version, element.type, element.path)),
        old,
        new,
    ]
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass"))[:_LENGTH]
