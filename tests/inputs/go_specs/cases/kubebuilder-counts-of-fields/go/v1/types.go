// +groupName=things.example.com
package v1

// +kubebuilder:validation:MinProperties=1
type AnyOf struct {
	A string `json:"a,omitempty"`
	Odd string `json:"x-odd,omitempty"`
	More `json:",inline"`
}

// +kubebuilder:validation:MinProperties=2
// +kubebuilder:validation:MaxProperties=2
type Two struct {
	A string `json:"a,omitempty"`
	B string `json:"b,omitempty"`
	C string `json:"c,omitempty"`
}

type More struct {
	Extra *int32 `json:"extra,omitempty"`
}

// +kubebuilder:validation:ExactlyOneOf=a;b
// +kubebuilder:validation:AtMostOneOf=b;c
// +kubebuilder:validation:AtLeastOneOf=c;d
type Choice struct {
	A *string `json:"a,omitempty"`
	B *string `json:"b,omitempty"`
	C *string `json:"c,omitempty"`
	D *string `json:"d,omitempty"`
}

// +kubebuilder:validation:ExactlyOneOf=a;gone
// +kubebuilder:validation:AtMostOneOf=a;always
// +kubebuilder:validation:MinProperties=many
type Wrong struct {
	A *string `json:"a,omitempty"`
	Always string `json:"always"`
}
