"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.conversion.annotation_key_changed import AnnotationKeyChanged
from apigen.compat.rules.conversion.conversion_changed import ConversionChanged
from apigen.compat.rules.conversion.converter_removed import ConverterRemoved
from apigen.compat.rules.conversion.hub_type_changed import HubTypeChanged
from apigen.compat.rules.conversion.lossy_conversion import LossyConversion
from apigen.compat.rules.rule import Rule

CONVERSION_RULES: tuple[Rule, ...] = (
    LossyConversion(),
    AnnotationKeyChanged(),
    ConverterRemoved(),
    ConversionChanged(),
    HubTypeChanged(),
)
