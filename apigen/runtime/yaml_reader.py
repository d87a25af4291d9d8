"""Convert YAML text to trees of JSON, as Kubernetes' library (`sigs.k8s.io/yaml`) does.

That is YAML 1.1: `yes` and `on` are true, `010` is 8, `1_000` is 1000; keys become strings; merge keys and aliases are
resolved. Because Kubernetes first converts it to JSON, keys are sorted, `1e3` is the integer 1000, and NaN is an error.
"""

from __future__ import annotations

from importlib import import_module

from .errors import DecodeError, several_documents
from .yaml_composer import Composer, too_deep
from .yaml_plain import ODD, compose_plainly

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


def parse_yaml(data: bytes | str, duplicates: list[str] | None = None) -> object:
    """Parse a YAML text of one document; an empty one is `None`.

    Documents that are empty, `null` or comments only are skipped, as kubectl does; a second document with a value is an
    error.

    Keys that occur twice: the last one counts; if `duplicates` is a list, their paths are added (`metadata.labels.a`).
    Raises DecodeError for invalid YAML or values that JSON cannot express, for aliases that multiply ("bombs"), and for
    nesting deeper than 500 levels; ImportError if PyYAML is not installed.
    """
    documents = parse_yaml_documents(data, duplicates is not None)
    first = next(documents, None)
    if first is None:
        return None
    second = next(documents, None)
    if second is not None:
        raise several_documents(second[0])
    _, tree, found = first
    if duplicates is not None and found is not None:
        duplicates += found
    return tree


def parse_yaml_documents(
    data: bytes | str, with_duplicates: bool = False
) -> Iterator[tuple[int, object, list[str] | None]]:
    """Parse the documents of a YAML stream one by one: the line of each value, its tree, and its repeated keys.

    Documents without a value are skipped. `with_duplicates` also collects the repeated keys. Raises as `parse_yaml`,
    when the document with the error is reached.
    """
    try:
        yaml = import_module(
            "yaml"
        )  # not by name, as type checkers would then ask for it everywhere
    except ImportError:
        raise ImportError("reading YAML needs PyYAML (pip install PyYAML)") from None
    try:
        for line, tree, duplicates in _composed(yaml, data, with_duplicates):
            if tree is not None:
                yield line, tree, duplicates
    except yaml.MarkedYAMLError as error:
        # libyaml 0.2.6 counts levels itself, as it scans ahead, before any event of them
        if error.problem == "exceeded maximum nesting depth" and error.problem_mark:
            raise too_deep(error.problem_mark.line + 1) from None
        place = f" at line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise DecodeError(
            "", f"invalid YAML{place}: {error.problem or error.context}"
        ) from None
    except (yaml.YAMLError, UnicodeError) as error:
        raise DecodeError("", f"invalid YAML: {error}".partition("\n")[0]) from None


def _composed(
    yaml: Any, data: bytes | str, with_duplicates: bool
) -> Iterator[tuple[int, object, list[str] | None]]:
    """All documents, empty ones included. From the first that is odd on, each is composed with care."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    source = loader(data)
    source.get_event()  # the start of the stream
    plainly, count = True, 0
    while not source.check_event(yaml.StreamEndEvent):
        source.get_event()  # the start of the document
        line = source.peek_event().start_mark.line + 1
        duplicates: list[str] | None = [] if with_duplicates else None
        tree = compose_plainly(source) if plainly else ODD
        if tree is ODD:
            if plainly:  # some events of this document are used up: read them again
                plainly = False
                source = loader(data)
                for _ in range(count):
                    while not isinstance(source.get_event(), yaml.DocumentEndEvent):
                        pass
            composer = Composer(duplicates)
            while not isinstance(event := source.get_event(), yaml.DocumentEndEvent):
                composer.take(event)
            tree = composer.root
        count += 1
        yield line, tree, duplicates
