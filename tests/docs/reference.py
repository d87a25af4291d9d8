"""The generated pages of the reference: from the command line's parser, the catalog of codes, the spec schemas."""

from __future__ import annotations

import os
import re
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import cast

from apigen.cli.commands import COMMANDS
from apigen.cli.main import build_parser
from apigen.codegen.registry import BACKENDS
from apigen.diagnostics import codes
from apigen.diagnostics.quoting import listing
from apigen.hub.proof import prove_kinds
from apigen.language.configuration import DEFAULTS, LISTS, SETTINGS
from apigen.language.schema import SchemaKind, spec_schema
from apigen.language.shapes import Schema
from apigen.proof.examples import examples
from apigen.proof.printers import text_form
from apigen.proof.report import Choice, proof_report
from tests import this_project
from tests.docs.hand_written import page as hand_written_page
from tests.docs.losses import page as losses_page
from tests.docs.review_rules import index as review_rules_index
from tests.docs.review_rules import rule_pages
from tests.docs.rollback import page as rollback_page
from tests.docs.strategies import page as strategies_page
from tests.kubernetes.compiling import HAND_WRITTEN
from tests.validation.differences import page as validation_differences

MADE = "<!-- Made by `make docs`. Do not edit. -->\n"

FAMILIES = {
    "AG01": "Finding and reading files",
    "AG02": "The grammar of the spec language",
    "AG03": "Names and types",
    "AG04": "Protobuf numbers, locks and tombstones",
    "AG05": "Fields: presence, defaults, constraints, gates",
    "AG06": "The hub and lenses",
    "AG07": "Conversion losses",
    "AG08": "Hand-written functions",
    "AG09": "Configuration, output, command line",
    "AG10": "Suppression of lint findings",
    "AG11": "Lint rules",
    "AG12": "Importing an API",
    "AG13": "Changes of released specs",
    "AG14": "Review of a change",
    "AG15": "CustomResourceDefinitions",
}


def command_line() -> str:
    """`reference/command-line.md`."""
    os.environ["COLUMNS"] = "100"
    parser = build_parser()
    parts = [MADE, "# Command line\n", _block(parser)]
    commands = _commands(parser)
    shared: dict[str, str] = {}
    texts = {name: _without_shared(commands[name].format_help(), shared) for name in COMMANDS}
    options = "\n".join(shared[option] for option in SHARED_OPTIONS[:2])
    parts += [SHARED, f"```text\n{shared['project']}\n\n{shared['terminal']}\n\noptions:\n{options}\n```\n"]
    parts += [f"## apigen {name}\n\n```text\n{text}\n```\n" for name, text in texts.items()]
    return "\n".join(parts)


SHARED = """\
## Options of several commands

The usage of each command lists which of these options it has.
"""

SHARED_OPTIONS = ("--format {text,json,github,sarif}", "--release [SERIES=]VERSION", "-h, --help")
"""Options of several commands. The page explains an option once for all commands that describe it in the same words."""


def _without_shared(text: str, shared: dict[str, str]) -> str:
    """Return a help text without what several commands have. The groups and options that it had are added to `shared`: the longest
    text of a group, and the first one of an option.
    """
    own = []
    for group in re.split(r"\n\n(?=\w[\w ]*:\n)", text.strip()):
        title = group.partition(":\n")[0]
        if title in ("project", "terminal"):
            shared[title] = max(shared.get(title, ""), group, key=len)
            continue
        for option in SHARED_OPTIONS:
            for found in re.findall(rf"^  {re.escape(option)}(?: .*)?(?:\n {{6,}}.*)*\n?", group, re.MULTILINE):
                if shared.setdefault(option, found.rstrip()) == found.rstrip():
                    group = group.replace(found, "").rstrip()
        own.append(group)
    return "\n\n".join(group for group in own if not group.endswith("options:"))


def diagnostics() -> str:
    """`reference/diagnostics.md`: the areas of the codes, with their files. The site has the full text instead."""
    files: dict[str, dict[str, None]] = {}
    for path in sorted(Path(codes.__file__).parent.glob("*.md")):
        for info in codes.parse_codes(path.read_text(encoding="utf-8"), path.name):
            files.setdefault(info.code[:4], {})[path.name] = None
    rows = []
    for family, area in FAMILIES.items():
        of_family = [code for code in codes.code_infos() if code.startswith(family)]
        links = ", ".join(f"[{name}](../../apigen/diagnostics/codes/{name})" for name in files[family])
        rows.append(f"| {of_family[0]} to {of_family[-1]} | {area} | {links} |")
    return "\n".join([MADE, "# Diagnostics\n", DIAGNOSTICS, "| codes | area | texts |\n|---|---|---|", *rows, ""])


