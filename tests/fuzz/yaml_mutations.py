"""Mutations of YAML documents: written in other styles, changed line by line, or JSON with its own mutations."""

from __future__ import annotations

from random import Random
from typing import Any

import yaml

from tests.fuzz import json_mutations, tokens

SCALARS = (
    "~", "null", "Null", "yes", "No", "on", "OFF", "0o17", "017", "0x1F", "1_000", "12:30:45", "1e3", ".inf", "-.INF", ".nan", "2000-01-02",
    "2000-01-02 03:04:05", "=", "<<", "!!str 1", "!!int '7'", "!!binary YWJj", "!!float 1", "!!null ''", "!!bool yes", "!!set {a}", "!x y",
    "!!python/object:os.system x", "! a", "&a b", "*a", "*missing", "&a [*a]", "&a {<<: *a}", "'it''s'", '"\\x41\\u00e9\\ud800"', "'", '"', "|\n  a",
    ">-\n  a\n  b", "|+9\n a", "[a, b", "{a: b}", "{a, b}", "[]", "{}", "? a\n: b", "- - a", "a: b: c", "@a", "`a", "%a", "a #b", "\t", "\x07", "\ufeff",
)  # fmt: skip
WHOLE = ("---\n{}---\n{}", "--- \n{}...\n", "{}\n...\n---\n", "%YAML 1.1\n---\n{}", "%YAML 2.0\n---\n{}", "%TAG ! tag:x,2000:\n---\n{}", "# x\n{}", "\ufeff{}",
         "{}a: &a [x,x]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\nd: [*c,*c,*c,*c]\n")  # fmt: skip


class _Loader(yaml.CSafeLoader):
    """Leaves times as the text that they are."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
    for first, resolvers in _Loader.yaml_implicit_resolvers.items()
}


def _restyled(data: bytes, random: Random) -> bytes:
    tree: Any = yaml.load(data, Loader=_Loader)
    if isinstance(tree, dict) and random.random() < 0.5:
        for name in [name for name in tree if random.random() < 0.3 and name not in ("kind", "apiVersion")]:
            del tree[name]
    if isinstance(tree, dict) and random.random() < 0.3:  # what is the same object becomes an alias
        tree["unknown"] = tree.get("metadata")
    text = yaml.dump(
        tree,
        Dumper=yaml.CSafeDumper,
        default_flow_style=random.choice((False, False, True, None)),
        default_style=random.choice((None, None, None, '"', "'")),
        indent=random.choice((2, 4, 9)),
        width=random.choice((20, 80, 10_000)),
        allow_unicode=random.random() < 0.5,
        explicit_start=random.random() < 0.2,
        explicit_end=random.random() < 0.1,
        sort_keys=random.random() < 0.5,
    )
    return text.encode(errors="surrogatepass")


def _with_other_lines(data: bytes, random: Random) -> bytes:
    lines = data.decode(errors="replace").split("\n")
    for _ in range(random.choice((1, 1, 2, 4))):
        at = random.randrange(len(lines))
        line = lines[at]
        name, colon, _ = line.partition(":")
        match random.randrange(9):
            case 0:
                del lines[at]
            case 1:
                lines.insert(random.randrange(len(lines) + 1), line)
            case 2:
                lines[at] = random.choice((" ", "  ", "\t")) + line
            case 3:
                lines[at] = line[random.choice((1, 2)) :]
            case 4:
                lines[at] = f"{name}{colon} {random.choice(SCALARS)}"
            case 5:
                lines[at] = f"{name}{colon} {tokens.number(random)}"
            case 6:
                lines[at] = f"{name}{colon} {tokens.text(random)}"
            case 7:
                lines[at] = f"{name.swapcase()}{line[len(name) :]}"
            case _:
                depth = random.choice((5, 50, 1000))
                lines[at] = f"{name}{colon} {random.choice(('[', '{a: ', '- ', '? ', '!!str ', '&a ')) * depth}"
        lines = lines or [""]
    return "\n".join(lines).encode(errors="surrogatepass")


def mutate(data: bytes, random: Random) -> bytes:
    """A document with some changes."""
    chance = random.random()
    if chance < 0.1:
        return tokens.bent(data, random)
    if chance < 0.4:
        try:
            data = _restyled(data, random)
        except Exception:  # PyYAML's constructors raise errors of many classes for tags that do not fit
            return tokens.bent(data, random)
    elif chance < 0.85:
        data = _with_other_lines(data, random)
    else:
        data = json_mutations.mutate(data, random)
    if random.random() < 0.05:
        text = data.decode(errors="replace")
        data = random.choice(WHOLE).replace("{}", text, 2).encode(errors="surrogatepass")
    return data
