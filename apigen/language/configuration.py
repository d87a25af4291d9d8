"""The configuration of a project: finds the TOML file, and reads its settings into one immutable value with the folders of
specs and output. Each error is a diagnostic with its location.
"""

from __future__ import annotations

import keyword
import os
import re
import sys
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Report
from apigen.diagnostics.model import shown_path
from apigen.diagnostics.quoting import quote
from apigen.language.releases import RELEASE_PATTERN, contained_release

_POSITION = r" \(at (?:line (\d+), column (\d+)|end of document)\)$"


@dataclass(frozen=True, slots=True)
class TomlFile:
    """A file and its table with the settings. `display_path` is its path in messages."""

    path: Path
    display_path: str
    text: str
    table: tuple[str, ...]

    def place(self, key: str) -> Place:
        """Return the location of a setting of the table, or that of the table if the setting is not found as text."""
        lines = self.text.splitlines(keepends=True)
        names = [re.escape(name) for name in (*self.table, key)]
        prefixes = "".join(rf"(?:[\"']?{name}[\"']?[ \t]*\.[ \t]*)?" for name in names[:-1])
        pattern = re.compile(rf"[ \t]*(?:\[\[?[ \t]*)?{prefixes}([\"']?{names[-1]}[\"']?)[ \t]*[=.\]]")
        for number, line in enumerate(lines):
            match = pattern.match(line)
            if match and self._begins(lines, number, key):
                return Place(self.display_path, number + 1, match.start(1) + 1)
        return self._header(lines)

    def line(self, place: Place) -> str | None:
        """The text of the line of a place of this file."""
        lines = self.text.splitlines()
        return lines[place.line - 1] if place.file == self.display_path and 0 < place.line <= len(lines) else None

    def _begins(self, lines: list[str], number: int, key: str) -> bool:
        """Return whether the setting begins in this line: the lines before are valid TOML without it, and following lines
        complete it.
        """
        if self._holds(lines[:number], key) is not False:
            return False
        ends = (self._holds(lines[:end], key) for end in range(number + 1, len(lines) + 1))
        return next((holds for holds in ends if holds is not None), False)

    def _holds(self, lines: list[str], key: str) -> bool | None:
        """Return whether these first lines have the setting; None if they are not valid TOML."""
        try:
            return key in (table_in(tomllib.loads("".join(lines)), self.table) or {})
        except tomllib.TOMLDecodeError:
            return None

    def _header(self, lines: list[str]) -> Place:
        name = r"[ \t]*\.[ \t]*".join(map(re.escape, self.table))
        header = re.compile(rf"[ \t]*\[[ \t]*{name}[ \t]*\]")
        for number, line in enumerate(lines, 1):
            if self.table and header.match(line):
                return Place(self.display_path, number, line.index("[") + 1)
        return Place(self.display_path)


@lru_cache(maxsize=4)
def parsed(text: str) -> Mapping[str, object]:
    """Return the document of a text, which must not be modified, because it is cached. Raises TOMLDecodeError."""
    return tomllib.loads(text)


def table_in(document: Mapping[str, object], names: tuple[str, ...]) -> Mapping[str, object] | None:
    """Return the table of that name in a document; None if there is no such table."""
    found: object = document
    for name in names:
        if not isinstance(found, dict) or name not in found:
            return None
        found = found[name]
    return found if isinstance(found, dict) else None


def syntax_error(error: tomllib.TOMLDecodeError, display_path: str, text: str) -> tuple[Place, str]:
    """Return the location of a syntax error, and the message of `tomllib`."""
    words = str(error)
    match = re.search(_POSITION, words)
    if match is None:
        return Place(display_path), words
    line = int(match[1]) if match[1] else max(1, len(text.splitlines()))
    column = int(match[2]) if match[2] else len((text.splitlines() or [""])[-1]) + 1
    return Place(display_path, line, column), words[: match.start()]


OWN_NAME = "apigen.toml"
SHARED_NAME = "pyproject.toml"
SHARED_TABLE = ("tool", "apigen")


