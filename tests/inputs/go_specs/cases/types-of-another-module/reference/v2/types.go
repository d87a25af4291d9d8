// +groupName=others.example.org
package v2

type Thing struct {
	A string `json:"a" protobuf:"bytes,1,opt,name=a"`
}

type Port int32
