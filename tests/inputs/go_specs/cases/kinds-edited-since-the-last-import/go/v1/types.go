// +groupName=things.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Changed in Go: the scope, a short name, the path of a column; a column is new, and the category is gone.
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster,shortName=fr;fro
// +kubebuilder:printcolumn:name="Size",type=integer,JSONPath=".spec.size"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=".metadata.creationTimestamp"
type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Size int32 `json:"size"`
}

// Changed in Go, too, but a person has edited all of it; nothing in Go gives the plural.
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster,shortName=sp
// +kubebuilder:printcolumn:name="Size of the spinner",type=integer,JSONPath=".spec.dimensions.size",description="a text"
type Spinner struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Size int32 `json:"size"`
}
