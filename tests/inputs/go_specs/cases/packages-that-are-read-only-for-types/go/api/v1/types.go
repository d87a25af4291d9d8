// The types of another package of this version are copied, also by the next import.
// +groupName=things.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	tasksv1 "example.com/things/tasks/v1"
)

// +kubebuilder:object:root=true
type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Task     Task     `json:"task"`
	Embedded Embedded `json:"embedded"`
}

type Task = tasksv1.Task

// Embedded has kind and apiVersion, and is not a kind.
type Embedded struct {
	runtime.TypeMeta `json:",inline"`

	Name string `json:"name"`
}