DIAGNOSTICS = """\
`apigen explain CODE` prints the explanation and an example of a code, and `apigen explain --list` the titles of all codes. The same texts
are on this page of the site (`make site`), and in the files below. A code never changes its meaning.
"""


def diagnostics_in_full() -> str:
    """Return the text of `apigen explain CODE` for each code, for the site."""
    parts = ["# Diagnostics\n", "The text of `apigen explain CODE` for each code. A code never changes its meaning.\n"]
    family = ""
    for info in codes.code_infos().values():
        if info.code[:4] != family:
            family = info.code[:4]
            parts.append(f"## {FAMILIES[family]}\n")
        parts.append(f"### {info.code}: {info.title}\n\n{info.explanation}\n")
        parts.append("```text\n" + info.example + "\n```\n")
    return "\n".join(parts)


def configuration() -> str:
    """`reference/configuration.md`."""
    rows = [f"| `{key}` | {_kind(key)} | {says} | {_left_out(key)} |" for key, says in SETTINGS.items()]
    backends = (
        f"Values of `backends`: {', '.join(f'`{name}`' for name in BACKENDS)}. Their dependencies are included.\n"
    )
    return "\n".join(
        [MADE, CONFIGURATION, "| setting | type | meaning | default |", "|---|---|---|---|", *rows, FORMATTER, backends]
    )


FORMATTER = """
`formatter` formats the Python files of the output with a line length of 88, independently of any `ruff.toml` or `pyproject.toml`.
`black --check` accepts the output of `ruff`, the default. The manifest of the output records the formatter and its version; `apigen
verify` reports another one (AG0915). Copies of hand-written functions are always formatted with Black.
"""

CONFIGURATION = """\
# Configuration

A project is configured by `apigen.toml`, or by the table `[tool.apigen]` of `pyproject.toml`; `apigen.toml` takes precedence in the same
folder. apigen uses the nearest one in the current folder or above, or `--config FILE`. Paths are relative to the file. `--specs`, `--output`
and `--package` override it; their paths are relative to the current folder.

```toml
[tool.apigen]
specs = "api-specs"
output = "src/shop/api"
package = "shop.api"
```

`groups` and `kinds` select what is generated, from the project's specs and from the catalog
([Kubernetes types](../cookbook/use-kubernetes-types.md)).
"""


def keys() -> str:
    """`reference/keys.md`."""
    parts = [
        MADE,
        "# Keys of the spec files\n",
        "Every key of every block, as in the JSON Schemas that `apigen schema` prints for editors. The blocks of whole files are\n"
        "[groupFile](#groupfile), [versionFile](#versionfile) and [hubFile](#hubfile); features.yaml has a [feature](#feature) for each\n"
        "gate, and optionally [series](#series).\n",
    ]
    blocks: dict[str, Rows] = {}
    for kind in SchemaKind:
        definitions = cast("dict[str, Schema]", spec_schema(kind)["$defs"])
        for name, schema in definitions.items():
            blocks.setdefault(name, _rows(schema))
    blocks |= {group: {key: blocks["field"][key] for key in keys} for group, keys in COMMON.items()}
    for name, rows in blocks.items():
        parts += _section(name, rows, blocks)
    return "\n".join(parts)


def proof() -> str:
    """`tests/records/proof.md`."""
    chosen = this_project.backend_input()
    proofs = list(prove_kinds(chosen.hub, chosen.types))
    found = examples(chosen, [lost for proof in proofs for lost in proof.lost], "generated", HAND_WRITTEN)
    return f"{MADE}\n{PROOF}\n```text\n{text_form(proof_report(proofs, Choice(), found)).strip()}\n```\n"


PROOF = """\
# Round trips through other versions

The output of `apigen proof` for the specs of this project.
"""


def hand_written() -> str:
    """`tests/records/hand-written-conversions.md`."""
    return f"{MADE}\n{hand_written_page()}"


def losses() -> str:
    """`tests/records/what-kubernetes-loses.md`."""
    return f"{MADE}\n{losses_page()}"


def rollback() -> str:
    """`tests/records/rollback-of-kubernetes.md`."""
    return f"{MADE}\n{rollback_page()}"


def strategies() -> str:
    """`tests/records/strategies-of-kubernetes.md`."""
    return f"{MADE}\n{strategies_page()}"


REFERENCE: Mapping[str, Callable[[], str]] = {
    "tests/records/validation-differences.md": validation_differences,
    "tests/records/what-kubernetes-loses.md": losses,
    "tests/records/hand-written-conversions.md": hand_written,
    "tests/records/rollback-of-kubernetes.md": rollback,
    "tests/records/strategies-of-kubernetes.md": strategies,
    "docs/reference/command-line.md": command_line,
    "docs/reference/configuration.md": configuration,
    "docs/reference/diagnostics.md": diagnostics,
    "docs/reference/keys.md": keys,
    "tests/records/proof.md": proof,
    "docs/reference/rules/index.md": lambda: f"{MADE}\n{review_rules_index()}",
    **{f"docs/reference/rules/{id_}.md": partial(rule_pages().__getitem__, id_) for id_ in rule_pages()},
}
"""Page -> what makes it."""


