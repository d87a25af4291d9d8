"""The spec model: what the YAML files of an API say, typed and with positions, before any name is resolved.

Nothing here knows other files: a type expression is parsed but not looked up, a path is parsed but not walked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from apigen.lazy import lazily

if TYPE_CHECKING:
    from apigen.spec.model.constraints import (
        BOUNDS,
        NO_CONSTRAINTS,
        Constraints,
        EmbeddedText,
        ModeConstraints,
        NamedConstraints,
        RuleSpec,
    )
    from apigen.spec.model.defaults import DefaultCase, PathDefault
    from apigen.spec.model.expressions import ListExpr, MapExpr, NamedExpr, TypeExpr
    from apigen.spec.model.gates import (
        FeaturesFile,
        FeatureSpec,
        FeatureStageSpec,
        GateJoin,
        GateRuleSpec,
        GateSpec,
        SeriesSpec,
        Stage,
    )
    from apigen.spec.model.groups import ApiSpec, GoneSpec, GroupSpec, KindSpec, ScaleSpec, VersionFile, VersionHeader
    from apigen.spec.model.lenses import LensCase, LensSpec, PathLens, SecondHubSpec
    from apigen.spec.model.locks import LockedField, LockedType, LockFile
    from apigen.spec.model.strategies import ExceptionSpec, GenerationSpec, OperationSpec, StrategySpec
    from apigen.spec.model.types import (
        NO_LIFECYCLE,
        NO_MERGE,
        EnumValueSpec,
        FieldSpec,
        LifecycleSpec,
        MergeSpec,
        TombstoneSpec,
        TypeForm,
        TypeSpec,
        UnionSpec,
    )
    from apigen.spec.model.values import Items, LiteralNode, Located, NumberRange, Object, T, Value
else:
    __getattr__ = lazily(
        __name__,
        {
            "constraints": "BOUNDS NO_CONSTRAINTS EmbeddedText Constraints ModeConstraints NamedConstraints RuleSpec",
            "defaults": "DefaultCase PathDefault",
            "expressions": "ListExpr MapExpr NamedExpr TypeExpr",
            "gates": "FeatureSpec FeaturesFile FeatureStageSpec GateJoin GateRuleSpec GateSpec SeriesSpec Stage",
            "groups": "ApiSpec GoneSpec GroupSpec KindSpec ScaleSpec VersionFile VersionHeader",
            "lenses": "LensCase LensSpec PathLens SecondHubSpec",
            "locks": "LockedField LockedType LockFile",
            "strategies": "ExceptionSpec GenerationSpec OperationSpec StrategySpec",
            "types": "NO_LIFECYCLE NO_MERGE EnumValueSpec FieldSpec LifecycleSpec MergeSpec TombstoneSpec TypeForm TypeSpec UnionSpec",
            "values": "Items LiteralNode Located NumberRange Object T Value",
        },
    )

__all__ = [
    "BOUNDS",
    "NO_CONSTRAINTS",
    "NO_LIFECYCLE",
    "NO_MERGE",
    "ApiSpec",
    "Constraints",
    "DefaultCase",
    "EmbeddedText",
    "EnumValueSpec",
    "ExceptionSpec",
    "FeatureSpec",
    "FeatureStageSpec",
    "FeaturesFile",
    "FieldSpec",
    "GateJoin",
    "GateRuleSpec",
    "GateSpec",
    "GenerationSpec",
    "GoneSpec",
    "GroupSpec",
    "Items",
    "KindSpec",
    "LensCase",
    "LensSpec",
    "LifecycleSpec",
    "ListExpr",
    "LiteralNode",
    "Located",
    "LockFile",
    "LockedField",
    "LockedType",
    "MapExpr",
    "MergeSpec",
    "ModeConstraints",
    "NamedConstraints",
    "NamedExpr",
    "NumberRange",
    "Object",
    "OperationSpec",
    "PathDefault",
    "PathLens",
    "RuleSpec",
    "ScaleSpec",
    "SecondHubSpec",
    "SeriesSpec",
    "Stage",
    "StrategySpec",
    "T",
    "TombstoneSpec",
    "TypeExpr",
    "TypeForm",
    "TypeSpec",
    "UnionSpec",
    "Value",
    "VersionFile",
    "VersionHeader",
]
