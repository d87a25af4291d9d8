"""Random patterns and texts: of the whole syntax, of the part that most patterns use, and of raw characters."""

from __future__ import annotations

from random import Random

SIMPLE = (
    *("a", "b", "c", "[ab]", "[^a]", ".", "\\w", "\\b", "\\B", "^", "$", "(?m)^", "(?m)$", "\n", "A", "1", "(?i)a"),
    *("\\pL", "é", " "),
)
VALID = (
    *("a", "b", "c", "A", "k", "K", "s", "1", "_", "-", ".", "é", "ſ", "Å", "ß", "Ω", "ω", "\u212a", "\n", "]", "}"),
    *("\\d", "\\w", "\\s", "\\D", "\\W", "\\S", "[a-c]", "[^a]", "[^\\n]", "[ab-]", "[]a]", "[^]a]", "[[:alpha:]]"),
    *("[[:^digit:]x]", "\\pL", "\\p{Lu}", "\\P{Greek}", "\\p{^Lu}", "\\PN", "\\p{latin}", "[\\pL\\d]", "[^\\pL]"),
    *("\\p{Any}", "\\x41", "\\x{e9}", "\\101", "\\0", "\\n", "\\t", "\\.", "\\-", "\\_", "\\/", "\\Q.*\\E", "^", "$"),
    *("\\A", "\\z", "\\b", "\\B", "(?i)", "(?m)", "(?s)", "(?U)", "(?-i)", "(?i-s)", "(?<n>a)", "(?P<n>b)", "{,2}"),
    *("\\p{LC}", "\\p{Letter}", "\\p{Cn}", "\\p{Zs}", "\\p{Decimal_Number}", "\\pC", "[\\w-é]", "[а-я]", "[^\\w\\s]"),
    *("[\\x00-\\x{10FFFF}]", "[^\\x00-\\x{10FFFF}]", "[\\d-z]", "(?<1>x)"),
)
INVALID = (
    *("[[:foo:]]", "\\p{xx}", "\\p", "\\x{110000}", "\\1", "\\8", "\\k", "\\é", "\\Z", "\\C", "(?x)", "(?=a)", "(?!a)"),
    *("(?P=n)", "(?P<é>x)", "[z-a]", "[a-\\d]", "[", "[a", "\\", "(?>a)", "(?<=a)", "(?P<n", "\\Qab", "{"),
)
REPEATS = ("*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,}", "{2,3}?", "{0}", "{1,2}")
ODD_REPEATS = ("{3,1}", "{1001}", "{30}", "{2,}?", "{0,}", "**", "{00}", "a++", "{1,100000}")
RAW = (*"()[]{}?*+|\\^$.ab12,:-P<>nimpLdéQEx0=!",)
LETTERS = "aabbcAkKsS1_- .\nééſÅßÅ\u212aΩωΩж0xz\U0001f600"


def random_pattern(random: Random, depth: int, atoms: tuple[str, ...], repeats: tuple[str, ...] = REPEATS) -> str:
    """A pattern of these atoms."""
    kind = random.random()
    if depth <= 0 or kind < 0.35:
        return random.choice(atoms)
    if kind < 0.6:
        return "".join(random_pattern(random, depth - 1, atoms, repeats) for _ in range(random.randint(1, 4)))
    if kind < 0.75:
        start = random.choice(("(", "(?:", "(?i:", "(?s:", "(?U:", "(?m:", "("))
        return f"{start}{random_pattern(random, depth - 1, atoms, repeats)})"
    if kind < 0.87:
        count = random.randint(2, 3)
        parts = (
            random_pattern(random, depth - 1, atoms, repeats) if random.random() < 0.9 else "" for _ in range(count)
        )
        return f"(?:{'|'.join(parts)})"
    part = random_pattern(random, depth - 1, atoms, repeats)
    if len(part) > 1 and random.random() < 0.8:
        part = f"(?:{part})"
    return part + random.choice(repeats)


def raw_pattern(random: Random) -> str:
    """Characters that mean something in patterns, without order."""
    return "".join(random.choice(RAW) for _ in range(random.randint(1, 9)))


def random_text(random: Random) -> str:
    """A short text, in which patterns of this module often match."""
    return "".join(random.choice(LETTERS) for _ in range(random.randint(0, 10)))
