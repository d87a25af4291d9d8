// +groupName=things.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/things/errors"
	shared "example.com/things/shared/v1"
)

type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Reason errors.Reason `json:"reason,omitempty"`
	Level  shared.Level  `json:"level,omitempty"`
	Size   shared.Size   `json:"size"`
}
