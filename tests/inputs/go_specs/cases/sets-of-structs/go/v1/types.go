// +groupName=things.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +listType=set
	Parts []Part `json:"parts,omitempty"`
	// +listType=set
	Names []Name `json:"names,omitempty"`
	// +listType=set
	Numbers []int32 `json:"numbers,omitempty"`
}

type Part struct {
	Name Name `json:"name"`
}

type Name string
