// +groupName=things.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	tasksv1 "example.com/things/tasks/v1"
)

// +kubebuilder:object:root=true
type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Tags Tags `json:"tags,omitempty"`
	Task Task `json:"task,omitempty"`
}

type Tags map[string]string

// Task is only a name for the type of the other package.
type Task = tasksv1.Task
