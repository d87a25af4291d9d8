"""Build a project: from its configuration to the files of its output, which are then published or compared."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from apigen.build.build_cache import BuildCache
from apigen.build.built import Built, Lock
from apigen.codegen.formatting import FormattingError, format_files, formatter_of
from apigen.codegen.output import OutputFile
from apigen.dataclass import replace
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.diagnostics.suggest import did_you_mean
from apigen.ir.locks import plan_locks
from apigen.ir.model import Api
from apigen.language.configuration import Config
from apigen.language.model import ApiSpec

if TYPE_CHECKING:
    from apigen.codegen.pipeline import Checked, Sources


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
    if checked.backend_input is not None and config.backends is not None:
        from apigen.codegen.registry import BACKENDS, check_backends

        known = [name for name in config.backends if name in BACKENDS]
        check_backends(checked.backend_input, known, report)
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
    if checked.backend_input is None:
        return None
    files = tuple(generate(checked.backend_input, lambda name: progress(f"generating {name}"), config.backends))
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

    if report.has_errors or checked.api is None or checked.backend_input is None:
        return None
    progress("numbering")
    locks: tuple[Lock, ...] = tuple(locks_of(checked.api, checked.spec, config.specs, Path.cwd()))
    files = []
    for file in generate(checked.backend_input, lambda name: progress(f"generating {name}"), config.backends):
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
