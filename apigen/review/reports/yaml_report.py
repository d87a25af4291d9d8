"""The JSON report, written as YAML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apigen.review.reports.json_report import Plain, values
from apigen.review.reports.report import Style
from apigen.review.reports.summary import Summary

if TYPE_CHECKING:
    import yaml


def render(summary: Summary, _: Style) -> str:
    """Return the review as one YAML document."""
    import yaml

    plain = values(summary)
    try:
        return _dumped(plain, yaml.CSafeDumper if yaml.__with_libyaml__ else yaml.SafeDumper)
    except UnicodeEncodeError:  # a lone surrogate, which the C library rejects
        return _dumped(plain, yaml.SafeDumper)


def _dumped(plain: Plain, dumper: type[yaml.SafeDumper] | type[yaml.CSafeDumper]) -> str:
    import yaml

    class Dumper(dumper):  # type: ignore[misc, valid-type]
        """Writes repeated values in full instead of as aliases."""

        def ignore_aliases(self, data: object) -> bool:
            return True

    return str(yaml.dump(plain, Dumper=Dumper, sort_keys=False, allow_unicode=False, width=120))
