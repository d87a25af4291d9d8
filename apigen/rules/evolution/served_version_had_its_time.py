"""What was served goes when its time has come."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Place, Related
from apigen.ir.model import Lifecycle, Release, Struct, Version
from apigen.ir.stability import WINDOW, Stability, is_before, releases_later, stability
from apigen.rules.evolution.evolution import Evolution, EvolutionRule
from apigen.rules.evolution.version_steps import GroupStep, group_steps
from apigen.rules.rule import finding


class ServedVersionHadItsTime(EvolutionRule):
    """Alpha goes at any time, beta when it was deprecated for three releases, GA never within a major version. (Rule 4a)"""

    code = "AG1344"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        for step in group_steps(evolution):
            for was in step.before.versions:
                if was.served and stability(was.name) is not Stability.ALPHA:
                    yield from self._of_version(was, step, evolution)

    def _of_version(self, was: Version, step: GroupStep, evolution: Evolution) -> Iterator[Diagnostic]:
        now = step.now.version(was.name)
        there = step.roots(now, step.api_now) if now is not None and now.served else {}
        gone = [s for name, s in step.roots(was, step.api_before).items() if name not in there]
        reasons = [(s, reason) for s in gone if (reason := _too_early(s.lifecycle, was.name, evolution)) is not None]
        if not reasons:
            return
        struct, reason = reasons[0]
        is_whole = now is None or not now.served
        what = f"version {was.name}" if is_whole else f"`{struct.id.name}` of {was.name}"
        how = "is no longer served" if now is not None and not now.served else "is gone"
        related = (Related(was.place if is_whole else struct.place, f"{evolution.history.newest} served it"),)
        yield finding(
            _place(was.name, now, step, struct), f"{what} {how}: {reason}", _mend(struct, was, evolution), related
        )


def _too_early(life: Lifecycle, version: str, evolution: Evolution) -> str | None:
    newest, release = evolution.history.newest, evolution.release
    if newest is None or (release is not None and release.major > newest.major):
        return None
    if stability(version) is Stability.STABLE:
        return f"a stable version is served as long as {newest.major}.x"
    if life.deprecated is None or life.deprecated > newest:
        return "beta goes only after it was deprecated, and no release said so"
    end = max(releases_later(life.deprecated), life.removed or life.deprecated)
    if release is not None and (is_before(release, life.deprecated, WINDOW) or release < end):
        return f"it was deprecated in {life.deprecated}, and is served until {end}"
    return None


def _place(name: str, now: Version | None, step: GroupStep, struct: Struct) -> Place:
    if now is not None:
        return now.place
    return next((gone.place for gone in step.now.gone_versions if gone.name == name), step.now.place)


def _mend(struct: Struct, was: Version, evolution: Evolution) -> str:
    life = struct.lifecycle
    back = "serve it again"
    if stability(was.name) is Stability.STABLE:
        return f"{back}; `deprecated:` and `replacement:` may say what to use instead"
    release: Release | None = life.deprecated or evolution.release
    if release is None:
        return f"{back}, and say `deprecated:`"
    end = max(releases_later(release), life.removed or release)
    return f'{back}, with `deprecated: "{release}", removed: "{end}"`'
