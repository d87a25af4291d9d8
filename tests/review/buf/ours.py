"""What we say of a case, in terms of buf: by its rules, its files and lines."""

from __future__ import annotations

from apigen.review.finding import Finding
from apigen.review.results import Severity
from tests.review.buf.cases import Case, Told, categories, is_unstable, reviewed, selected
from tests.review.buf.mapping import preset_of, says

MOVED = "moved-to-another-file"


def ours(case: Case) -> dict[Told, list[Finding]]:
    """Our findings under each rule of buf that the case selects and that they are mapped to."""
    found: dict[Told, list[Finding]] = {}
    for rule in selected(case):
        for finding in told(case, rule):
            if says(rule, finding):
                found.setdefault(Told(rule, *place(case, finding)), []).append(finding)
    return found


def told(case: Case, rule: str) -> list[Finding]:
    """What we say aloud with the preset of a rule of buf, less what the configuration omits."""
    found = reviewed(case, preset_of(categories().get(rule, ()))).findings
    return [each for each in found if each.severity is not Severity.SILENT and not _ignored(case, each)]


def place(case: Case, finding: Finding) -> tuple[str, int]:
    """The file and line of the new side; no file where it is gone. What moved is missed where it was, as buf has it."""
    if finding.rule.endswith(MOVED):
        old = finding.old_place.file.removeprefix("old/")
        return (old, 0) if (case.folder / "new" / old).exists() else ("", 0)
    file = finding.new_place.file.removeprefix("new/")
    return ("", 0) if file == "new" else (file, finding.new_place.line)


def _ignored(case: Case, finding: Finding) -> bool:
    """The parts that the configuration omits: folders and files, and unstable packages."""
    files = [each.file.removeprefix(side) for each, side in ((finding.old_place, "old/"), (finding.new_place, "new/"))]
    if any(file == path or file.startswith(f"{path}/") for file in files for path in case.ignored):
        return True
    element = finding.element
    return case.ignores_unstable and is_unstable(".".join(part for part in (element.group, element.version) if part))
