"""What is mutated, and by which tests each mutant must be noticed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """Modules and their tests; `{package}` is replaced by the generated package. `only` is the argument of pytest's
    `-k`.
    """

    name: str
    sources: tuple[str, ...]
    tests: tuple[str, ...]
    only: str = ""

    def modules(self, package: str) -> tuple[str, ...]:
        """The names of the modules, for a generated package."""
        return tuple(source.format(package=package) for source in self.sources)


TARGETS = (
    Target(
        "generated strategies of Frobber",
        ("{package}.things_example_com.hub.strategies",),
        (
            "{package}/tests/test_things_example_com_frobber_gates.py",
            "{package}/tests/test_things_example_com_frobber_strategy.py",
        ),
    ),
    Target(
        "generated validation of Frobber",
        ("{package}.things_example_com.hub.validation",),
        ("{package}/tests/test_things_example_com_frobber_gates.py", "tests/things/test_ratcheting.py"),
    ),
    Target(
        "strategies, at run time",
        ("apigen.runtime.strategy",),
        ("tests/runtime/test_strategy.py",),
    ),
    Target(
        "ratcheting, at run time",
        ("apigen.runtime.validation", "apigen.runtime.pairing", "apigen.runtime.singulars"),
        (
            "tests/runtime/test_validation_errors.py",
            "tests/runtime/test_ratcheting.py",
            "tests/runtime/test_pairing.py",
            "tests/runtime/test_singulars.py",
        ),
    ),
    Target(
        "numbering and locks",
        ("apigen.ir.numbers", "apigen.ir.locks"),
        (
            "tests/ir/test_numbering.py",
            "tests/ir/test_reserved_numbers.py",
            "tests/ir/test_lock_plans.py",
            "tests/ir/test_ledger.py",
        ),
        only="not test_numbers_and_names_never_return",  # a minute of random histories: too slow, and never the same
    ),
)
