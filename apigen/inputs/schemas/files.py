"""The files of an input: one, or those of a folder."""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from collections.abc import Mapping as AbstractMapping
from contextlib import suppress
from math import isfinite
from pathlib import Path

from apigen.dataclass import replace
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.files.regular_files import read_regular
from apigen.inputs.source import names_below
from apigen.language.build_nodes import build_documents
from apigen.language.json_values import JsonValue
from apigen.language.nodes import MAX_DEPTH, Mapping, Node, Scalar
from apigen.language.source import HIDDEN, Sources, report_unreadable

_JSON = ".json"
SUFFIXES = (".yaml", ".yml", _JSON)
_MOST = 10_000
_PAIR = r"(?<!\\)((?:\\\\)*)\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"


def files_of(argument: str, folder: Path, report: Report) -> tuple[tuple[Path, str], ...]:
    """The files of an input, each with its name for people; of a folder, all of YAML and JSON below it in order."""
    path = folder / argument
    if not path.is_dir():
        return ((path, argument),)
    try:
        next(path.iterdir(), None)
    except OSError as error:
        report_unreadable(report, Place(argument), error)
        return ()
    paths = tuple(sorted(files_below(path)))
    if len(paths) > _MOST:
        report.error(
            "AG1430",
            Place(argument),
            f"{len(paths):,} files; the maximum is {_MOST:,}",
            hint="pass a subfolder",
        )
        return ()
    base = argument.rstrip("/")
    return tuple((each, f"{base}/{each.relative_to(path).as_posix()}") for each in paths)


def files_below(folder: Path) -> Iterator[Path]:
    """The files of YAML and JSON below a folder, as far as it can be read; links to folders are not followed."""
    paths = (Path(at, name) for at, name in names_below(folder))
    return (path for path in paths if path.suffix in SUFFIXES and _is_file(path))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def documents_of(files: tuple[tuple[Path, str], ...], report: Report) -> Iterator[tuple[str, Node]]:
    """Yield the documents of all files, each with the name of its file; errors are added to the report."""
    sources = Sources(report)
    for path, name in files:
        file = sources.read(path, name, is_json=path.suffix == _JSON)
        if file is None:
            continue
        for node in build_documents(replace(file, text=_as_yaml(file.path, file.text)), report) or ():
            endless = _endless(node)
            if endless is None:
                yield name, node
            else:
                hint = "write a number in the range of a float64, or quote a string"
                report.error("AG1435", endless.place, f"{quote(endless.text)} is not a number in JSON", hint=hint)


def _endless(node: Node) -> Scalar | None:
    """The first number that is infinite, or none at all."""
    waiting, seen = [node], set[int]()
    while waiting:
        each = waiting.pop()
        if isinstance(each, Scalar):
            if isinstance(each.value, float) and not isfinite(each.value):
                return each
        elif id(each) not in seen:  # many aliases may refer to it
            seen.add(id(each))
            inner = [entry.value for entry in each.entries] if isinstance(each, Mapping) else each.items
            waiting.extend(reversed(inner))
    return None


def _as_yaml(path: Path, text: str) -> str:
    """Return the text of a JSON file as valid YAML; that of another file unchanged.

    JSON escapes characters beyond 16 bits as two surrogates, and allows some characters that YAML requires to be escaped.
    """
    return re.sub(HIDDEN, _escaped, re.sub(_PAIR, _code_point, text)) if path.suffix == _JSON else text


def _escaped(hidden: re.Match[str]) -> str:
    return f"\\u{ord(hidden[0]):04x}"


def _code_point(halves: re.Match[str]) -> str:
    high, low = int(halves[2], 16) - 0xD800, int(halves[3], 16) - 0xDC00
    return f"{halves[1]}\\U{0x10000 + high * 0x400 + low:08x}"


_FIRST = 256 * 1024
"""Bytes of a file that are looked at to recognize its form."""


def first_text(path: Path, size: int = _FIRST) -> str:
    """The text of the first bytes of a file of YAML or JSON; empty for one of another format, and one that cannot be
    read.
    """
    if path.suffix not in SUFFIXES:
        return ""
    try:
        data = read_regular(path, size)
    except OSError:
        return ""
    # UTF-16 is rejected with an error when the file is read
    encoding = "utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    return data.decode(encoding, "replace")


def top_entries(path: Path) -> AbstractMapping[str, JsonValue]:
    """Return the entries of the first document of a file, up to the first error in it, to recognize its form.

    Empty for a file of another format, an unreadable one, and one that is not a mapping. For values, see
    `entries_of_text`.
    """
    return entries_of_text(_as_yaml(path, first_text(path)))


def entries_of_text(text: str) -> AbstractMapping[str, JsonValue]:
    """Return the entries of a document: scalars as written, lists with the scalars in them, and empty mappings."""
    import yaml  # a run with only cached files does not need it
    from yaml.events import CollectionEndEvent, CollectionStartEvent, MappingStartEvent, NodeEvent, ScalarEvent

    entries: dict[str, JsonValue] = {}
    key: str | None = None
    value: JsonValue = None
    depth = 0
    readable = yaml.reader.Reader.NON_PRINTABLE.sub("\ufffd", text)  # one of them is an error before the first event
    with suppress(yaml.YAMLError):
        for event in yaml.parse(readable, yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader):
            if isinstance(event, CollectionEndEvent):
                depth -= 1
                if not depth:
                    break
            if not isinstance(event, NodeEvent):
                continue
            if depth > MAX_DEPTH or not (depth or isinstance(event, MappingStartEvent)):
                break
            scalar = event.value if isinstance(event, ScalarEvent) else None
            if depth == 2 and isinstance(value, list) and scalar is not None:
                value.append(scalar)
            if depth == 1:
                value = scalar if scalar is not None else {} if isinstance(event, MappingStartEvent) else []
                if key is None:
                    key = scalar or ""
                else:
                    entries.setdefault(key, value)
                    key = None
            depth += isinstance(event, CollectionStartEvent)
    return entries
