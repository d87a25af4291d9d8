// +groupName=things.example.com
package v1

import other "example.org/other/v1"

type ThingSpec struct {
	// Nothing is lost: it may be any JSON value.
	Plain interface{} `json:"plain,omitempty"`
	// In protobuf it has one form only, and nothing says which.
	Numbered other.Thing `json:"numbered,omitempty" protobuf:"bytes,1,opt,name=numbered"`
	// In JSON it is a string, in protobuf a number.
	Text int32 `json:"text,string" protobuf:"varint,2,opt,name=text"`
	// Its fields stand in this struct, and nobody knows which they are.
	other.Embedded `json:",inline"`
}
