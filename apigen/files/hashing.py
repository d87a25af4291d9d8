"""SHA-256 from Python's built-in module. `hashlib` also loads OpenSSL, which takes longer than the hashing of a review."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Protocol

_MODULES = ("_sha2", "_sha256")
"""The module with SHA-256, from Python 3.12 on and before; some builds of Python have neither."""


class _Hash(Protocol):
    def hexdigest(self) -> str: ...


def _found() -> Callable[[bytes], _Hash]:
    for name in _MODULES:
        with suppress(ImportError, AttributeError):
            own: Callable[[bytes], _Hash] = import_module(name).sha256
            return own
    from hashlib import sha256

    return sha256


_sha256 = _found()


def sha256(data: bytes) -> str:
    """The hash in hexadecimal digits."""
    return _sha256(data).hexdigest()
