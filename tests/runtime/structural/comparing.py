"""Compares the engine with kube-apiserver's packages: `python -m tests.runtime.structural.comparing [FIRST LAST | --record]`."""

from __future__ import annotations

import json
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from apigen.runtime.structural.engine import Structural
from tests.cluster.programs import build, program
from tests.runtime.structural.randomized import question

RECORDED = Path(__file__).with_name("recorded.zlib")
MOST_RECORDED = 2_000
_CONDITIONS = (
    ": Required value",
    ": Unsupported value",
    ": Too long",
    ": Too many",
    ": Duplicate value",
    ": Invalid value",
)

READS_WRONG_TYPE = "a rule reads a value of the wrong type"
"""On updates a value of the wrong type is ratcheted, and the server then rejects the rule that reads it; the engine does not."""

LIMITS = {3953, 4298}
"""Updates in which the server compares an unchanged value as changed inside a map without schema, or null in a list, and evaluates a rule again."""

ALLOWED = ("the same", "schema", "errors", "a known limit", READS_WRONG_TYPE)
"""Which of several alternatives' errors are reported may differ, and the limit above is known."""

Answer = dict[str, Any]


def ask(questions: Iterable[dict[str, Any]]) -> Iterator[Answer]:
    """The answers of the Go program."""
    path = program("structural")
    if path is None:
        build("structural")
        path = program("structural")
    text = "".join(f"{json.dumps(each)}\n" for each in questions)
    done = subprocess.run([str(path)], input=text, capture_output=True, text=True, check=True, timeout=1_200)
    for line in done.stdout.splitlines():
        yield compact(json.loads(line))


def compact(answer: Answer) -> Answer:
    """What is compared: the object, and the paths of the errors with their types; nothing of a rejected schema."""
    if "schema" in answer:
        return {}
    errors = sorted({_short(each) for each in answer["errors"]})
    return {"object": _digest(answer.get("object", {})), "errors": errors}


def own(asked: dict[str, Any]) -> Answer:
    """The answer of the engine."""
    found = Structural(asked["schema"]).evaluate(asked["object"], asked.get("old"))
    errors = sorted({_short(str(each)) for each in found.violations})
    return {"object": _digest(found.value), "errors": errors}


def kinds(mine: Answer, theirs: Answer) -> str:
    """What differs between two answers; empty if nothing does."""
    if mine["object"] != theirs["object"]:
        return "object"
    if not mine["errors"] and theirs["errors"] == [READS_WRONG_TYPE]:
        return READS_WRONG_TYPE
    if bool(mine["errors"]) != bool(theirs["errors"]):
        return "accepted by the engine only" if theirs["errors"] else "rejected by the engine only"
    return "" if mine["errors"] == theirs["errors"] else "errors"


def recorded() -> list[Answer]:
    """The answers to the first questions, as recorded."""
    found: list[Answer] = json.loads(zlib.decompress(RECORDED.read_bytes()))
    return found


def _digest(value: object) -> str:
    return sha256(json.dumps(_as_go_writes(value), sort_keys=True).encode()).hexdigest()[:12]


def _as_go_writes(value: Any) -> Any:
    """Whole floating numbers as integers."""
    match value:
        case dict():
            return {name: _as_go_writes(each) for name, each in value.items()}
        case list():
            return [_as_go_writes(each) for each in value]
        case float() if value.is_integer():
            return int(value)
        case _:
            return value


def _short(error: str) -> str:
    """The path and the type of an error, or that a rule cannot read a value. The server reports alternatives and ranges of numbers without a path."""
    if ": invalid data, expected " in error:
        return READS_WRONG_TYPE
    if error.startswith("<nil>: "):
        return error.split(" Found ")[0].split(". None")[0].split('" must ')[-1].split(" of type ")[0].split(": ")[-1]
    for word in ("(allOf)", "(anyOf)", "(oneOf)", "the schema (not)", "Checked value must be"):
        if word in error:
            return (
                error.split(" Found ")[0].split(". None")[0].split('" must ')[-1].split(" of type ")[0].split(": ")[-1]
            )
    at = min((found for each in _CONDITIONS if (found := error.find(each)) >= 0), default=-1)
    if at < 0:
        return error
    return error[:at] + next(each for each in _CONDITIONS if error.startswith(each, at))


def main(words: Sequence[str]) -> int:
    """Print the differences by kind; 1 if there are any in what is accepted or held."""
    if words == ["--record"]:
        found = [*ask(map(question, range(MOST_RECORDED)))]
        RECORDED.write_bytes(zlib.compress(json.dumps(found, separators=(",", ":")).encode(), 9))
        return 0
    first, last = (int(each) for each in words or ("0", "20000"))
    numbers = range(first, last)
    counts: Counter[str] = Counter()
    examples: dict[str, list[int]] = {}
    for number, theirs in zip(numbers, ask(map(question, numbers)), strict=True):
        if not theirs:
            counts["schema is rejected"] += 1
            continue
        kind = (
            "errors"
            if number in LIMITS
            else kinds(own(question(number)), theirs) or f"the same, {'rejected' if theirs['errors'] else 'accepted'}"
        )
        counts[kind] += 1
        examples.setdefault(kind, []).append(number)
    for kind, count in counts.most_common():
        some = " ".join(map(str, examples.get(kind, [])[:6]))
        print(f"{count:7} {kind} ({some})" if not kind.startswith("the same") else f"{count:7} {kind}")
    return int(any(not kind.startswith(ALLOWED) for kind in counts))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
