"""Only what was gone comes back."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.evolution.returned_is_identical import returns
from apigen.lint.rule import finding


class ReturnedWasGone(EvolutionRule):
    """`returned:` says what recorded releases confirm: it was there, it went, and this is the release that brings it back."""

    code = "AG1324"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        newest = evolution.history.newest
        if newest is None:
            return
        for found in returns(evolution):
            problem = None
            if found.was is None:
                problem = "no release before that had it", "take `returned:` away"
            elif found.is_there_still:
                problem = f"{found.was[0]} still had it", "take `returned:` away"
            elif found.returned > newest and evolution.release is not None and found.returned != evolution.release:
                edit = f'`returned: "{evolution.release}"`'
                problem = f"the release in the making is {evolution.release}", f"say {edit}"
            if problem is not None:
                message = f"`{found.name}` says that it came back in {found.returned}, but {problem[0]}"
                yield finding(found.member.place, message, problem[1])
