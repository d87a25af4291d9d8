// +groupName=things.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec FrobberSpec `json:"spec"`
}

type FrobberSpec struct {
	Wait   Duration         `json:"wait,omitempty"`
	Waits  []Duration       `json:"waits,omitempty"`
	Real   *metav1.Duration `json:"real,omitempty"`
	Plan   Strategy         `json:"plan"`
	Hidden hidden           `json:"hidden"`
}

// +kubebuilder:validation:Pattern=`^[0-9]+(h|m|s)$`
type Duration string

type Strategy struct {
	Type StrategyType `json:"type"`
}

type StrategyType string

type hidden struct {
	Name string `json:"name"`
}
