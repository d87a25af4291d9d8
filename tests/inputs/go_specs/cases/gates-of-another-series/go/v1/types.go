// CustomResourceFieldSelectors is a gate of Kubernetes: a group of another series cannot name it.
// +groupName=things.example.com
package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:object:root=true
type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +featureGate=CustomResourceFieldSelectors
	// +optional
	Fields []string `json:"fields,omitempty"`

	Template corev1.PodTemplateSpec `json:"template,omitempty"`
}
