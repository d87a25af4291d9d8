package shared

type Common struct {
	// +kubebuilder:validation:MaxLength=10
	Reason string `json:"reason,omitempty"`
	Next   *Step  `json:"next,omitempty"`
}

type Progress struct {
	Done int64 `json:"done"`
}

type Steps []Step

type Step struct {
	Name     string   `json:"name"`
	Progress Progress `json:"progress"`
	Children []Step   `json:"children,omitempty"`
}

type Size struct {
	Text string `json:"text"`
}

// Level has code for its JSON.
type Level int

func (l Level) MarshalText() ([]byte, error) { return nil, nil }

func (l *Level) UnmarshalText(text []byte) error { return nil }

// +kubebuilder:validation:Enum=Red;Blue
type Color string

// Short is short.
// +kubebuilder:validation:MaxLength=5
type Short string

// +listType=set
type Tags []Short

type Phase string

const (
	Started Phase = "Started"
	Stopped Phase = "Stopped"
)

// Plain has nothing that a string has not.
type Plain string
