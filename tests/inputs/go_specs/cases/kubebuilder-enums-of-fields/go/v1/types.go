// +groupName=things.example.com
package v1

import corev1 "k8s.io/api/core/v1"

type Polarity string

const (
	Positive Polarity = "Positive"
	Negative Polarity = "Negative"
)

// +kubebuilder:validation:Enum=Fast;Slow
type Speed string

// +kubebuilder:validation:MaxLength=8
type Reason string

const Unknown Reason = "Unknown"

type ThingSpec struct {
	// +kubebuilder:validation:Enum=Always;Never
	// +kubebuilder:default=Never
	Pull string `json:"pull,omitempty"`
	// The values in braces, as controller-gen reads them too.
	// +kubebuilder:validation:Enum={A,"B C"}
	Braces string `json:"braces"`
	// +kubebuilder:validation:Enum=A;B
	// +kubebuilder:default=C
	OddDefault string `json:"oddDefault"`
	// Its type has a name that stays, and is open: a rule says what is refused here.
	// +kubebuilder:validation:Enum=Positive;Negative
	Polarity Polarity `json:"polarity,omitempty"`
	// Its type lists the same.
	// +kubebuilder:validation:Enum=Slow;Fast
	Speed Speed `json:"speed,omitempty"`
	// The values of a type of Kubernetes, and another one.
	// +kubebuilder:validation:Enum="";Always;Never;IfNotPresent
	Policy corev1.PullPolicy `json:"policy,omitempty"`
	// +kubebuilder:validation:Enum=1;2
	Level int32 `json:"level,omitempty"`
	// +kubebuilder:validation:Enum=true
	Always *bool `json:"always,omitempty"`
	// +kubebuilder:validation:items:Enum=x;y
	Each []string `json:"each,omitempty"`
	// The limit of the type holds here.
	Reason Reason `json:"reason,omitempty"`
	Flags map[string]bool `json:"flags,omitempty"`
}
