// +groupName=things.example.com
package v1

import other "example.org/other/v1"

type ThingSpec struct {
	Numbered other.Thing `json:"numbered,omitempty" protobuf:"bytes,1,opt,name=numbered"`
	Name string `json:"name" protobuf:"bytes,2,opt,name=name"`
}
