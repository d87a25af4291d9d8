// The program structural evaluates objects by schemas of CRDs as kube-apiserver does, without a server: it prunes, drops or
// replaces null, fills in defaults and validates. It reads one JSON object a line (schema, object, and old for an update)
// and writes one a line: the object with its defaults and the types and paths of the errors, or why the schema is rejected.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
)

type question struct {
	Schema v1.JSONSchemaProps `json:"schema"`
	Object map[string]any     `json:"object"`
	Old    map[string]any     `json:"old"`
}

type answer struct {
	Schema string         `json:"schema,omitempty"`
	Object map[string]any `json:"object,omitempty"`
	Errors []string       `json:"errors"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for lines.Scan() {
		var asked question
		found := answer{}
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			found.Schema = err.Error()
		} else if errs, err := evaluate(&asked); err != nil {
			found.Schema = err.Error()
		} else {
			found.Object = asked.Object
			found.Errors = []string{}
			for _, each := range errs {
				found.Errors = append(found.Errors, each.Error())
			}
		}
		text, _ := json.Marshal(found)
		out.Write(append(text, '\n'))
	}
}

func evaluate(asked *question) (field.ErrorList, error) {
	var internal apiextensions.JSONSchemaProps
	if err := v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&asked.Schema, &internal, nil); err != nil {
		return nil, err
	}
	structural, err := schema.NewStructural(&internal)
	if err != nil {
		return nil, err
	}
	if errs := schema.ValidateStructural(nil, structural); len(errs) > 0 {
		return nil, errs.ToAggregate()
	}
	errs, err := defaulting.ValidateDefaults(context.Background(), nil, structural, true, true)
	if err == nil {
		err = errs.ToAggregate()
	}
	if err != nil {
		return nil, err
	}
	validator, _, err := validation.NewSchemaValidator(&internal)
	if err != nil {
		return nil, err
	}
	rules := cel.NewValidator(structural, true, celconfig.PerCallLimit)
	for _, each := range []map[string]any{asked.Object, asked.Old} {
		if each == nil {
			continue
		}
		pruning.Prune(each, structural, true)
		defaulting.PruneNonNullableNullsWithoutDefaults(each, structural)
		if err := objectmeta.Coerce(nil, each, structural, true, false); err != nil {
			return nil, fmt.Errorf("metadata: %v", err)
		}
		defaulting.Default(each, structural)
	}
	var found field.ErrorList
	var options []validation.ValidationOption
	var celOptions []cel.Option
	var old any
	if asked.Old == nil {
		found = validation.ValidateCustomResource(nil, asked.Object, validator)
	} else {
		old = asked.Old
		both := common.NewCorrelatedObject(asked.Object, asked.Old, &model.Structural{Structural: structural})
		options = append(options, validation.WithRatcheting(both))
		celOptions = append(celOptions, cel.WithRatcheting(both))
		found = validation.ValidateCustomResourceUpdate(nil, asked.Object, asked.Old, validator, options...)
	}
	found = append(found, objectmeta.Validate(nil, asked.Object, structural, false)...)
	if asked.Old == nil || len(listtype.ValidateListSetsAndMaps(nil, structural, asked.Old)) == 0 {
		found = append(found, listtype.ValidateListSetsAndMaps(nil, structural, asked.Object)...)
	}
	for _, each := range found {
		switch each.Type {
		case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
			return found, nil // rules are not evaluated
		}
	}
	if rules != nil {
		errs, _ := rules.Validate(context.Background(), nil, structural, asked.Object, old, celconfig.RuntimeCELCostBudget, celOptions...)
		found = append(found, errs...)
	}
	return found, nil
}
