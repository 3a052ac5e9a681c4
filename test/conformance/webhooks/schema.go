package main

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// What a CRD says of one version of its kind.
type schema struct {
	structural *structural.Structural
	validator  validation.SchemaValidator
	rules      *cel.Validator
}

// By apiVersion and kind.
func readSchemas(crds []json.RawMessage) (map[string]*schema, error) {
	schemas := map[string]*schema{}
	for _, text := range crds {
		var crd v1.CustomResourceDefinition
		if err := json.Unmarshal(text, &crd); err != nil {
			return nil, err
		}
		for _, version := range crd.Spec.Versions {
			if version.Schema == nil {
				continue
			}
			read, err := readSchema(version.Schema.OpenAPIV3Schema)
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", crd.Name, version.Name, err)
			}
			schemas[fmt.Sprintf("%s/%s %s", crd.Spec.Group, version.Name, crd.Spec.Names.Kind)] = read
		}
	}
	return schemas, nil
}

func readSchema(props *v1.JSONSchemaProps) (*schema, error) {
	var internal apiextensions.JSONSchemaProps
	if err := v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(props, &internal, nil); err != nil {
		return nil, err
	}
	shape, err := structural.NewStructural(&internal)
	if err != nil {
		return nil, err
	}
	validator, _, err := validation.NewSchemaValidator(&internal)
	if err != nil {
		return nil, err
	}
	return &schema{shape, validator, cel.NewValidator(shape, true, celconfig.PerCallLimit)}, nil
}

// The object as it comes out of the decoder: without what the CRD doesn't know, with what it fills in.
func (s *schema) complete(object map[string]any) map[string]any {
	copy := runtime.DeepCopyJSON(numbersOf(object))
	pruning.Prune(copy, s.structural, true)
	defaulting.PruneNonNullableNullsWithoutDefaults(copy, s.structural)
	defaulting.Default(copy, s.structural)
	return copy
}

func (s *schema) validate(ctx context.Context, object, old map[string]any) []string {
	errs := validation.ValidateCustomResource(nil, object, s.validator)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, s.structural, object)...)
	if len(errs) == 0 {
		var before any
		if old != nil {
			before = old
		}
		byRules, _ := s.rules.Validate(ctx, nil, s.structural, object, before, celconfig.RuntimeCELCostBudget)
		errs = append(errs, byRules...)
	}
	return textsOf(errs)
}

func textsOf(errs field.ErrorList) []string {
	texts := []string{}
	for _, err := range errs {
		texts = append(texts, err.Error())
	}
	return texts
}

// Whole numbers as such, as the server's own decoder has them.
func numbersOf(object map[string]any) map[string]any {
	for key, value := range object {
		object[key] = numberOf(value)
	}
	return object
}

func numberOf(value any) any {
	switch typed := value.(type) {
	case float64:
		if whole := int64(typed); float64(whole) == typed {
			return whole
		}
	case []any:
		for index := range typed {
			typed[index] = numberOf(typed[index])
		}
	case map[string]any:
		return numbersOf(typed)
	}
	return value
}
