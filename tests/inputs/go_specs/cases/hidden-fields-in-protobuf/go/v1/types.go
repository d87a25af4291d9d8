// +groupName=things.example.com
package v1

type Common struct {
	Name string `json:"name" protobuf:"bytes,1,opt,name=name"`
}

type ThingSpec struct {
	Common `json:",inline" protobuf:"bytes,1,opt,name=common"`
	Name *string `json:"name,omitempty" protobuf:"bytes,2,opt,name=name"`
}