def _block(parser: ArgumentParser) -> str:
    return f"```text\n{parser.format_help().strip()}\n```\n"


def _commands(parser: ArgumentParser) -> Mapping[str, ArgumentParser]:
    subparsers = next(a for a in parser._actions if isinstance(a, _SubParsersAction))
    return cast("Mapping[str, ArgumentParser]", subparsers.choices)


def _kind(key: str) -> str:
    return "list of strings" if key in LISTS else "string"


def _left_out(key: str) -> str:
    return f"`{DEFAULTS[key]}`" if key in DEFAULTS else ""


Rows = Mapping[str, str]
"""Key of a block -> its row in the table."""

FEWEST_SHARED = 5

COMMON = {
    "elements": ("items", "keys", "values"),
    "lifecycle": ("introduced", "deprecated", "removed", "replacement"),
    "merging": ("listType", "listMapKeys", "mapType", "structType"),
    "siblings": ("rules", "requires", "forbids"),
}
"""Keys of a field that many blocks have -> the section that explains them once."""


def _rows(schema: Schema) -> Rows:
    properties = cast("dict[str, Schema]", schema.get("properties", {}))
    required = cast("list[str]", schema.get("required", []))
    rows: dict[str, str] = {}
    for key, value in properties.items():
        shown = f"`{key}`, required" if key in required else f"`{key}`"
        rows[key] = f"| {shown} | {_cell(_type(value))} | {_cell(str(value.get('description', '')))} |"
    return rows


def _section(name: str, rows: Rows, blocks: Mapping[str, Rows]) -> Iterator[str]:
    """Yield the section of a block. Rows of its base and of common groups of keys are replaced by links."""
    yield f"## {name}\n"
    if not rows:
        yield "A block without keys: `{}`.\n"
        return
    base = _base(name, blocks)
    own, links = rows, []
    if base is not None:
        known = blocks[base]
        missing = listing(tuple(key for key in known if key not in rows), "and")
        links.append(f"[{base}](#{base.lower()}){f' except {missing}' if missing else ''}")
        own = {key: row for key, row in rows.items() if known.get(key) != row}
    for group in COMMON:
        common = blocks[group]
        if name != group and common.items() <= own.items():
            links.append(f"[{group}](#{group})")
            own = {key: row for key, row in own.items() if key not in common}
    if links:
        yield f"The keys of {', '.join(links)}{', and:' if own else '.'}\n"
    if own:
        yield "| key | type | meaning |\n|---|---|---|"
        yield from own.values()
        yield ""


def _base(name: str, blocks: Mapping[str, Rows]) -> str | None:
    """Return the block with the rows that a block shares: of a block of hub.yaml, that of the version files; else the largest
    one that has no base itself and of which the block has all keys. None without one.
    """
    of_version = name.removeprefix("hub")[:1].lower() + name.removeprefix("hub")[1:]
    if of_version != name and of_version in blocks and len(blocks[of_version]) >= FEWEST_SHARED:
        return of_version
    within = (other for other in blocks if _is_within(blocks[other], blocks[name]) and _base(other, blocks) is None)
    return max(within, key=lambda other: len(blocks[other]), default=None)


def _is_within(rows: Rows, others: Rows) -> bool:
    return FEWEST_SHARED <= len(rows) < len(others) and rows.items() <= others.items()


def _type(schema: Schema) -> str:
    """What a value is, in words, with links to the tables of other blocks."""
    match schema:
        case {"$ref": str(reference)}:
            name = reference.rpartition("/")[2]
            return f"[{name}](#{name.lower()})"
        case {"enum": list(values)}:
            return ", ".join(f"`{value}`" for value in values)
        case {"anyOf": list(alternatives)} | {"oneOf": list(alternatives)}:
            return " or ".join(dict.fromkeys(_type(cast(Schema, each)) for each in alternatives))
        case {"type": "array", "items": dict(items)}:
            return f"list of {_type(items)}"
        case {"type": "object", "additionalProperties": dict(values)}:
            return f"map of {_type(values)}"
        case {"type": list(types)}:
            return " or ".join(_WORDS.get(str(each), str(each)) for each in types)
        case {"type": str(type_)}:
            return _WORDS.get(type_, type_)
        case _:
            return "any value"


_WORDS = {"object": "map", "array": "list"}


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
