package v1

type Frobber struct {
	// A plan, which never shipped. TODO: uncomment it once it is there.
	// +optional
	// RequiredLater []Part `json:"requiredLater,omitempty"`

	// Its number has another field today.
	// Retained *int32 `json:"retained,omitempty" protobuf:"varint,2,opt,name=retained"`

	Width int32 `json:"width" protobuf:"varint,1,opt,name=width"`
	// Written as `json:"mode"`, as everything. Use `json:"x"` if that is a tombstone to you.
	Mode string `json:"mode" protobuf:"bytes,2,opt,name=mode"`

	// A tombstone without number.
	// Plan string `json:"plan"`

	// The `json:"width"`
	// Example:
	//	{"width": 3}
	Other string `json:"other"`
}

type Part struct{}
