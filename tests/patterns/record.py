"""Records what Go answers about patterns, in `vectors.jsonl`: `python -m tests.patterns.record`, with Go 1.26 installed."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from tests.patterns.random_patterns import (
    INVALID,
    ODD_REPEATS,
    REPEATS,
    SIMPLE,
    VALID,
    random_pattern,
    random_text,
    raw_pattern,
)

FOLDER = Path(__file__).parent
VECTORS = FOLDER / "vectors.jsonl"
HEADER = (
    "# Answers of the regexp package of Go's standard library (1.26), recorded by `python -m tests.patterns.record`.\n"
    "# A line: [pattern, problem] or [pattern, [[text, [[start, end], ...]], ...]] with all matches, in code points.\n"
)

HOSTILE = (
    *(r"^([a-z0-9]+-?)*$", r"^(\w+\s?)*$", "^(a|a)*$", "^(a|aa)+$", "^(([a-z])+.)+[A-Z]([a-z])+$", "(a+)+$", "(a*)*$"),
    *("(a|b|ab)*$", "(.*)*$", "(a?){20}a{20}$", "a*a*a*a*a*b", "(?:a*b|a)", "((a|b*)x?){1,}$", "a*b|a", "(x+x+)+y"),
)
SINGLE = (
    *(
        "",
        "a**",
        "a++",
        "a{2}{3}",
        "a*(?i)*",
        "(?i)*",
        "(*)",
        "|*",
        "x|*",
        "^*",
        "$+",
        "\\b{2}",
        "(?:)*",
        "()*",
        "(|a)*",
    ),
    *("(|a)+", "(a|)*", "(a|)+", "(a*)+", "(a*?)*?", "(?:a??)*", "(a|b)*?c", "|a", "a|", "a||b", "(?U)a*?", "(?U)a*"),
    *("a{1000}", "a{1001}", "a{0,1001}", "a{1,100000}", "(a{100}){10}", "(a{100}){11}", "((a{2}){500}){1,}", "a{2,1}"),
    *(
        "((a{2}){501}){1,}",
        "(a{500}){0}",
        "(a*){1000}",
        "((a+){1000}){1000}",
        "(?:(?:a{1000}){0}){1000}",
        "a{,2}",
        "a{",
    ),
    *("a{1", "a{1,", "a{01}", "a{999999999999}", "a{1,999999999999", "x{1}{2}", "(?:a{10,}){100}", "(?:a{10,}){101}"),
    *("[[:word:]]", "[[:^space:]]", "[[:word:]", "[[:x", "[^[:alnum:]_]", "[a-]", "[-a]", "[--a]", "[a--]", "[\\]]"),
    *("\\pZ", "\\p{}", "\\p{^}", "\\p{Lu", "\\p{L_u}", "\\p{ lu }", "\\P{^Cn}", "\\p{Greek}", "\\p{Yi}"),
    *("(?i)\\p{Lu}", "(?i)\\P{Lu}", "(?i)\\p{LC}", "(?i)\\p{Cased_Letter}", "(?i)[^\\p{Lu}]", "(?i)\\w", "(?i)\\W"),
    *(
        "(?i)[[:upper:]]",
        "(?i)[k-s]",
        "(?i)[^k]",
        "(?i)ß",
        "(?i)ς",
        "(?i)µ",
        "(?i)İ",
        "(?i)ǅ",
        "(?i)ᲀ",
        "(?i)[\\x00-\\x40]",
    ),
    *(
        "\\x",
        "\\x4",
        "\\x{}",
        "\\x{10FFFF}",
        "\\x{00000041}",
        "\\x{41",
        "\\07",
        "\\078",
        "\\377",
        "\\777",
        "\\18",
        "\\Q\\E",
    ),
    *(
        "\\Qa\\E*",
        "\\Q(\\Ea",
        "\\E",
        "\\Q\\Q\\E",
        "(?",
        "(?P",
        "(?P<",
        "(?P<>a)",
        "(?<a>b)",
        "(?<>b)",
        "(?'a'b)",
        "(?i-)",
    ),
    *(
        "(?-)",
        "(?--i)",
        "(?i-i:a)",
        "(?imsU-imsU)a",
        "(?i",
        "(?i:",
        "(?#a)",
        ")",
        "(",
        "a)",
        "(a",
        "(?:a",
        "[",
        "[]",
        "[^]",
    ),
    *(
        "(?m)^$",
        "(?m)^a$",
        "(?-m)a$",
        "a\\z",
        "a\\Z",
        "\\Aa",
        "(?m)\\Aa\\z",
        "(?s).",
        "\\B",
        "\\b",
        "\\b\\w+\\b",
        "\\B.",
    ),
)
LIMITS = (
    *("(" * depth + "a" + ")" * depth for depth in (999, 1000)),
    *("(?:" * depth + "a" + ")*" * depth for depth in (999, 1000)),
    *("(?:b" * depth + "a" + ")*" * depth for depth in (500, 501)),
    *("(?:b|a" * depth + "c" + ")" * depth for depth in (500, 501)),
    *("(|a" * depth + "c" + ")" * depth for depth in (333, 334)),
    *("(?:" + "a" * length + "){1000}" for length in (3300, 3400)),
    "(?:" * 2000 + "a" + ")" * 2000,
)
TEXTS = (
    *("", "a", "aa", "aab", "aaaaaaaaaaaaaaaaaaaaaaaaaaab", "a-b-c", "ab ab", "K\u212ak", "Sſs", "\n", "a\na", "µμΜ"),
    *("ςΣσ", "ǅǄǆ", "ʼn1_", "xxxxxxxxy", "\u0345\u03b9", "İi", "ßẞ", "-a", "]", "a{,2}", "a{", "Ab1 _", "\U00010300"),
)


def questions() -> Iterator[tuple[str, Sequence[str]]]:
    """Patterns, each with texts."""
    random = Random(20)
    for pattern in HOSTILE:
        yield pattern, ("", "a" * 25 + "!", "ab" * 12, "a-" * 12, "aAa b", "aaab aab")
    for pattern in SINGLE:
        yield pattern, TEXTS
    for pattern in LIMITS:
        yield pattern, ()
    for number in range(2400):
        match number % 6:
            case 0 | 1:
                pattern = random_pattern(random, 3, SIMPLE)
            case 2 | 3:
                pattern = random_pattern(random, 3, VALID)
            case 4:
                pattern = random_pattern(random, 3, (*VALID, *INVALID), (*REPEATS, *ODD_REPEATS))
            case _:
                pattern = raw_pattern(random)
        yield pattern, [random_text(random) for _ in range(3)]


def answers(asked: Sequence[tuple[str, Sequence[str]]]) -> list[dict[str, Any]]:
    """What Go answers."""
    lines = "\n".join(json.dumps({"p": pattern, "t": list(texts)}) for pattern, texts in asked)
    command = ["go", "run", str(FOLDER / "oracle.go")]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def main() -> None:
    """Write the file."""
    asked = list(dict(questions()).items())
    with VECTORS.open("w", encoding="utf-8", newline="\n") as file:
        file.write(HEADER)
        for (pattern, texts), answer in zip(asked, answers(asked), strict=True):
            problem = answer.get("e", "").removeprefix("error parsing regexp: ").partition(": `")[0]
            row = [pattern, problem or [[text, spans] for text, spans in zip(texts, answer["m"] or [], strict=True)]]
            file.write(json.dumps(row, ensure_ascii=True, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
