"""Makes files of a group's output that may be known from an earlier run: see `apigen.compilation.Known`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apigen.compilation import Compilation, Worded, no_words
from apigen.emit.formatting import format_source
from apigen.emit.output import OutputFile
from apigen.python.modules import Module


def text_file_of(
    compilation: Compilation,
    path: str,
    package: str,
    text: Callable[[], str],
    *besides: object,
    words: Worded = no_words,
) -> Iterator[OutputFile]:
    """The file of a group, of the text that `text` makes; none where that is empty. `words`: those that it repeats."""
    content = compilation.known.text(path, package, text, besides, words)
    if content:
        yield OutputFile(path, content)


def python_file(
    compilation: Compilation,
    module: Module,
    text: Callable[[], str],
    *besides: object,
    package: str | None = None,
    words: Worded = no_words,
) -> Iterator[OutputFile]:
    """The same of a module, which is laid out where people read it. `package` is said where the module does not stand in that of its group."""

    def laid_out() -> str:
        source = text()
        return format_source(source) if source and compilation.is_read else source

    return text_file_of(compilation, module.path, package or module.parts[0], laid_out, *besides, words=words)


def laid_out_file(compilation: Compilation, path: str, source: str) -> Iterator[OutputFile]:
    """A module that is not a group's: what takes time is to lay it out."""
    return text_file_of(compilation, path, "", lambda: format_source(source) if compilation.is_read else source, source)
