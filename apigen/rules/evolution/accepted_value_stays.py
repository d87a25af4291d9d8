"""A value that every object could have stays accepted, until it was deprecated in a version that may lose something."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apigen.diagnostics import Related
from apigen.ir.model import EnumValue
from apigen.rules.evolution.enum_steps import EnumStep, enum_steps, in_the_making, is_accepted, newest, value_named
from apigen.rules.evolution.evolution import Evolution, EvolutionRule
from apigen.rules.rule import Finding

_PRE_RELEASE = re.compile(r"v[0-9]+(?:alpha|beta)[0-9]+")


class AcceptedValueStays(EvolutionRule):
    """Calls that succeeded go on to succeed. (Kubernetes API changes, "On compatibility"; a value may go only after it
    was deprecated, and in a stable version not at all)
    """

    code = "AG1335"

    def check(self, evolution: Evolution) -> Iterator[Finding]:
        for step in enum_steps(evolution):
            if step.now.open or evolution.before is None:
                continue
            for value in step.before.values:
                if is_accepted(value, evolution.before, newest(evolution)):
                    yield from self._judge(step, value, evolution)

    def _judge(self, step: EnumStep, was: EnumValue, evolution: Evolution) -> Iterator[Finding]:
        release, before = in_the_making(evolution), newest(evolution)
        name, related = step.now.id.name, (Related(was.place, f"accepted in {before}"),)
        now = value_named(step.now, was.value)
        if now is not None:
            if (was.gate is None) and now.is_rolled_out and not is_accepted(now, evolution.now, release):
                word = "featureGate" if now.gate is not None else "tolerated"
                message = f"`{name}` accepted `{was.value}` in {before}, and objects that have it are refused now"
                yield Finding(now.place, message, f"take its `{word}:` away", related)
            return
        keep = f'`{was.value}: {{deprecated: "{release}"}}`'
        stable = not _PRE_RELEASE.fullmatch(step.now.id.version)
        deprecated = was.lifecycle.deprecated
        if deprecated is not None and deprecated <= before and not stable:
            return
        why = "a stable version never loses a value" if stable else "it was not deprecated before"
        if stable and deprecated is not None:
            keep = f"`{was.value}` with its `deprecated:`"
        yield Finding(
            step.now.place,
            f"`{name}` does not accept `{was.value}` any more, which every object could have in {before}: {why}",
            f"keep {keep}; it goes on to be accepted",
            related,
        )
