// +groupName=things.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +kubebuilder:validation:EmbeddedResource
	Template runtime.RawExtension `json:"template"`
	// +kubebuilder:validation:XEmbeddedResource
	Text string `json:"text,omitempty"`
}
