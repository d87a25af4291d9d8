// +groupName=things.example.com
package v2

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="Whether it is ready, or not",priority=1
// +kubebuilder:printcolumn:name=Age,type="date",JSONPath=".metadata.creationTimestamp"
// +kubebuilder:printcolumn:name="Age",type=string,JSONPath=".metadata.uid"
// +kubebuilder:printcolumn:name="Size",type=integer,format=int32,JSONPath=".length"
type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Length int32 `json:"length"`
}
