package v1

type TypeMeta struct {
	Kind string `json:"kind,omitempty" protobuf:"bytes,1,opt,name=kind"`
}

type ObjectMeta struct {
	Name string `json:"name,omitempty" protobuf:"bytes,1,opt,name=name"`
	When Time   `json:"when,omitzero" protobuf:"bytes,8,opt,name=when"`
}

type Time struct {
	Seconds int64 `json:"seconds"`
}

type Unused struct{}
