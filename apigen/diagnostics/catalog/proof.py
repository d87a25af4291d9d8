"""AG07xx: what is proven, declared and lost."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "AG0701",
        "a loss that nothing declares",
        """
The hub has a place for which this version has no home, so that it would be lost on the way through this version.
Give it one (a field of that name, or `hub:` on a field), or declare in the type's `hubOnly:` what becomes of it:
`annotation` carries it, `constant` makes it up, `drop` says why it may be lost.
""",
        """
hubOnly: {owner: {annotation: example.com/owner}}
""",
    ),
)
