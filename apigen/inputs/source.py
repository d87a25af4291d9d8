"""The interface of sources, which load surfaces."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar

from apigen.dataclass import dataclass
from apigen.diagnostics import Report
from apigen.ir.surface import Surface
from apigen.language.releases import Release


@dataclass(frozen=True, slots=True)
class Setting:
    """The project of a run: its folder, its spec folder and its hand-written functions, or `None` without a project.

    `release` is the next release, if it is configured; `cache` is the folder of the cache, None without a cache.
    """

    folder: Path
    specs: Path | None = None
    hand_written: Path | None = None
    release: Release | None = None
    cache: Path | None = None


@dataclass(frozen=True, slots=True)
class Rejection:
    """The kind of an input that cannot be compared in this form ("one file of …"), and how to specify it instead."""

    is_: str
    hint: str


class Source:
    """One form of input. A class each, stateless, in the registry.

    `form` is its name; `form:` before an input selects this form. `title` describes its inputs. `around` are the endings of
    files elsewhere in a repository that an input may refer to.
    """

    form: ClassVar[str]
    title: ClassVar[str]
    around: ClassVar[tuple[str, ...]] = ()

    def recognises(self, argument: str, setting: Setting) -> bool:
        """Return whether an input has this form. The first source in the registry that returns true reads it."""
        raise NotImplementedError

    def load(self, argument: str, setting: Setting, report: Report) -> Surface | None:
        """Read the input. Returns `None`, with errors in `report`, if that fails; unsupported parts are in `unread`."""
        raise NotImplementedError

    def content(self, argument: str, setting: Setting) -> tuple[str | bytes, ...] | None:
        """Return all inputs of the surface apart from apigen itself, or `None` if they are unknown before reading."""
        return None

    def hint(self, argument: str, setting: Setting) -> str | None:
        """Return a hint for an input that no source recognizes; None without one."""
        return None

    def trouble(self, argument: str, setting: Setting) -> str | None:
        """Return the error that prevents the source from recognizing its inputs; None without one."""
        return None

    def rejection(self, argument: str, setting: Setting) -> Rejection | None:
        """Return why a file or folder that resembles this form is not valid, or `None` if it does not resemble it."""
        return None


MOST_FOLDERS = 10_000
"""Maximum number of folders that are searched for the files of an input."""


def names_below(folder: Path, skips: Callable[[str], bool] = lambda _: False) -> Iterator[tuple[str, str]]:
    """Yield the files below a folder in order, each as the path of its folder and its name, as far as they can be read.

    Folders whose names `skips` accepts are skipped; links to folders are not followed.
    """
    for count, (at, folders, names) in enumerate(os.walk(folder)):
        folders[:] = sorted(name for name in folders if not skips(name))
        yield from ((at, name) for name in sorted(names))
        if count >= MOST_FOLDERS:
            return
