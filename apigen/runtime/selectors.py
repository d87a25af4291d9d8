"""Label selectors as text, as Kubernetes' `labels.Parse` reads them and `labels.Set` writes them.

A map of labels can only express equalities (`a=b,c==d`). Set-based terms (`e in (f,g),!h,i`) need a selector struct.
Terms that a label selector struct cannot express (`a!=b`, `a>1`) are an error if one is required.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from .errors import ConversionError

_NAME = re.compile(r"(?:[A-Za-z0-9][A-Za-z0-9_.-]*)?[A-Za-z0-9]\Z", re.ASCII)
_PREFIX = re.compile(
    r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*\Z", re.ASCII
)
_TOKEN = re.compile(r"==|!=|[=<>!,()]|[^\s=<>!,()]+")
_SYMBOLS = frozenset(("=", "==", "!=", "<", ">", "!", ",", "(", ")", ""))


def format_selector(labels: Mapping[str, str]) -> str:
    """The text of a map of labels: `k=v`, keys sorted."""
    return ",".join(
        f"{key}={labels[key]}"
        for key in sorted(labels, key=lambda k: k.encode("utf-8", "surrogatepass"))
    )


def parse_selector(text: str, path: str) -> dict[str, str]:
    """Return the label map of a selector text. Raises ConversionError if it is not a selector of equalities only."""
    labels, is_whole = _Parser(text, path).parse()
    if not is_whole:
        raise ConversionError(
            path, f"a map of labels cannot hold the selector {text!r}"
        )
    return labels


def selector_labels(text: str, path: str) -> dict[str, str] | None:
    """Parse a selector like `parse_selector`; None for empty text, and if a map cannot represent it (set-based terms)."""
    labels, is_whole = _Parser(text, path).parse()
    return (labels or None) if is_whole else None


def are_labels(labels: Mapping[str, str]) -> bool:
    """Return whether selector text can express every key and value."""
    return all(_is_key(key) and _is_value(value) for key, value in labels.items())


def is_equality_selector(text: str) -> bool:
    """Return whether text is equal to the result of `format_selector` for its labels."""
    try:
        return format_selector(parse_selector(text, "")) == text
    except ConversionError:
        return False


class _Parser:
    """Recursive descent over the tokens of a selector."""

    def __init__(self, text: str, path: str) -> None:
        self._text, self._path = text, path
        self._tokens = _TOKEN.findall(text.rstrip())  # no search in spaces at the end
        self._at = 0
        self._labels: dict[str, str] = {}
        self._is_whole = True

    def parse(self) -> tuple[dict[str, str], bool]:
        """Return the equalities, and whether the selector has no other requirements."""
        if self._peek():
            self._term()
            while self._peek() == ",":
                self._take()
                self._term()
            if self._peek():
                raise self._error(f"found {self._peek()!r}, expected ','")
        return self._labels, self._is_whole

    def _term(self) -> None:
        negated = self._peek() == "!"
        if negated:
            self._take()
        key = self._word()
        if not _is_key(key):
            raise self._error(f"{key!r} is no label key")
        operator = self._peek()
        if negated or operator in ("", ","):
            self._is_whole = False
            return
        self._take()
        if operator in ("in", "notin"):
            self._values()
            self._is_whole = False
        elif operator in ("=", "=="):
            self._labels[key] = self._value()
        else:
            raise self._error(f"{operator!r} is no operator of a label selector")

    def _values(self) -> None:
        if self._take() != "(":
            raise self._error("expected '('")
        while True:
            self._value()
            after = self._take()
            if after == ")":
                return
            if after != ",":
                raise self._error("expected ',' or ')'")

    def _value(self) -> str:
        value = "" if self._peek() in _SYMBOLS else self._take()
        if not _is_value(value):
            raise self._error(f"{value!r} is no label value")
        return value

    def _word(self) -> str:
        if self._peek() in _SYMBOLS:
            raise self._error(f"found {self._peek()!r}, expected a label key")
        return self._take()

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self) -> str:
        token: str = self._peek()
        self._at += 1
        return token

    def _error(self, problem: str) -> ConversionError:
        return ConversionError(
            self._path, f"{self._text!r} is no label selector: {problem}"
        )


def _is_key(key: str) -> bool:
    prefix, slash, name = key.rpartition("/")
    if slash and (len(prefix) > 253 or not _PREFIX.match(prefix)):
        return False
    return len(name) <= 63 and _NAME.match(name) is not None


def _is_value(value: str) -> bool:
    return not value or (len(value) <= 63 and _NAME.match(value) is not None)
