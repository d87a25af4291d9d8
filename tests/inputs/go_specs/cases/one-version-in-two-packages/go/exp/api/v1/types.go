// The package of the same group and version declares further kinds.
// +groupName=things.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	apiv1 "example.com/things/api/v1"
)

// +kubebuilder:object:root=true
type Pool struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Tags Tags         `json:"tags,omitempty"`
	More apiv1.Tags   `json:"more,omitempty"`
	Task []apiv1.Task `json:"task,omitempty"`
}

// Tags is declared as in the other package.
type Tags map[string]string
