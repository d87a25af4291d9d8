"""Values of controller-gen markers: JSON with unquoted strings, and lists in braces."""

from __future__ import annotations

import json
import re

from apigen.inputs.merging import Value

_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][-+]?\d+)?")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|`[^`]*`|\'[^\']*\'')
_KEY = re.compile(r"\s*(\"(?:[^\"\\]|\\.)*\"|[A-Za-z_][\w./-]*)\s*:")
_WORD = re.compile(r"[^,;{}\[\]\s\"`']+")
_WORDS: dict[str, Value] = {"true": True, "false": False, "null": None}
_DEEPEST = 50


def marker_value(text: str) -> Value:
    """Return `{from: Same, ports: {80, 443}}` as a tree; `{}` is a map. Raises ValueError for invalid text."""
    reader = _Reader(text)
    value = reader.value(0)
    reader.end()
    return value


def listed_values(text: str) -> list[str]:
    """Return the strings of `A;B`, `{A,B}` and `{"A","B"}`; numbers and booleans stay strings."""
    inner, separators = text.strip(), ";"
    if inner.startswith("{") and inner.endswith("}"):
        inner, separators = inner[1:-1], ",;"
    found = re.findall(rf"{_QUOTED.pattern}|[^{separators}]+", inner)
    return [literal_text(word) for word in map(str.strip, found) if word]


class _Reader:
    """Reads one value from the left."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def value(self, depth: int) -> Value:
        """Read the next value. Raises ValueError for a missing value, or one that is nested too deeply."""
        if depth > _DEEPEST:
            raise ValueError("it is nested too deeply")
        self._skip_spaces()
        quoted = _QUOTED.match(self._text, self._at)
        if quoted:
            self._at = quoted.end()
            return literal_text(quoted[0])
        if self._next() == "{":
            return self._map(depth) if _KEY.match(self._text, self._at + 1) else self._list("}", depth)
        if self._next() == "[":
            return self._list("]", depth)
        return self._word()

    def end(self) -> None:
        """Raise ValueError if there is text after the value."""
        self._skip_spaces()
        if self._next():
            raise ValueError(f"unexpected text at `{self._text[self._at :]}`")

    def _map(self, depth: int) -> Value:
        found: dict[str, Value] = {}
        self._at += 1
        while not self._closes("}", bool(found)):
            key = _KEY.match(self._text, self._at)
            if key is None:
                raise ValueError(f"a key is expected at `{self._text[self._at :]}`")
            self._at = key.end()
            name = json.loads(key[1]) if key[1].startswith('"') else key[1]
            found[name] = self.value(depth + 1)
        return found

    def _list(self, closing: str, depth: int) -> Value:
        found: list[Value] = []
        self._at += 1
        while not self._closes(closing, bool(found)):
            found.append(self.value(depth + 1))
        return found if found or closing == "]" else {}

    def _closes(self, closing: str, goes_on: bool) -> bool:
        """Return whether the list or map ends here; otherwise, its next element follows."""
        self._skip_spaces()
        if self._next() == closing:
            self._at += 1
            return True
        if goes_on:
            if self._next() not in (",", ";"):
                raise ValueError(f"`{closing}` is missing")
            self._at += 1
            self._skip_spaces()
            if self._next() == closing:
                return self._closes(closing, False)
        if not self._next():
            raise ValueError(f"`{closing}` is missing")
        return False

    def _word(self) -> Value:
        word = _WORD.match(self._text, self._at)
        if word is None:
            raise ValueError(f"a value is expected at `{self._text[self._at :]}`")
        self._at = word.end()
        if word[0] in _WORDS:
            return _WORDS[word[0]]
        number = _NUMBER.fullmatch(word[0])
        if number is None:
            return word[0]
        return float(word[0]) if number[1] or number[2] else int(word[0])

    def _next(self) -> str:
        return self._text[self._at : self._at + 1]

    def _skip_spaces(self) -> None:
        while self._next().isspace():
            self._at += 1


def literal_text(text: str) -> str:
    """Return the text of a quoted word; in double quotes, it has the escapes of JSON. Other words are unchanged."""
    if not text.startswith(('"', "`", "'")):
        return text
    if not text.startswith('"'):
        return text[1:-1]
    try:
        return str(json.loads(text))
    except ValueError:
        return re.sub(r"\\(.)", r"\1", text[1:-1])
