// +groupName=things.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +genclient
// +kubebuilder:object:root=true
// +kubebuilder:printcolumn:name="Ready",type="string",JSONPath=".status.conditions[?(@.type == \"Ready\")].status",description="a \"quoted\" text, with a comma"
// +kubebuilder:selectablefield:JSONPath=`.spec.color`
// +kubebuilder:selectablefield:JSONPath=.spec.size

// Frobber has a status, but its CRD has no subresource: controller-gen requires a marker.
type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   FrobberSpec   `json:"spec"`
	Status FrobberStatus `json:"status,omitempty"`
}

// +kubebuilder:validation:XValidation:rule="self.color != 'a\\n'",message="two\nlines",reason=FieldValueForbidden,fieldPath=.color
type FrobberSpec struct {
	Color string `json:"color"`
	// +kubebuilder:validation:items:XValidation:rule="self != 'x'",message="not x"
	Names []string `json:"names,omitempty"`
	Size  int64    `json:"size"`
	Legs  Legs     `json:"legs,omitempty"`
	Open  Open     `json:"open"`
	// +kubebuilder:pruning:PreserveUnknownFields
	Part Part `json:"part"`
}

type FrobberStatus struct {
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// +k8s:listType=map
// +k8s:listMapKey=name
type Legs []Part

type Part struct {
	Name string `json:"name"`
}

// +kubebuilder:validation:Type=object
// +kubebuilder:pruning:PreserveUnknownFields
type Open struct {
	Rest map[string]any `json:"-"`
}

func (o *Open) UnmarshalJSON(data []byte) error { return nil }
