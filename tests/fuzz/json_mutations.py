"""Mutations of JSON documents: of the tree that a document is, written back in another way, or of its bytes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from tests.fuzz import tokens


class Members(list[list[Any]]):
    """An object: its members as [name, value] in their order, in which a name may appear twice."""


class Source(bytes):
    """A value as it is written."""


Place = tuple[list[Any], int]
"""A list, or the member of an object, and the index of the value in it."""


def parse(data: bytes) -> Any:
    """The tree of a document. Raises ValueError or RecursionError for bytes that are not JSON."""

    def kept(text: str) -> Source:
        return Source(text.encode())

    return json.loads(
        data,
        object_pairs_hook=lambda pairs: Members([name, value] for name, value in pairs),
        parse_int=kept,
        parse_float=kept,
        parse_constant=kept,
    )


def places(tree: Any) -> Iterator[Place]:
    """Where the values in a tree are."""
    waiting = [tree]
    while waiting:
        current = waiting.pop()
        if isinstance(current, Members):
            for member in current:
                yield member, 1
                waiting.append(member[1])
        elif isinstance(current, list):
            for index, item in enumerate(current):
                yield current, index
                waiting.append(item)


def objects(tree: Any) -> list[Members]:
    """The objects in a tree, at least one."""
    found = [tree] if isinstance(tree, Members) else []
    found += [value for holder, index in places(tree) if isinstance(value := holder[index], Members)]
    return found or [Members()]


def containers(tree: Any) -> list[list[Any]]:
    """The objects and lists in a tree, at least one."""
    found = [tree] if isinstance(tree, list) else []
    found += [value for holder, index in places(tree) if isinstance(value := holder[index], list)]
    return found or [[]]


# --- one change -------------------------------------------------------------------------------------------------------


def _scalar(random: Random) -> Any:
    chance = random.random()
    if chance < 0.45:
        return tokens.text(random)
    if chance < 0.8:
        return Source(tokens.number(random).encode())
    return random.choice(
        (None, True, False, Members(), [], [None], Source(b'"\\ud800"'), Source(b'"\xff"'), Source(b'"\\u0000"'))
    )


def _nested(random: Random) -> Source:
    depth = random.choice((10, 89, 91, 200, 999, 1001, 3000, 10_001))
    opening, inner, closing = random.choice(
        ((b"[", b"", b"]"), (b'{"a":', b"1", b"}"), (b'[{"a":', b"null", b"}]"), (b"[", b"", b""))
    )
    return Source(opening * depth + inner + closing * depth)


def _replace_like(tree: Any, random: Random) -> None:
    """A value becomes another one of its own type, so that most types accept it."""
    holder, index = random.choice(list(places(tree)) or [([None], 0)])
    value = holder[index]
    if isinstance(value, str):
        holder[index] = tokens.text(random)
    elif isinstance(value, Source):
        holder[index] = Source(str(random.choice((0, 1, -1, 7, 2**31 - 1, -(2**31), 2**62))).encode())
    elif isinstance(value, bool):
        holder[index] = not value
    elif isinstance(value, list):
        value.clear()


def _replace(tree: Any, random: Random) -> None:
    holder, index = random.choice(list(places(tree)) or [([None], 0)])
    holder[index] = _nested(random) if random.random() < 0.05 else _scalar(random)


def _null(tree: Any, random: Random) -> None:
    holder, index = random.choice(list(places(tree)) or [([None], 0)])
    holder[index] = None


def _swap(tree: Any, random: Random) -> None:
    found = list(places(tree)) or [([None], 0)]
    (one, i), (other, j) = random.choice(found), random.choice(found)
    if not isinstance(one[i], list) and not isinstance(other[j], list):
        one[i], other[j] = other[j], one[i]


def _drop(tree: Any, random: Random) -> None:
    found = random.choice(containers(tree))
    if found:
        del found[random.randrange(len(found))]


def prune(tree: Any, random: Random, keep: float) -> None:
    """Remove all but a share of each object and list, so that what remains is small and quick to read."""
    for found in containers(tree):
        found[:] = [each for each in found if random.random() < keep or _names_kind(each)]


def _names_kind(member: Any) -> bool:
    return isinstance(member, list) and len(member) == 2 and member[0] in ("kind", "apiVersion", "metadata", "spec")


def _repeat(tree: Any, random: Random) -> None:
    found = random.choice([each for each in containers(tree) if not isinstance(each, Members)] or [[]])
    if found:
        found += [random.choice(found)] * random.choice((1, 2, 5, 100 if len(found) < 5 else 1))


def _duplicate(tree: Any, random: Random) -> None:
    found = random.choice(objects(tree))
    if found:
        name, value = random.choice(found)
        found.insert(random.randrange(len(found) + 1), [name, random.choice((value, None, _scalar(random)))])


def _unknown(tree: Any, random: Random) -> None:
    found = random.choice(objects(tree))
    name = random.choice(("unknown", "", "a b", "é", "x" * 100, tokens.text(random)))
    value = _nested(random) if random.random() < 0.05 else random.choice((_scalar(random), Members(), [Members()], "a"))
    found.insert(random.randrange(len(found) + 1), [name, value])


def _rename(tree: Any, random: Random) -> None:
    """A name in other capitals, escaped, or with another character."""
    found = random.choice(objects(tree))
    if found:
        member = random.choice(found)
        name = member[0]
        if isinstance(name, str) and name:
            escaped = f'"\\u{ord(name[0]) & 0xFFFF:04x}{name[1:]}"'.encode(errors="replace")
            member[0] = random.choice(
                (name.upper(), name.capitalize(), name.swapcase(), name + " ", "K\u0131nd", Source(escaped))
            )


def _shuffle(tree: Any, random: Random) -> None:
    random.shuffle(random.choice(objects(tree)))


def _copy_in(tree: Any, random: Random) -> None:
    """A subtree appears at another place, too."""
    found = list(places(tree)) or [([None], 0)]
    holder, index = random.choice(found)
    source, at = random.choice(found)
    holder[index] = Source(write(source[at], random))


def _wrap(tree: Any, random: Random) -> None:
    holder, index = random.choice(list(places(tree)) or [([None], 0)])
    holder[index] = random.choice(([holder[index]], Members([["a", holder[index]]]), Members([["", holder[index]]])))


GENTLE: tuple[Callable[[Any, Random], None], ...] = (
    _replace_like, _replace_like, _null, _drop, _unknown, _shuffle, _repeat, _duplicate,
)  # fmt: skip
"""Most documents can be decoded after such a change."""
HARSH: tuple[Callable[[Any, Random], None], ...] = (
    _replace, _replace, _swap, _rename, _copy_in, _wrap, _duplicate, _unknown,
)  # fmt: skip


# --- writing ----------------------------------------------------------------------------------------------------------


def write(tree: Any, random: Random | None) -> bytes:
    """A tree as JSON, with or without spaces and escapes; compact without a choice."""
    space = b"" if random is None else random.choice((b"", b"", b"", b" ", b"\n\t", b"\r\n  "))
    out: list[bytes] = []
    _write(tree, space, random is None or random.random() < 0.5, out.append)
    return b"".join(out)


def _write(tree: Any, space: bytes, ascii_only: bool, put: Callable[[bytes], None]) -> None:
    if isinstance(tree, Members):
        put(b"{" + space)
        for number, (name, value) in enumerate(tree):
            put(b"," + space if number else b"")
            put(name if isinstance(name, Source) else _quoted(name, ascii_only))
            put(b":" + space)
            _write(value, space, ascii_only, put)
        put(space + b"}")
    elif isinstance(tree, list):
        put(b"[" + space)
        for number, item in enumerate(tree):
            put(b"," + space if number else b"")
            _write(item, space, ascii_only, put)
        put(space + b"]")
    elif isinstance(tree, Source):
        put(tree)
    else:
        put(_quoted(tree, ascii_only))


def _quoted(value: Any, ascii_only: bool) -> bytes:
    return json.dumps(value, ensure_ascii=ascii_only).encode(errors="surrogatepass")


def mutate(data: bytes, random: Random) -> bytes:
    """A document with some changes."""
    chance = random.random()
    if chance < 0.15:
        for _ in range(random.choice((1, 1, 2, 5))):
            data = tokens.bent(data, random)
        return data
    try:
        tree = parse(data)
    except (ValueError, RecursionError):
        return tokens.bent(data, random)
    if random.random() < 0.5:
        prune(tree, random, random.choice((0.3, 0.6, 0.8)))
    for _ in range(random.choice((1, 1, 2, 3))):
        random.choice(GENTLE if chance < 0.7 else HARSH)(tree, random)
    written = write(tree, random)
    if random.random() < 0.02:
        written = random.choice(
            (b"\xef\xbb\xbf" + written, written + b" {}", written + b"\n" + written, b" " * 5000 + written)
        )
    return written
