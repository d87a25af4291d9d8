"""What the configuration of the project said at a revision: where the specs were, and which release was in the making."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

from apigen.compat.sources.git.repository import Repository
from apigen.compat.sources.source import Setting
from apigen.config import Config, Overrides, load_config
from apigen.config.find import OWN_NAME, SHARED_NAME, SHARED_TABLE
from apigen.config.toml_file import TomlFile, table_in
from apigen.dataclass import dataclass
from apigen.diagnostics import Report
from apigen.ir.lifecycle import parse_release
from apigen.ir.model import Release


@dataclass(frozen=True, slots=True)
class PastConfig:
    """`specs` from the root of the repository; None where nothing says."""

    specs: PurePosixPath | None = None
    release: Release | None = None


def past_config(repository: Repository, commit: str, setting: Setting) -> PastConfig:
    """The configuration at a commit; where there was none that can be read, the specs are where they are today."""
    config = _read(repository, commit, setting)
    specs = setting.specs if config is None else config.specs
    release = None if config is None or config.release is None else parse_release(config.release)
    return PastConfig(None if specs is None else _inside(repository, specs), release)


def _read(repository: Repository, commit: str, setting: Setting) -> Config | None:
    folder = _inside(repository, setting.folder)
    if folder is None:
        return None
    for name, table in ((OWN_NAME, ()), (SHARED_NAME, SHARED_TABLE)):
        found = repository.object(commit, folder / name)
        if found is not None:
            text = next(repository.contents([found])).decode("utf-8", "replace")
            config = _config(TomlFile(setting.folder / name, name, text, table), setting.folder)
            if config is not None:
                return config
    return None


def _config(file: TomlFile, folder: Path) -> Config | None:
    import tomllib

    try:
        document = tomllib.loads(file.text)
    except tomllib.TOMLDecodeError:
        return None
    if table_in(document, file.table) is None:
        return None
    return load_config(file, folder, Overrides(), Report())


def _inside(repository: Repository, path: Path) -> PurePosixPath | None:
    """A path from the root of the repository; None for one outside of it."""
    real = Path(os.path.realpath(path))
    return PurePosixPath(real.relative_to(repository.root).as_posix()) if real.is_relative_to(repository.root) else None
