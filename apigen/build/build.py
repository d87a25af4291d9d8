"""Build a project: from its configuration to the files of its output, which are then published or compared.

The cache of earlier runs of a project has a summary of the output for a run without changes, and formatted code. The key of a summary
covers the content of all files that a run reads, the key of formatted code is the generated code; the cache adds the code of apigen.
Entries never become outdated, and the folder may be deleted at any time.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from apigen.build.built import Built, Lock, Summary
from apigen.build.publisher.locking import work_folders
from apigen.build.publisher.output_folder import MANIFEST_NAME, Manifest, Survey, digest
from apigen.codegen.formatting import FormattingError, format_files, formatter_of
from apigen.codegen.output import OutputFile
from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.diagnostics.suggest import did_you_mean
from apigen.files.cache import Cache, cache_key
from apigen.files.folder_contents import UnusualFileError, contents
from apigen.files.packing import DamagedError, pack, unpack
from apigen.ir.locks import plan_locks
from apigen.ir.model import Api
from apigen.language.configuration import Config
from apigen.language.model import ApiSpec

if TYPE_CHECKING:
    from apigen.codegen.pipeline import Checked, Sources


CACHE_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Inputs:
    """The files that a run reads, by digest, and a key for the settings that it depends on."""

    settings: str
    files: Mapping[str, bytes]

    @classmethod
    def of(cls, config: Config) -> Inputs:
        """Read all inputs of a project. Raises UnusualFileError."""
        values = (
            config.groups,
            config.kinds,
            config.backends,
            config.package,
            config.release,
            config.series,
            pack(config.crd),  # `repr` imports the standard library's `dataclasses`, which takes 15 ms
        )
        places = (str(Path.cwd()), str(config.specs), str(config.handwritten))
        settings = cache_key(sys.version, *places, repr(values), str(formatter_of(config.formatter)))
        return cls(settings, dict(chain(_digests(config.specs), _digests(config.handwritten))))

    def with_locks(self, locks: Iterable[Lock]) -> Inputs:
        """Return the inputs of the next run, which reads the locks that this one writes."""
        return replace(self, files={**self.files, **{lock.path: _digest(lock.text.encode()) for lock in locks}})

    @property
    def key(self) -> str:
        """The key for all inputs."""
        return cache_key(self.settings, *(part for pair in sorted(self.files.items()) for part in pair))


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=20).digest()


def _digests(folder: Path) -> Iterator[tuple[str, bytes]]:
    return ((str(folder / name), _digest(content)) for name, content in contents(folder))


class BuildCache:
    """The cache of a project. If there is an unusual file among the inputs, no summary is read or kept."""

    def __init__(self, folder: Path, config: Config, warn: Callable[[str], None] = lambda _: None) -> None:
        self._cache = Cache(folder, warn)
        self._config = config
        self._inputs = _inputs(config)

    def summary(self) -> Summary | None:
        """Return the summary of the output for the same inputs, without the contents; None if it is not cached."""
        if self._inputs is None:
            return None
        found = self._found(_of_summary(self._inputs))
        return found if isinstance(found, Summary) else None

    def formatted(self) -> Mapping[str, bytes]:
        """Return the formatted code of the last run, by the digest of the generated code (`OutputFile.digest`)."""
        found = self._found(self._formatted)
        return found if isinstance(found, dict) else {}

    def store(self, built: Built, formatted: Mapping[str, bytes]) -> None:
        """Store formatted code, and a summary unless a file has changed since it was read."""
        self._cache.put(self._formatted, pack(dict(formatted)))
        now = _inputs(self._config)
        if now is not None and now == self._inputs:
            digests = {file.path: digest(file.content) for file in built.files}
            summary = Summary(digests, built.locks, built.warnings)
            self._cache.put(_of_summary(now.with_locks(built.locks)), pack(summary))
        self._cache.trim(CACHE_BYTES)

    def _found(self, key: str) -> object:
        """Return the value under a key; None if it is missing or damaged."""
        try:
            return unpack(self._cache.get(key) or b"")
        except DamagedError:
            return None

    @property
    def _formatted(self) -> str:
        places = (str(Path.cwd()), str(self._config.specs), str(self._config.output))
        return cache_key("formatted", *places, str(formatter_of(self._config.formatter)))


def _inputs(config: Config) -> Inputs | None:
    try:
        return Inputs.of(config)
    except UnusualFileError:
        return None


def _of_summary(inputs: Inputs) -> str:
    return cache_key("summary", inputs.key)


def unchanged(config: Config, cache: BuildCache) -> Summary | None:
    """Return the summary of the last run, if all files are unchanged since; None if one differs, or that is unknown.

    No file is written, and no content is kept: after a difference, the caller compares again, with the contents.
    """
    known = cache.summary()
    root = config.output.resolve()
    if known is None or any(folder.exists() for folder in work_folders(root)):
        return None  # another run is active, or a killed one must be completed
    survey = Survey(root)
    try:
        if survey.look(MANIFEST_NAME) != Manifest(known.digests, str(formatter_of(config.formatter))).to_bytes():
            return None
        for path, expected in known.digests.items():
            content = survey.look(path)
            if not isinstance(content, bytes) or digest(content) != expected:
                return None
        same = all(lock.present == lock.text.encode() for lock in known.locks)
    except OSError:
        return None
    return known if same else None


Progress = Callable[[str], None]


def check_project(
    config: Config,
    report: Report,
    *,
    check_unselected: bool = False,
    is_shipped: bool = False,
    progress: Progress = lambda _: None,
) -> Checked | None:
    """Read and check the specs of a project and its hand-written functions; None (AG0908) if there is no project.

    Unselected types are checked up to hubs and conversions only if `check_unselected` is set. With `is_shipped`, the
    release is being recorded, which reports invalid releases itself. The review reports incompatible changes.
    """
    from apigen.codegen.pipeline import check

    sources = _sources(config, report)
    if sources is None:
        return None
    checked = check(sources, report, check_unselected=check_unselected, is_shipped=is_shipped, progress=progress)
    if checked.compilation is not None and config.backends is not None:
        from apigen.codegen.registry import BACKENDS, check_backends

        known = [name for name in config.backends if name in BACKENDS]
        check_backends(checked.compilation, known, report)
    return checked


def _sources(config: Config, report: Report) -> Sources | None:
    from apigen.codegen.pipeline import Sources
    from apigen.language.releases import parse_release

    chooses = config.groups is not None or config.kinds is not None
    exists = config.specs.exists() or config.specs.is_symlink()  # a broken link has an error of its own
    specs = config.specs if config.names_specs or exists else None
    if config.file is None and specs is None:
        message = "no project found: neither a configuration nor a folder api-specs"
        report.error("AG0908", Place("."), message, hint="run `apigen init` in an empty folder to create one")
        return None
    return Sources(
        specs if chooses else config.specs,
        config.handwritten,
        Path.cwd(),
        config.groups,
        kinds=config.kinds,
        place=config.place,
        release=None if config.release is None else parse_release(config.release),
        series={name: parse_release(each) for name, each in config.series},
        crd=config.crd,
    )


def build_recorded(config: Config, release: str, report: Report, progress: Progress) -> Built | None:
    """Return the output of a recorded release, with copies of the hand-written functions of that release; None, with
    diagnostics, if it cannot be built.
    """
    from apigen.codegen.pipeline import check_recorded, generate
    from apigen.language.releases import parse_release

    check_names(config, report)
    progress("reading the records")
    sources = _sources(config, report)
    if sources is None or report.has_errors:
        return None
    checked = check_recorded(replace(sources, copied_from=config.package), parse_release(release), report)
    if checked.compilation is None:
        return None
    files = tuple(generate(checked.compilation, lambda name: progress(f"generating {name}"), config.backends))
    return _formatted(config, files, (), report, progress)


def check_names(config: Config, report: Report) -> None:
    """Report the backends that the configuration of a project names and apigen does not have (AG0907)."""
    from apigen.codegen.registry import BACKENDS, DEFAULT

    known = (DEFAULT, *BACKENDS)
    for name in config.backends or ():
        if name not in known:
            hint = did_you_mean(name, known) or f"known backends: {', '.join(sorted(known))}"
            report.error("AG0907", config.place("backends"), f"{quote(name)} in `backends` does not exist", hint=hint)


def build_project(
    config: Config,
    checked: Checked,
    report: Report,
    progress: Progress,
    cache: BuildCache | None,
    on_file: Progress,
) -> Built | None:
    """Return the output of the checked specs of a project; None, with diagnostics, if `report` has errors.

    `cache` may contain formatted code of the last run. `on_file` is called with the path of each generated file.
    """
    from apigen.codegen.pipeline import generate  # a run that changes nothing does not load the compiler

    if report.has_errors or checked.api is None or checked.compilation is None:
        return None
    progress("numbering")
    locks: tuple[Lock, ...] = tuple(locks_of(checked.api, checked.spec, config.specs, Path.cwd()))
    files = []
    for file in generate(checked.compilation, lambda name: progress(f"generating {name}"), config.backends):
        on_file(file.path)
        files.append(file)
    return _formatted(config, files, locks, report, progress, cache)


def _formatted(
    config: Config,
    files: Sequence[OutputFile],
    locks: tuple[Lock, ...],
    report: Report,
    progress: Progress,
    cache: BuildCache | None = None,
) -> Built | None:
    """Return the formatted output; None, with a diagnostic (AG0914), if the formatter fails."""
    progress("formatting")
    formatter = formatter_of(config.formatter)
    try:
        done = format_files(files, formatter, None if cache is None else cache.formatted())
    except FormattingError as error:
        report.error("AG0914", config.place("formatter"), str(error), hint='write formatter = "none"')
        return None
    built = Built(done.files, locks, report.diagnostics, str(formatter))
    if cache is not None:
        progress("writing the cache")
        cache.store(built, done.by_digest)
    return built


def locks_of(api: Api, spec: ApiSpec, specs: Path, display_root: Path) -> Iterator[Lock]:
    """Yield the locks of the groups below the folder `specs`, without those of built-in groups."""
    for lock in plan_locks(api, spec):
        path = Path(os.path.abspath(display_root / lock.file))
        if path.is_relative_to(specs):
            yield Lock(str(path), lock.file, lock.text)
