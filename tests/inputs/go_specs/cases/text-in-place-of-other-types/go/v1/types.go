// +groupName=things.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:validation:Type="string"
// +kubebuilder:validation:Pattern=`^a+$`
type Coded struct{ X int }

func (c *Coded) UnmarshalJSON(b []byte) error { return nil }

type ThingSpec struct {
	// +kubebuilder:validation:Type="string"
	// +kubebuilder:validation:Pattern=`^[0-9]+s$`
	Timeout *metav1.Duration `json:"timeout,omitempty"`
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:Pattern=`^[0-9]+s$`
	Numbered *metav1.Duration `json:"numbered,omitempty" protobuf:"bytes,1,opt,name=numbered"`
	// Of its type, and so no text: an absent one is written as `0s`.
	// +kubebuilder:validation:Type=string
	Always metav1.Duration `json:"always"`
	Coded *Coded `json:"coded,omitempty"`
}
