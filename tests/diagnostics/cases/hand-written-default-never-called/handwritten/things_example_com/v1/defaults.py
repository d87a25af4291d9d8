"""A default that is called."""

from generated.runtime.features import Features
from generated.things_example_com.v1.types import Part


def default_part(obj: Part, features: Features) -> None:
    """Called."""
    obj.size = 1
