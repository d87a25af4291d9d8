"""What a source is: something that surfaces are loaded from."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.files.regular_files import read_regular
from apigen.ir.model import Release
from apigen.review.surface import Surface

if TYPE_CHECKING:
    from apigen.language.model import ApiSpec


@dataclass(frozen=True, slots=True)
class Setting:
    """Where a run stands: the project's folder, its spec folder and its hand-written functions, or None without a project.

    `release` is the next release, where the configuration says which; `cache` is where surfaces are kept, None:
    nowhere.
    """

    folder: Path
    specs: Path | None = None
    hand_written: Path | None = None
    release: Release | None = None
    cache: Path | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """What an input is, that cannot be compared as it was said ("one file of …"), and what to say instead."""

    is_: str
    hint: str


class Source:
    """One form of input. A class each, stateless, in the registry.

    `form` is its name; `form:` before an input says that it is of this form. `title` is what it reads, for people.
    `is_of_paths`: inputs are files or folders.
    """

    form: ClassVar[str]
    title: ClassVar[str]
    is_of_paths: ClassVar[bool] = True

    def recognises(self, said: str, setting: Setting) -> bool:
        """Whether an input looks like this one. The first of the registry that says so gets it."""
        raise NotImplementedError

    def load(self, said: str, setting: Setting, report: Report) -> Surface | None:
        """Read it. None, with errors in `report`, where it cannot be read; what cannot be judged is in `unread`."""
        raise NotImplementedError

    def written(self, said: str, setting: Setting) -> ApiSpec | None:
        """The specs that an input is, as they are written; None where it is something else, or cannot be read."""
        return None

    def content(self, said: str, setting: Setting) -> tuple[str | bytes, ...] | None:
        """Everything that the surface of an input is made of, but for apigen itself; None: nobody can tell before."""
        return None

    def hint(self, said: str, setting: Setting) -> str | None:
        """What to do about an input that nothing recognises; None where this source knows nothing."""
        return None

    def trouble(self, said: str, setting: Setting) -> str | None:
        """What keeps it from telling whether an input is its own; None where nothing does."""
        return None

    def refusal(self, said: str, setting: Setting) -> Refusal | None:
        """Why a file or folder that nothing recognises comes near to this form, and is none; None where it does not."""
        return None


_LFS = b"version https://git-lfs.github.com/spec/"


def report_no_form(said: str, setting: Setting, forms: Iterable[Source], place: Place, report: Report) -> None:
    """AG1400 for a file or folder that none of these forms takes for its own."""
    if _is_of_lfs(setting.folder / said):
        message = f"{quote(said)} is a pointer of Git LFS, and not the file that it stands for"
        report.error("AG1400", place, message, hint="bring the file: git lfs pull")
        return
    forms = tuple(forms)
    refused = next((each for each in (form.refusal(said, setting) for form in forms) if each is not None), None)
    if refused is not None:
        report.error("AG1400", place, f"{quote(said)} is {refused.is_}", hint=refused.hint)
        return
    titles = " and no ".join(form.title.partition(" ")[2] for form in forms)
    hint = "say what it is meant to be: " + " or ".join(f"{form.form}:{said}" for form in forms)
    report.error("AG1400", place, f"{quote(said)} is nothing that can be compared: no {titles}", hint=hint)


def _is_of_lfs(path: Path) -> bool:
    """Whether a file holds nothing but where Git LFS keeps it."""
    try:
        return read_regular(path, len(_LFS)) == _LFS
    except OSError:
        return False
