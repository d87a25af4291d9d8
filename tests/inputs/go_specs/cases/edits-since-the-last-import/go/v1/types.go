// +groupName=things.example.com
package v1

type FrobberSpec struct {
	// Go raised the minimum, which nobody edited; the person raised the default.
	// +k8s:minimum=5
	// +default=7
	Height int32 `json:"height,omitempty" protobuf:"varint,1,opt,name=height"`

	// A person removed the length, as it counts the characters of base64.
	// +kubebuilder:validation:MaxLength=8
	Key string `json:"key,omitempty" protobuf:"bytes,2,opt,name=key"`

	// A person made it optional and longer: it has its own MarshalJSON.
	Text string `json:"text" protobuf:"bytes,3,opt,name=text"`

	// Go made it wider, and no longer limits it; a person gave it a bound above.
	Width int64 `json:"width,omitempty" protobuf:"varint,4,opt,name=width"`

	// Go made it wider, and a person made it text.
	Depth int64 `json:"depth,omitempty" protobuf:"varint,5,opt,name=depth"`

	Mode   Mode   `json:"mode,omitempty" protobuf:"bytes,6,opt,name=mode"`
	Policy Policy `json:"policy,omitempty" protobuf:"bytes,7,opt,name=policy"`
}

// A person took any string.
// +enum
type Mode string

const (
	ModeFast Mode = "Fast"
)

// In Go it was a string without values, and nobody changed that.
// +enum
type Policy string

const (
	PolicyAlways Policy = "Always"
)
