// +groupName=things.example.com
package v1

type ThingSpec struct {
	common `json:",inline"`
	Own    string `json:"own"`
}

type common struct {
	// Go encodes it in the place of the embedded struct.
	Shared string `json:"shared,omitempty"`
	hidden string
}

type Box[T any] struct {
	Value T `json:"value"`
}

type ThingStatus struct {
	Box   Box[string]        `json:"box"`
	Boxes []Box[ThingSpec]   `json:"boxes,omitempty"`
	Three [3]int32           `json:"three"`
	Sized [len("abc")]string `json:"sized"`
}
