// +groupName=things.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	other "example.org/other/v1"
)


type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`

	Spec FrobberSpec `json:"spec" protobuf:"bytes,2,opt,name=spec"`
}

type FrobberList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`

	Items []Frobber `json:"items" protobuf:"bytes,2,rep,name=items"`
}

type FrobberSpec struct {
	*Inner `json:",inline"`
	Thing other.Thing `json:"thing"`
	Name other.Name `json:"name"`
}

type Inner struct {
	A string `json:"a"`
}

// +k8s:prerelease-lifecycle-gen:introduced=soon
// +k8s:prerelease-lifecycle-gen:replacement=v2
type Other struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}
