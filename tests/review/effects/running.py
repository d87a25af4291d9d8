"""Runs generated code of two kinds on the values of one field, as clients, servers and storage do."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

from tests.review.effects.fields import GROUP, VERSION, Values

JSON, PROTOBUF = "application/json", "application/vnd.kubernetes.protobuf"
ABSENT = object()


@dataclass(frozen=True)
class Failure:
    """What went wrong with a value; `is_rejection`: the other side does not take it at all."""

    value: Any
    words: str
    is_rejection: bool = False


class Kinds:
    """The kinds of a compiled package, whose objects differ in their field `value` only."""

    def __init__(self, scheme: ModuleType, runtime: ModuleType) -> None:
        self._scheme, self._equal = scheme, runtime.semantic_equal
        self._features = scheme.features()

    def rejects_without(self, kind: str) -> str:
        """Why an object without the field is rejected; empty where it is not."""
        accepted = self._accepted(kind, ABSENT)
        return accepted if isinstance(accepted, str) else ""

    def client(self, writer: str, reader: str, values: Values, *, is_required: bool) -> Iterator[Failure]:
        """A client of one kind talks to a server of the other: what it sends is taken, and it reads back what its own server says.

        One that omits what is required may have been let through; then it depends on the client whether it is rejected.
        """
        for value in _sent(values):
            sent = ABSENT if value is ABSENT else self._try(partial(self._rewritten, writer, value))
            mine = self._accepted(writer, sent)
            if isinstance(mine, str):
                continue
            theirs = self._accepted(reader, sent)
            if isinstance(theirs, str):
                yield Failure(sent, theirs, is_rejection=not (is_required and sent is ABSENT))
                continue
            expected, answer = (self._try(partial(self._answer, writer, server)) for server in (mine, theirs))
            if not _same(expected, answer):
                yield Failure(sent, f"the answer is {answer} instead of {expected}")

    def stored(self, writer: str, reader: str, values: Values) -> Iterator[Failure]:
        """What one kind stored is read by the other: valid, equal, and written as before."""
        for value in _sent(values):
            stored = self._accepted(writer, value)
            if isinstance(stored, str):
                continue
            raw = self._written(stored)
            data = self._scheme.encode(stored, PROTOBUF)
            reads = (partial(self._read_json, raw), partial(self._read_bytes, data, writer))
            for read in reads:
                yield from self._compared(value, self._try(partial(read, writer)), self._try(partial(read, reader)))

    def _compared(self, value: Any, mine: Any, theirs: Any) -> Iterator[Failure]:
        problem = theirs if isinstance(theirs, str) else self._errors(theirs)
        if isinstance(mine, str):
            return
        if problem:
            yield Failure(value, problem, is_rejection=True)
        elif not self._equal(mine.value, theirs.value):
            yield Failure(value, f"{theirs.value} instead of {mine.value}")

    def _accepted(self, kind: str, value: Any) -> Any:
        """The object after defaulting, or why it is rejected."""
        read = self._try(partial(self._read_json, value, kind))
        return read if isinstance(read, str) else self._errors(read) or read

    def _errors(self, obj: Any) -> str:
        strategy = self._scheme.strategy(type(obj).__name__)
        return "; ".join(map(str, strategy.validate(obj, features=self._features)))

    def _read(self, kind: str, value: Any, *, default: bool) -> Any:
        document = {"apiVersion": f"{GROUP}/{VERSION}", "kind": kind} | ({} if value is ABSENT else {"value": value})
        return self._scheme.decode(json.dumps(document).encode(), JSON, default=default, unknown="error")

    def _read_json(self, value: Any, kind: str) -> Any:
        return self._read(kind, value, default=True)

    def _read_bytes(self, data: bytes, writer: str, kind: str) -> Any:
        """Names of kinds have the same length, so that one can replace the other in the envelope."""
        return self._scheme.decode(data.replace(writer.encode(), kind.encode()), PROTOBUF)

    def _rewritten(self, kind: str, value: Any) -> Any:
        return self._written(self._read(kind, value, default=False))

    def _answer(self, client: str, server: Any) -> Any:
        """What a client has once it read the answer of a server."""
        return self._written(self._read(client, self._written(server), default=False))

    def _written(self, obj: Any) -> Any:
        return json.loads(self._scheme.encode(obj, JSON)).get("value", ABSENT)

    @staticmethod
    def _try(act: Callable[[], Any]) -> Any:
        try:
            return act()
        except Exception as error:  # whatever generated code does with input is an outcome here
            return f"refused: {error}"


def _sent(values: Values) -> list[Any]:
    return [*([] if values.zero is None else [values.zero]), values.sample, None, ABSENT]


def _same(one: Any, other: Any) -> bool:
    if one is ABSENT or other is ABSENT:
        return one is other
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)
