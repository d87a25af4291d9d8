"""All rules, in the order in which they run."""

from __future__ import annotations

from apigen.rules.camel_case_fields import CamelCaseFields
from apigen.rules.growing_enum_has_unknown import GrowingEnumHasUnknown
from apigen.rules.list_type_is_given import ListTypeIsGiven
from apigen.rules.merge_keys_agree import MergeKeysAgree
from apigen.rules.no_floats import NoFloats
from apigen.rules.no_unsigned import NoUnsigned
from apigen.rules.pre_release_ends import PreReleaseEnds
from apigen.rules.required_without_default import RequiredWithoutDefault
from apigen.rules.rule import Rule
from apigen.rules.types_are_used import TypesAreUsed
from apigen.rules.versions_agree import VersionsAgree
from apigen.rules.versions_lead_one_way import VersionsLeadOneWay

RULES: tuple[Rule, ...] = (
    NoFloats(),
    NoUnsigned(),
    CamelCaseFields(),
    RequiredWithoutDefault(),
    GrowingEnumHasUnknown(),
    PreReleaseEnds(),
    ListTypeIsGiven(),
    MergeKeysAgree(),
    TypesAreUsed(),
    VersionsLeadOneWay(),
    VersionsAgree(),
)
