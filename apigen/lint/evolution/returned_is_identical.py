"""What comes back is what it was."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.dataclass import dataclass
from apigen.diagnostics import Diagnostic, Related
from apigen.history.model import History
from apigen.ir.model import EnumValue, Field, Inline, Release
from apigen.ir.types import TypeId
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.evolution.removals import Member, lifecycle_of, members_of
from apigen.lint.rule import finding


@dataclass(frozen=True, slots=True)
class Return:
    """A field or value that says that it came back; `was` is its last state before it went, and in which release."""

    name: str
    member: Member
    returned: Release
    was: tuple[Release, Member] | None
    is_there_still: bool


def returns(evolution: Evolution) -> Iterator[Return]:
    """All that say so, against the recorded releases before they came back."""
    for id_, type_ in evolution.now.types.items():
        for name, member in members_of(type_).items() if id_.group in evolution.groups else ():
            returned = lifecycle_of(member).returned
            if returned is None:
                continue
            past = [release for release in evolution.history.releases if release < returned]
            was = _last(id_, name, past, evolution.history)
            is_there_still = was is not None and was[0] == past[-1]
            yield Return(f"{id_.name}.{name}", member, returned, was, is_there_still)


def _last(id_: TypeId, name: str, releases: list[Release], history: History) -> tuple[Release, Member] | None:
    """The last of the releases that had a member, with what it was there."""
    for release in reversed(releases):
        known = members_of(history.api(release).types.get(id_)).get(name)
        if known is not None:
            return release, known
    return None


class ReturnedIsIdentical(EvolutionRule):
    """A field comes back with its name, number, type and presence: old objects have it as it was. (api_changes.md, "if the
    feature is resurrected")
    """

    code = "AG1323"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        for found in returns(evolution):
            if found.was is None or found.is_there_still:
                continue
            release, was = found.was
            for word, before, now in _differences(was, found.member):
                yield finding(
                    found.member.place,
                    f"`{found.name}` comes back with another {word}: {now} now, and {before} in {release}",
                    f"give it its {word} back; what is not the same has another name, and this one its tombstone",
                    (Related(was.place, f"as {release} shipped it"),),
                )


def _differences(was: Member, now: Member) -> Iterator[tuple[str, str, str]]:
    """In what a member differs from what it was: the word, before, now."""
    if isinstance(was, EnumValue) or isinstance(now, EnumValue):
        return
    for word, before, after in (
        ("number", str(was.number), str(now.number)),
        ("type", str(was.type), str(now.type)),
        ("presence", _presence(was), _presence(now)),
    ):
        if before != after:
            yield word, before, after


def _presence(member: Field | Inline) -> str:
    return "inline" if isinstance(member, Inline) else member.presence.value
