"""Handle abnormal ends of a run: Ctrl-C, a signal to stop, a closed pipe, a bug."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper

from apigen.cli.exits import Exit

DEBUG = "APIGEN_DEBUG"

BUG = """\
apigen: this is a bug in apigen, not in your input: {error}
Please report it as described in CONTRIBUTING.md, with the command and, if possible, the specs.
{more}"""
HOW = "Set APIGEN_DEBUG=1 in the environment to print the traceback for the report.\n"


def guarded(run: Callable[[], int]) -> int:
    """Run a command to its end; whatever happens becomes an exit code and, if it needs words, a short message."""
    _open_streams()
    _accept_any_text()
    try:
        with _stopped_in_order():
            code = run()
            sys.stdout.flush()
    except BrokenPipeError:
        return _reader_closed()
    except KeyboardInterrupt:
        _tell("apigen: interrupted\n")
        return Exit.INTERRUPTED
    except OSError as error:
        return _denied_by_system(error)
    except Exception as error:
        if is_interrupt(error):
            _tell("apigen: interrupted\n")
            return Exit.INTERRUPTED
        return _bug(error)
    return code


@contextmanager
def _stopped_in_order() -> Iterator[None]:
    """Make a terminated run (SIGTERM) clean up unfinished files like an interrupted one."""

    def stop(number: int, _: object) -> None:
        raise SystemExit(Exit.TERMINATED)

    if signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:  # the caller has its own handler
        yield
        return
    try:
        signal.signal(signal.SIGTERM, stop)
    except ValueError:  # in a thread, which gets no signals
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _open_streams() -> None:
    """Open the null device for a closed stdout or stderr (`apigen diff >&-`), so that no other file gets its
    descriptor.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8"))


def _accept_any_text() -> None:
    """Print characters outside of the terminal's encoding as escapes, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _reader_closed() -> int:
    """The reader closed the pipe (`apigen proof | head`). Python must not report an error when it flushes at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return Exit.BROKEN_PIPE


def is_interrupt(error: BaseException) -> bool:
    """Return whether Ctrl-C caused an error: Python 3.11 raises a RuntimeError if it occurs in `__set_name__`."""
    while error.__cause__ is not None:
        error = error.__cause__
    return isinstance(error, KeyboardInterrupt)


def _denied_by_system(error: OSError) -> int:
    if os.environ.get(DEBUG):
        return _bug(error)
    name = error.filename.decode(errors="replace") if isinstance(error.filename, bytes) else error.filename
    where = f"{name}: " if name is not None else ""
    _tell(f"apigen: {where}{error.strerror or error}{_suggestion(error, name)}\n")
    return Exit.UNREADABLE


def _suggestion(error: OSError, name: object) -> str:
    """A file next to the one that does not exist, which may be meant."""
    from apigen.diagnostics.suggest import nearest_file

    found = nearest_file(name) if isinstance(error, FileNotFoundError) and isinstance(name, str) else None
    return f"; did you mean `{found}`?" if found else ""


def _bug(error: Exception) -> int:
    debug = bool(os.environ.get(DEBUG))
    if debug:
        import traceback

        _tell("".join(traceback.format_exception(error)))
    first = next(iter(str(error).splitlines()), "")
    description = f"{type(error).__name__}: {first[:200]}" if first else type(error).__name__
    _tell(BUG.format(error=description, more="" if debug else HOW))
    return Exit.BUG


def _tell(text: str) -> None:
    with suppress(OSError, ValueError):
        sys.stderr.write(text)
        sys.stderr.flush()
