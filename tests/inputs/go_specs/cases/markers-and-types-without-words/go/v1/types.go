// +groupName=things.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"time"
)

// +kubebuilder:object:root=true
type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec FrobberSpec `json:"spec"`
}

type FrobberSpec struct {
	// +optional
	// +nullable
	StartedAt *metav1.Time `json:"startedAt,omitempty"`
	// +nullable
	Labels map[string]string `json:"labels"`
	// +optional
	// +nullable
	// +kubebuilder:default=3
	Retries *int32 `json:"retries,omitempty"`
	// +nullable
	TTL metav1.Duration `json:"ttl"`

	// +kubebuilder:validation:Maximum=9
	LogLevel uint8   `json:"logLevel,omitempty"`
	Offset   *int16  `json:"offset,omitempty"`
	Codes    []int8  `json:"codes,omitempty"`
	Phase    Phase   `json:"phase,omitempty"`
	Timeouts Timeout `json:"timeouts,omitempty"`

	// +listType=map
	// +listMapKey=type
	Conditions []DetailedCondition `json:"conditions,omitempty"`
}

// Phase has a default only on its fields.
// +kubebuilder:validation:Enum=Ready;Failed
// +kubebuilder:default=Ready
// +optional
type Phase string

type Condition = metav1.Condition

type DetailedCondition struct {
	Condition `json:",inline"`

	Errors []string `json:"errors,omitempty"`
}

// Timeout is a struct of Go that is text in JSON, as the marker on each field of the type says.
type Timeout struct {
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:Pattern=`^([0-9]+s|Never)$`
	After Span `json:"after,omitempty"`
	// +kubebuilder:validation:Type=string
	Before Span `json:"before"`
}

type Span struct {
	*time.Duration
}

func (s Span) MarshalJSON() ([]byte, error) { return nil, nil }

func (s *Span) UnmarshalJSON(text []byte) error { return nil }
