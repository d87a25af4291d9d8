"""CustomResourceDefinitions as a source; those of a repository are found among its other files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from apigen.dataclass import replace
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.files.regular_files import read_regular
from apigen.inputs.crd.definition import FORM, KIND, Definition, read_definition
from apigen.inputs.schemas.files import SUFFIXES, documents_of, files_below, files_of
from apigen.inputs.schemas.words import items_of, text, words_of
from apigen.inputs.source import Setting, Source, names_below
from apigen.ir.surface import Surface, Unread
from apigen.language.nodes import Mapping, Node
from apigen.language.source import MAX_FILE_BYTES

_MARKS = (".git", ".github", "go.mod", "PROJECT", "Makefile", "LICENSE", "Chart.yaml", "kustomization.yaml")
"""Files at the root of repositories, of Helm charts and of kustomizations, but not in folders that only contain CRDs."""

_OF_OTHERS = frozenset(
    {
        *("vendor", "node_modules", "third_party", "testdata", "test", "tests", "e2e", "hack"),
        *("example", "examples", "sample", "samples", "docs"),
    }
)
"""Folders of a repository whose CRDs are third-party or test data."""

_LOOKS_LIKE = re.compile(rb"""kind["']?\s*:\s*["']?CustomResourceDefinition(?:List)?\b""")
_TEMPLATE = re.compile(rb"(?m)^[ \t]*(?:- )?\{\{")
_USUAL_FOLDERS = ("config/crd/bases", "config/crd", "crds", "crd")
"""Folders of CRDs, the most common first."""


def is_repository(folder: Path) -> bool:
    """Return whether a folder is the root of a repository, or another one with files that are not whole CRDs."""
    return any((folder / mark).exists() for mark in _MARKS)


def has_definition(path: Path) -> bool:
    """Return whether a file may contain a CustomResourceDefinition; it is searched as text, not parsed."""
    return _LOOKS_LIKE.search(_content(path)) is not None


def definition_files(folder: Path) -> tuple[Path, ...]:
    """Return the files with CRDs of the repository itself, those of the usual folders first."""
    files = filter(has_definition, _files(folder))
    return tuple(sorted(files, key=lambda path: _rank(path.parent.relative_to(folder).as_posix(), path.name)))


def is_template(path: Path) -> bool:
    """Return whether a file is a template of Helm: it has actions, and cannot be parsed."""
    content = _content(path)
    if b"{{" not in content or not _TEMPLATE.search(content):  # the pattern alone takes 5 ms for a CRD of 7,000 lines
        return False
    report = Report()
    for _ in documents_of(((path, path.name),), report):
        pass
    return report.has_errors


def has_own_definitions(folder: Path) -> bool:
    """Return whether a folder contains CustomResourceDefinitions of its own project."""
    return any(map(has_definition, _files(folder)))


def _files(folder: Path) -> Iterator[Path]:
    names = names_below(folder, lambda name: name.startswith(".") or name in _OF_OTHERS)
    return (path for at, name in names if (path := Path(at, name)).suffix in SUFFIXES)


def _content(path: Path) -> bytes:
    try:
        return read_regular(path, MAX_FILE_BYTES) if path.suffix in SUFFIXES else b""
    except OSError:
        return b""


def _rank(folder: str, name: str) -> tuple[int, str, str]:
    parts = PurePosixPath(folder).parts
    for number, usual_folder in enumerate(_USUAL_FOLDERS):
        usual_parts = PurePosixPath(usual_folder).parts
        if any(parts[at : at + len(usual_parts)] == usual_parts for at in range(len(parts))):
            return number, folder, name
    return len(_USUAL_FOLDERS), folder, name


_LISTS = ("List", f"{KIND}List")


class CrdSource(Source):
    """CustomResourceDefinitions: a file with one or many, a folder of such files, or a repository. Other objects in them are ignored."""

    form = FORM
    title = "CustomResourceDefinitions"

    def recognises(self, argument: str, setting: Setting) -> bool:
        """Return whether the file, or a file of the folder, contains a CustomResourceDefinition."""
        path = setting.folder / argument
        if path.is_dir():
            return has_own_definitions(path) or (
                not is_repository(path) and any(map(has_definition, files_below(path)))
            )
        return has_definition(path)

    def content(self, argument: str, setting: Setting) -> tuple[str | bytes, ...] | None:
        """Return the names and contents of all files that `load` reads; None if one of them cannot be read."""
        report = Report()
        named = _of_repository(argument, setting)
        files = named or files_of(argument, setting.folder, report)
        try:
            parts = [part for path, name in files for part in (name, read_regular(path, MAX_FILE_BYTES))]
        except OSError:
            return None
        return None if report.has_errors else (argument, str(bool(named)), *parts)

    def load(self, argument: str, setting: Setting, report: Report) -> Surface | None:
        """Read the CRDs. Returns `None`, with errors in `report`, if that fails; unsupported parts are in `unread`.

        A repository is searched for them. Patches of a definition in another file, and second definitions of a kind in another
        folder, are omitted.
        """
        before = report.error_count
        repository_files = _of_repository(argument, setting)
        files = repository_files or files_of(argument, setting.folder, report)
        templates = [name for path, name in files if is_template(path)]
        if templates and len(templates) == len(files):
            hint = "render it, and compare the output: helm template CHART --include-crds"
            report.error("AG1430", Place(templates[0]), "a template of Helm, not YAML", hint=hint)
            return None
        documents = documents_of(tuple(each for each in files if each[1] not in templates), report)
        nodes = [(name, node) for name, document in documents for node in _definitions(document)]
        if repository_files:
            nodes = [(name, node) for name, node in nodes if _is_whole(node)]
        read = [(name, definition) for name, node in nodes if (definition := read_definition(node, report)) is not None]
        used, unread = _once_each(read) if repository_files else ([definition for _, definition in read], ())
        if not nodes and report.error_count == before:
            hint = f"`kind: {KIND}` identifies one; for another form, write it in front of the path, such as `jsonschema:PATH`"
            report.error("AG1430", Place(argument), f"no {KIND} here", hint=hint)
        unread = (*unread, *(Unread(Place(name), "this template of Helm is not rendered") for name in templates))
        from apigen.inputs.crd.surface_of import surface_of  # a cached review does not need it

        surface = surface_of(tuple(used), argument, report)
        return None if report.error_count > before else replace(surface, unread=(*surface.unread, *unread))


def _of_repository(argument: str, setting: Setting) -> tuple[tuple[Path, str], ...]:
    """Return the files with CRDs of a repository, each with its name for people; none for another input."""
    path = setting.folder / argument
    found = definition_files(path) if path.is_dir() and is_repository(path) else ()
    base = "" if argument in ("", ".") else f"{argument.rstrip('/')}/"
    return tuple((each, f"{base}{each.relative_to(path).as_posix()}") for each in found)


def _is_whole(node: Mapping) -> bool:
    """Return whether a node is a CustomResourceDefinition, and not a patch of one."""
    spec = words_of(node).get("spec")
    return isinstance(spec, Mapping) and {"group", "names"} <= words_of(spec).keys()


def _once_each(read: list[tuple[str, Definition]]) -> tuple[list[Definition], tuple[Unread, ...]]:
    """The definitions of each kind from the first folder that has them, and a word on the others."""
    folders: dict[tuple[str, str], str] = {}
    used, unread = [], []
    for name, definition in read:
        folder = name.rpartition("/")[0]
        used_folder = folders.setdefault((definition.group, definition.kind.name), folder)
        if used_folder == folder:
            used.append(definition)
        else:
            message = f"{definition.kind.name} is also defined in {quote(used_folder or '.')}, which is used"
            unread.append(Unread(definition.kind.place, message))
    return used, tuple(unread)


def _definitions(document: Node) -> Iterator[Mapping]:
    """The definitions of a document: itself, or those of the list that it is."""
    waiting = [document]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, Mapping):
            continue
        words = words_of(node)
        kind = text(words, "kind")
        if kind == KIND:
            yield node
        elif kind in _LISTS:
            waiting.extend(reversed(items_of(words, "items")))
