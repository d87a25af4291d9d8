"""Schemes with the extension and without it, to compare them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from hypothesis import strategies as st

from generated.runtime.native import NativeCodec
from generated.runtime.scheme import Scheme
from generated.things_example_com.v7alpha1.types import Frobber
from tests.native.building import extension
from tests.native.kinds import made_scheme
from tests.native.sanitized.bending import meet

SEEDS = st.integers(0, 2**32)


@cache
def native() -> NativeCodec:
    """The extension, which has met all kinds once `compiled()` was called."""
    return NativeCodec("generated", extension().Codec())


@cache
def compiled() -> Scheme:
    """With the extension."""
    made = made_scheme(native())
    meet(native(), made)
    return made


@cache
def pure() -> Scheme:
    """Without it."""
    return made_scheme(None)


def outcome(call: Callable[..., Any], *arguments: Any, **more: Any) -> tuple[str, Any]:
    """What a call returns, or its error in full: the type, and what it says."""
    try:
        result = call(*arguments, **more)
    except Exception as error:
        return f"{type(error).__name__}: {error}", None
    return type(result).__name__, result


def frobber(**more: Any) -> Any:
    """A Frobber that says what it is."""
    return Frobber(api_version="things.example.com/v7alpha1", kind="Frobber", **more)