def find_config(start: Path, report: Report, named: str | None = None) -> TomlFile | None:
    """Return the configuration that is `named`, or else the nearest one in `start` and its parent folders.

    An `apigen.toml` is one, and a `pyproject.toml` with a table `[tool.apigen]`; the first wins if a folder has both.
    None without a configuration, or if it cannot be used (AG0904, AG0905).
    """
    if named is not None:
        return _named(Path(os.path.abspath(start / named)), start, report)
    for folder in (start, *start.parents):
        if (folder / OWN_NAME).exists():
            return _read(folder / OWN_NAME, (), start, report)
        shared = folder / SHARED_NAME
        if shared.is_file() and _mentions_apigen(shared):
            return _read(shared, SHARED_TABLE, start, report)
    return None


def _named(path: Path, start: Path, report: Report) -> TomlFile | None:
    if path.is_dir():
        names = [name for name in (OWN_NAME, SHARED_NAME) if (path / name).is_file()]
        hint = f"did you mean `{(path / names[0]).name}` in it?" if names else None
        report.error(
            "AG0905",
            Place(shown_path(path, start)),
            "the configuration must be a file, but this is a folder",
            hint=hint,
        )
        return None
    shared = path.name == SHARED_NAME
    file = _read(path, SHARED_TABLE if shared else (), start, report)
    if file is not None and shared and table_in(parsed(file.text), SHARED_TABLE) is None:
        report.error("AG0905", Place(file.display_path), "it has no table [tool.apigen]")
        return None
    return file


def _mentions_apigen(path: Path) -> bool:
    """Return whether a pyproject.toml has our table, or would seem to but for a fault in it."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return False
    try:
        return table_in(parsed(text), SHARED_TABLE) is not None
    except tomllib.TOMLDecodeError:
        return "apigen" in text


def _read(path: Path, table: tuple[str, ...], start: Path, report: Report) -> TomlFile | None:
    display_path = shown_path(path, start)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        report.error("AG0905", Place(display_path), f"the byte 0x{error.object[error.start]:02x} is not UTF-8")
        return None
    except OSError as error:
        report.error("AG0905", Place(display_path), f"cannot be read: {error.strerror or 'unknown reason'}")
        return None
    file = TomlFile(path, display_path, text, table)
    report.use_source(file.line)
    try:
        parsed(text)
    except tomllib.TOMLDecodeError as error:
        place, words = syntax_error(error, display_path, text)
        report.error("AG0904", place, f"invalid TOML: {words[:1].lower()}{words[1:]}")
        return None
    return file


@dataclass(frozen=True, slots=True)
class Overrides:
    """Settings of the command line that override the configuration; paths are relative to the working directory.

    `series` are releases of other release series than the project's own.
    """

    specs: str | None = None
    output: str | None = None
    package: str | None = None
    release: str | None = None
    series: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class CrdSettings:
    """The settings of CRD manifests (the table `crd`).

    `service` (`namespace/name`, with `path` and `port`) or `url` is the address of the conversion webhook; `ca_bundle`
    is the base64 text of its certificate authority, `certificate` the cert-manager Certificate (`namespace/name`) that
    injects it. `webhooks` is the name of the configurations of the admission webhooks; None without them.
    `gated` is the treatment of fields whose gate is disabled: `leave-out` or `note`. `descriptions` is the maximum
    length of a description; None keeps all of them. `approved` is the address of the pull request that approved an API
    of `*.k8s.io`.
    """

    service: str = "system/webhook-service"
    path: str = "/convert"
    port: int = 443
    url: str | None = None
    ca_bundle: str | None = None
    certificate: str | None = None
    webhooks: str | None = None
    gated: str = "leave-out"
    descriptions: int | None = None
    approved: str | None = None


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of a project. All paths are absolute.

    `groups`, `kinds` and `backends` are None if the project does not choose. `package` is the name of the output as a
    Python package. `release` is the next release, None if it is not declared, and `series` are releases of other
    release series, by name. `formatter` formats the output. `crd` is for the backend of that name. `names_specs`:
    `specs` is not just the default. `file` is the configuration file, None without one.
    """

    specs: Path
    output: Path
    package: str
    handwritten: Path
    groups: tuple[str, ...] | None = None
    kinds: tuple[str, ...] | None = None
    backends: tuple[str, ...] | None = None
    release: str | None = None
    series: tuple[tuple[str, str], ...] = ()
    formatter: str = "ruff"
    crd: CrdSettings = CrdSettings()
    names_specs: bool = True
    file: TomlFile | None = None

    @property
    def approvals(self) -> Path:
        """The file of approvals, next to the configuration file or in the working directory."""
        return (Path.cwd() if self.file is None else self.file.path.parent) / "apigen-approvals.yaml"

    def place(self, key: str) -> Place:
        """Return the location of a setting, for errors that are found later."""
        return Place("command line") if self.file is None else self.file.place(key)


