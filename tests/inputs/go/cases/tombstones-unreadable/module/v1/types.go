package v1

type Frobber struct {
	// Depth is tombstoned.
	// Depth int32 `json:"depth" protobuf:"varint,4,opt,name=depth"` is gone since 1.12

	// Size is tombstoned.
	// Size struct{ `json:"size" protobuf:"varint,5,opt,name=size"`

	// +k8s:deprecated=depth,protobuf=four
	// +k8s:deprecated=
	// +k8s:deprecated=more,protobuf=6,since=1.12
	Width int32 `json:"width" protobuf:"varint,1,opt,name=width"`
}
