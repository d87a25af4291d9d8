// +groupName=meta.k8s.io
package v1

type TypeMeta struct {
	Kind string `json:"kind,omitempty" protobuf:"bytes,1,opt,name=kind"`
}

type ObjectMeta struct {
	Name string `json:"name,omitempty" protobuf:"bytes,1,opt,name=name"`
}

type Status struct {
	TypeMeta `json:",inline"`
	Text string `json:"text" protobuf:"bytes,1,opt,name=text"`
}

type APIGroup struct {
	TypeMeta `json:",inline"`
	Text string `json:"text" protobuf:"bytes,1,opt,name=text"`
}

type APIVersions struct {
	TypeMeta `json:",inline"`
	Text string `json:"text" protobuf:"bytes,1,opt,name=text"`
}

type CreateOptions struct {
	TypeMeta `json:",inline"`
	Text string `json:"text" protobuf:"bytes,1,opt,name=text"`
}

type DeleteOptions struct {
	TypeMeta `json:",inline"`
	Text string `json:"text" protobuf:"bytes,1,opt,name=text"`
}

type GetOptions struct {
	TypeMeta `json:",inline"`
	Text string `json:"text" protobuf:"bytes,1,opt,name=text"`
}

type ListOptions struct {
	TypeMeta `json:",inline"`
	Text string `json:"text" protobuf:"bytes,1,opt,name=text"`
}

type PatchOptions struct {
	TypeMeta `json:",inline"`
	Text string `json:"text" protobuf:"bytes,1,opt,name=text"`
}

type UpdateOptions struct {
	TypeMeta `json:",inline"`
	Text string `json:"text" protobuf:"bytes,1,opt,name=text"`
}

// Says nothing of itself.
type WatchEvent struct {
	Type string `json:"type" protobuf:"bytes,1,opt,name=type"`
}