TEXTS: Mapping[str, str] = {
    "specs": "the folder with the specs",
    "output": "the output folder, which only apigen writes",
    "package": "the name of the generated Python package; default: the name of the output folder",
    "handwritten": "the folder with hand-written functions, which is optional",
    "formatter": "the formatter of the generated Python: `ruff` (the default), `black` or `none`",
    "release": 'the next release, such as "1.13"; default: the minor release after the last recorded one',
}
LISTS: Mapping[str, str] = {
    "groups": "groups to generate completely, by the names of their folders; default, without `kinds`: all groups of `specs`",
    "kinds": "kinds to generate besides, such as `Deployment.apps`, in all their versions, with the types that they use",
    "backends": "what to generate; default: `default`, which is everything except `crd`",
}
TABLES: Mapping[str, str] = {
    "series": 'releases of other release series that are emulated by default, such as `{kubernetes = "1.34"}`; default: the'
    " releases of their specs",
    "crd": 'the manifests of the backend `crd`, such as `{service = "my-namespace/my-webhook"}`; the reference has its keys',
}
CRD_TEXTS: Mapping[str, tuple[str, str]] = {
    "service": (r"[a-z0-9.-]+/[a-z0-9.-]+", "my-namespace/my-webhook"),
    "path": (r"/.*", "/convert"),
    "url": (r"https://.+", "https://webhook.example.com/convert"),
    "caBundle": (r"[A-Za-z0-9+/]+={0,2}", "LS0tLS1CRUdJTg=="),
    "certificate": (r"[a-z0-9.-]+/[a-z0-9.-]+", "my-namespace/my-certificate"),
    "gated": (r"leave-out|note", "leave-out"),
    "webhooks": (r"[a-z0-9]([-a-z0-9]{0,48}[a-z0-9])?", "my-api"),
    "approved": (r"https://.+|unapproved.*", "https://example.com/pull/1"),
}
"""The texts of the table `crd`: the pattern of each, and an example."""
CRD_NUMBERS: Mapping[str, tuple[int, int]] = {"port": (1, 65535), "descriptions": (0, 1_000_000)}
"""The numbers of the table `crd`: the least and the greatest of each."""
SETTINGS: Mapping[str, str] = {**TEXTS, **LISTS, **TABLES}
"""Every setting and its description."""

DEFAULTS: Mapping[str, str] = {
    "specs": "api-specs",
    "output": "generated",
    "handwritten": "handwritten",
    "formatter": "ruff",
}
FORMATTERS = ("ruff", "black", "none")
"""The defaults of a configuration; paths are relative to its folder."""

_EXAMPLES: Mapping[str, str] = {**DEFAULTS, "release": "1.13"}

COMMAND_LINE = "command line"

SERIES = r"[a-z][a-z0-9]*(?:[-.][a-z0-9]+)*"
"""The pattern of the name of a release series."""


def load_config(file: TomlFile | None, start: Path, overrides: Overrides, report: Report) -> Config | None:
    """Return the configuration of a run. `start` is the working directory: the paths of `overrides` are relative to it.

    None, with diagnostics (AG0901, AG0902, AG0903, AG0906), if it is invalid.
    """
    settings = _Settings(file, overrides, report)
    root = start if file is None else file.path.parent
    output = settings.folder("output", overrides.output, root, start)
    config = Config(
        specs=settings.folder("specs", overrides.specs, root, start),
        output=output,
        package=settings.text("package", overrides.package) or output.name,
        handwritten=settings.folder("handwritten", None, root, start),
        groups=settings.names("groups"),
        kinds=settings.names("kinds"),
        backends=settings.names("backends"),
        release=settings.release(overrides.release),
        series=settings.series(),
        formatter=settings.choice("formatter", FORMATTERS),
        crd=settings.crd(),
        names_specs=settings.has("specs"),
        file=file,
    )
    if not report.has_errors:
        settings.check_package(config.package)
        settings.check_handwritten(config.handwritten)
        _check_apart(config, settings)
    return None if report.has_errors else config


@dataclass(frozen=True, slots=True)
class _Value:
    """A setting that was found."""

    value: object
    key: str
    file: TomlFile

    @property
    def place(self) -> Place:
        """Its location. It takes time to find, so it is only computed for errors."""
        return self.file.place(self.key)


