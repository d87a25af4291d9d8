// +groupName=things.example.com
package v1

import (
	"encoding/json"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec FrobberSpec `json:"spec"`
}

type FrobberSpec struct {
	Width    TextOrNumber          `json:"width"`
	Depth    *TextOrNumber         `json:"depth,omitempty"`
	Token    Token                 `json:"token,omitempty"`
	Address  Address               `json:"address"`
	Mode     Mode                  `json:"mode,omitempty"`
	Words    Words                 `json:"words,omitempty"`
	Several  []TextOrNumber        `json:"several,omitempty"`
	Wait     Wait                  `json:"wait"`
	Held     Held                  `json:"held"`
	Written  Written               `json:"written"`
	Cleaned  Cleaned               `json:"cleaned"`
	Extra    json.RawMessage       `json:"extra,omitempty"`
	Example  *apiextensionsv1.JSON `json:"example,omitempty"`
	Examples []apiextensionsv1.JSON `json:"examples,omitempty"`
}

type TextOrNumber struct {
	Text   string
	Number int64
}

// +kubebuilder:validation:Type=string
// +kubebuilder:validation:MaxLength=20
type Token struct {
	ID     string `json:"-"`
	Secret string `json:"-"`
}

type Address struct {
	host string
}

type Mode string

const (
	Fast Mode = "Fast"
	Slow Mode = "Slow"
)

type Words []string

// Wait is what it embeds.
type Wait struct {
	metav1.Duration
}

type Held struct {
	TextOrNumber
}

type Written struct {
	Name string `json:"name"`
}

type Cleaned struct {
	Address string `json:"address"`
}
