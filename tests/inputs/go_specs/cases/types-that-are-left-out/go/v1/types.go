// +groupName=things.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	other "example.org/other/v1"
)


type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`

	Spec FrobberSpec `json:"spec" protobuf:"bytes,2,opt,name=spec"`
}

type FrobberList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`

	Items []Frobber `json:"items" protobuf:"bytes,2,rep,name=items"`
}

type FrobberSpec struct {
	Any interface{} `json:"any"`
	Array [3]string `json:"array"`
	Reader Reader `json:"reader"`
	Foreign other.Thing `json:"foreign"`
	Channel map[int32]string `json:"channel"`
	Good string `json:"good" protobuf:"bytes,1,opt,name=good"`
}

type Reader interface{ Read() string }

type Func func() string

// +protobuf=false
type Table struct {
	Cells []string `json:"cells"`
}

type hidden struct {
	A string `json:"a"`
}

// +protobuf.as=Timestamp
type Moment struct {
	A string `json:"a" protobuf:"bytes,1,opt,name=a"`
}

type Timestamp struct {
	Seconds int64 `json:"seconds" protobuf:"varint,1,opt,name=seconds"`
}
