// +groupName=things.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
// +kubebuilder:printcolumn:name="Zone",type=string,JSONPath=".spec.zone"
// +kubebuilder:printcolumn:name="Name",type=string,JSONPath=".metadata.name"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=".metadata.creationTimestamp",description="Age"
// +kubebuilder:printcolumn:name="Server",type=string,JSONPath=".spec.server"
// +kubebuilder:printcolumn:name="Last",type=string,JSONPath=".spec.zone"
type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Server string `json:"server"`
	Zone   string `json:"zone"`
}
