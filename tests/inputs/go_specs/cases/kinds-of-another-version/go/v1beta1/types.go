// +groupName=things.example.com
package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	v1 "example.com/things/v1"
)

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Frobber v1.Frobber

// +kubebuilder:object:root=true
type FrobberList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Frobber `json:"items"`
}

type FrobberSpec = v1.FrobberSpec
