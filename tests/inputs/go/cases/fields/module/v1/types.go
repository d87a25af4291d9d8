package v1

import metav1 "example.com/other/meta/v1"

// Frobber has every form of a field.
type Frobber struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`

	Spec          FrobberSpec       `json:"spec" protobuf:"bytes,2,opt,name=spec"`
	Status        *FrobberStatus    `json:"status,omitempty,omitzero" protobuf:"bytes,3,opt,name=status"`
	base, exp     int32             // no tag, two names
	Left, Right   []*string         `json:",omitempty"`
	Labels        map[string]string `json:"-"`
	Dash          bool              `json:"-,"`
	Text          int64             `json:"text,string"`
	NoName        bool              `json:""`
	Parts         []Part            `json:"parts" patchStrategy:"merge,retainKeys" patchMergeKey:"name" protobuf:"bytes,4,rep,name=parts" validate:"min=1"`
	*Part         `json:",omitempty"`
	Bare
	*Pointed
	Quoted        string "json:\"quoted\" protobuf:\"bytes,9,opt,name=quoted\""
	Lines         map[string]struct {
	}              `json:"lines"`
}

type FrobberSpec struct{}

type FrobberStatus struct{}

type Part struct {
	Name string `json:"name"`
}

type Bare struct {
	A int32 `json:"a"`
}

type Pointed struct {
	B int32 `json:"b"`
}
