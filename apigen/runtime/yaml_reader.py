"""YAML text to the trees that JSON gives, as Kubernetes' library (`sigs.k8s.io/yaml`) understands YAML.

That is YAML 1.1: `yes` and `on` are true, `010` is 8, `1_000` is 1000; keys become strings; merge keys and aliases are
resolved. As Kubernetes makes JSON of it first, keys come sorted, `1e3` is the integer 1000, and NaN is an error.
"""

from __future__ import annotations

from importlib import import_module

from .errors import DecodeError
from .yaml_composer import Composer
from .yaml_plain import ODD, compose_plainly


def parse_yaml(data: bytes | str, duplicates: list[str] | None = None) -> object:
    """Parse the first document of a YAML text; an empty one is None.

    Keys that occur twice: the last one counts; if `duplicates` is a list, their paths are added (`metadata.labels.a`).
    Raises DecodeError for what is not YAML or not expressible in JSON, for aliases that multiply ("bombs"), and for
    nesting deeper than 1,000 levels; ImportError if PyYAML is not installed.
    """
    try:
        yaml = import_module(
            "yaml"
        )  # not by name, as type checkers would then ask for it everywhere
    except ImportError:
        raise ImportError("reading YAML needs PyYAML (pip install PyYAML)") from None
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    composer = Composer(duplicates)
    try:
        tree = compose_plainly(loader(data))
        if tree is not ODD:
            return tree
        for event in yaml.parse(data, Loader=loader):
            if isinstance(event, yaml.DocumentEndEvent):
                break
            composer.take(event)
    except yaml.MarkedYAMLError as error:
        place = f" at line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise DecodeError(
            "", f"invalid YAML{place}: {error.problem or error.context}"
        ) from None
    except (yaml.YAMLError, UnicodeError) as error:
        raise DecodeError("", f"invalid YAML: {error}".partition("\n")[0]) from None
    return composer.root
