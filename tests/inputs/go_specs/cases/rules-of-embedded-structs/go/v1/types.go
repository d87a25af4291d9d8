// controller-gen applies the rules of an embedded struct to the struct around it, whose JSON has its fields.
// +groupName=things.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec FrobberSpec `json:"spec"`
}

// +kubebuilder:validation:XValidation:rule="self.kind == 'Part' || self.major > 1",message="only parts begin at 1"
type FrobberSpec struct {
	// +kubebuilder:validation:XValidation:rule="self.kind == 'Part'",message="only parts"
	// +kubebuilder:validation:XValidation:rule="self.name != ''"
	Reference `json:",inline"`

	Major int32 `json:"major"`
}

type Reference struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}
