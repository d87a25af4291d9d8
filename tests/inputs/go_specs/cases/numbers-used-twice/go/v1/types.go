// +groupName=things.example.com
package v1

type Template struct {
	Env      []string `json:"env,omitempty" protobuf:"bytes,7,rep,name=env"`
	Priority *string  `json:"priority,omitempty" protobuf:"bytes,7,opt,name=priority"`
}
