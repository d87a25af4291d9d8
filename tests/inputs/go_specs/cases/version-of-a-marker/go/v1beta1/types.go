// +groupName=things.example.com
// +versionName=v1
package v1beta1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
// +kubebuilder:resource:categories={things, all-things},shortName={"fr", "frob"}
// +kubebuilder:deprecatedversion
type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}
