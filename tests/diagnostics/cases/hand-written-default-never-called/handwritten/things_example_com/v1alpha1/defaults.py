"""A default that nobody calls."""

from generated.runtime.features import Features
from generated.things_example_com.v1alpha1.types import Part


def default_part(obj: Part, features: Features) -> None:
    """Never called."""
    obj.size = 1