class _Settings:
    """The table of settings while it is read."""

    def __init__(self, file: TomlFile | None, overrides: Overrides, report: Report) -> None:
        self._report = report
        self._overrides = overrides
        table = {} if file is None else table_in(parsed(file.text), file.table) or {}
        self._found = {key: _Value(value, key, file) for key, value in table.items() if file is not None}
        for key, found in self._found.items():
            if key not in SETTINGS:
                self._unknown(key, found.place)

    def has(self, key: str) -> bool:
        """Return whether the configuration or the command line declares a setting."""
        return key in self._found or getattr(self._overrides, key, None) is not None

    def text(self, key: str, override: str | None) -> str | None:
        """Return a string setting from the command line, or else from the configuration."""
        if override is not None:
            if not override.strip() or "\0" in override:
                self._report.error("AG0902", Place(COMMAND_LINE), f"`--{key}` is empty")
            return override
        found = self._found.get(key)
        if found is None:
            return None
        if not isinstance(found.value, str) or not found.value.strip() or "\0" in found.value:
            self._wrong(key, found, "a string", f'{key} = "{_EXAMPLES.get(key, "name")}"')
            return None
        return found.value

    def choice(self, key: str, known: tuple[str, ...]) -> str:
        """A setting that is one of some names."""
        value = self.text(key, None) or DEFAULTS[key]
        if value not in known:
            message = f"`{key}` is {', '.join(known[:-1])} or {known[-1]}, not {quote(value)}"
            self._report.error("AG0902", self._place(key), message)
        return value

    def folder(self, key: str, override: str | None, root: Path, start: Path) -> Path:
        """A setting that is a folder, as an absolute path."""
        value = self.text(key, override) or DEFAULTS[key]
        return Path(os.path.abspath((start if override is not None else root) / value))

    def release(self, override: str | None) -> str | None:
        """The setting `release`; it is a string, because 1.10 and 1.1 are the same number in TOML."""
        value = self.text("release", override)
        if value is not None and value.strip() and not re.fullmatch(RELEASE_PATTERN, value):
            place = self._place("release", overridden=override)
            message = f'a release is written like "1.13", not {quote(value)}'
            meant = contained_release(value)
            self._report.error("AG0902", place, message, hint=f'write "{meant}"' if meant else None)
        return value

    def series(self) -> tuple[tuple[str, str], ...]:
        """The setting `series`, a table of releases by series; the command line overrides it."""
        found = self._found.get("series")
        table = {} if found is None else found.value
        if found is not None and not _is_table_of_releases(table):
            self._wrong("series", found, "a table of releases", 'series = { kubernetes = "1.34" }')
            return ()
        assert isinstance(table, dict)
        for name, release in self._overrides.series:
            if not _is_table_of_releases({name: release}):
                message = f"the release of a series is written like kubernetes=1.34, not {quote(f'{name}={release}')}"
                self._report.error("AG0902", Place(COMMAND_LINE), message)
        return tuple(sorted({**table, **dict(self._overrides.series)}.items()))

    def crd(self) -> CrdSettings:
        """The setting `crd`, a table."""
        setting = self._found.get("crd")
        if setting is None:
            return CrdSettings()
        if not isinstance(setting.value, dict):
            self._wrong("crd", setting, "a table", 'crd = { service = "my-namespace/my-webhook" }')
            return CrdSettings()
        settings: dict[str, str | int] = {}
        for key, value in setting.value.items():
            if key in CRD_TEXTS:
                pattern, example = CRD_TEXTS[key]
                if not isinstance(value, str) or not re.fullmatch(pattern, value):
                    self._wrong(
                        "crd",
                        setting,
                        f"a table whose `{key}` is written like {quote(example)}",
                        f'{key} = "{example}"',
                    )
                    continue
            elif key in CRD_NUMBERS:
                least, most = CRD_NUMBERS[key]
                if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
                    self._wrong("crd", setting, f"a table whose `{key}` is {least} to {most}", f"{key} = {least}")
                    continue
            else:
                known = ", ".join((*CRD_TEXTS, *CRD_NUMBERS))
                message = f"unknown setting {quote(key)} in `crd`"
                self._report.error("AG0901", setting.place, message, hint=f"known settings: {known}")
                continue
            settings["ca_bundle" if key == "caBundle" else key] = value
        if "url" in settings and settings.keys() & {"service", "path", "port"}:
            message = "`crd` has a `url` and a `service`, but the API server calls only one of them"
            self._report.error("AG0902", setting.place, message, hint="remove one of them")
        return CrdSettings(**settings)  # type: ignore[arg-type]

    def names(self, key: str) -> tuple[str, ...] | None:
        """Return a setting that is a list of names; None if it is omitted."""
        found = self._found.get(key)
        if found is None:
            return None
        value = found.value
        if isinstance(value, list) and value and all(isinstance(name, str) and name for name in value):
            return tuple(dict.fromkeys(str(name) for name in value))
        self._wrong(key, found, "a list of names", f'{key} = ["{value if isinstance(value, str) else "name"}"]')
        return None

    def check_package(self, package: str) -> None:
        """A package is imported by its name, so Python must accept it and not mean another by it."""
        place = self._place("package", "output", overridden=self._overrides.package or self._overrides.output)
        parts = package.split(".")
        wrong = next((part for part in parts if not part.isidentifier() or keyword.iskeyword(part)), None)
        if wrong is not None:
            message = f"{quote(package)} is not the name of a Python package: {quote(wrong)} is not an identifier"
            self._report.error("AG0903", place, message, hint='set its name: package = "name"')
        elif parts[0] in sys.stdlib_module_names or parts[0] == "apigen":
            owner = "apigen" if parts[0] == "apigen" else "the standard library"
            self._report.error("AG0903", place, f"a package {quote(parts[0])} would hide the one of {owner}")

    def check_handwritten(self, folder: Path) -> None:
        """Generated code imports the hand-written modules by the folder's name."""
        if not folder.name.isidentifier() or keyword.iskeyword(folder.name):
            message = f"the folder {quote(folder.name)} cannot be imported: its name is not an identifier"
            self._report.error("AG0903", self._place("handwritten"), message)

    def overlap(self, key: str, other: str) -> None:
        """The output folder belongs to apigen alone."""
        overridden = self._overrides.output or getattr(self._overrides, other, None)
        self._report.error(
            "AG0906",
            self._place(key, other, overridden=overridden),
            f"`{key}` and `{other}` overlap",
            hint="choose a separate output folder, because apigen removes outdated files from it",
        )

    def _place(self, *keys: str, overridden: str | None = None) -> Place:
        places = (found.place for key in keys if (found := self._found.get(key)))
        return Place(COMMAND_LINE) if overridden is not None else next(places, Place(COMMAND_LINE))

    def _unknown(self, key: str, place: Place) -> None:
        from apigen.diagnostics.suggest import did_you_mean

        hint = did_you_mean(key, SETTINGS)
        if key == "tool":
            hint = "in apigen.toml, write settings at the top level, without [tool.apigen]"
        hint = hint or f"known settings: {', '.join(SETTINGS)}"
        self._report.error("AG0901", place, f"unknown setting {quote(key)}", hint=hint)

    def _wrong(self, key: str, found: _Value, expected: str, example: str) -> None:
        message = f"`{key}` is {expected}, not {_describe(found.value)}"
        self._report.error("AG0902", found.place, message, hint=f"write {example}")


def release_problem(text: str) -> str:
    """Return the message for an argument that is not a release, with the release that it contains: `1.2` in `v1.2`."""
    meant = contained_release(text)
    return f"a release is written like 1.13, not {text or 'an empty string'}{f'; write {meant}' if meant else ''}"


def _is_table_of_releases(value: object) -> bool:
    """Return whether every key of a table names a series and every value a release of it."""
    return isinstance(value, dict) and all(
        isinstance(release, str) and re.fullmatch(SERIES, name) and re.fullmatch(RELEASE_PATTERN, release)
        for name, release in value.items()
    )


def _check_apart(config: Config, settings: _Settings) -> None:
    for other in ("specs", "handwritten"):
        folder: Path = getattr(config, other)
        if config.output.is_relative_to(folder) or folder.is_relative_to(config.output):
            settings.overlap("output", other)


_TYPES = {str: "string", bool: "boolean", int: "number", float: "number", list: "list", dict: "table"}


def _describe(value: object) -> str:
    name = _TYPES.get(type(value), "date or time")
    is_empty = not value.strip() if isinstance(value, str) else value == []
    return f"an empty {name}" if is_empty else f"a {name}"
