package v1

// Frobber has fields that are gone.
//
// A line in the comment of a type is an example, not a field that is gone:
//
//	Depth int32 `json:"depth" protobuf:"varint,4,opt,name=depth"`
type Frobber struct {
	// First is gone, before any field that lives.
	// First is tombstoned: nobody may take 1 again.
	// First string `json:"first" protobuf:"bytes,1,opt,name=first"`

	Width int32 `json:"width" protobuf:"varint,2,opt,name=width"`

	// +k8s:deprecated=height,protobuf=3
	// +k8s:deprecated=noNumber

	// Depth is how deep it is.
	// +optional
	// +listType=atomic
	//
	// TOMBSTONED since 1.12.
	//Depth []*Part `json:"depth,omitempty" protobuf:"bytes,4,rep,name=depth,casttype=Part"` // a remark

	// Two of them have gone together. These are tombstones:
	// +optional
	// Left, Right int32 `json:"left" protobuf:"varint,5,opt,name=left"`
	// +listType=set
	// Names []string `json:"names" protobuf:"bytes,6,rep,name=names"`

	// Future extensions must not use "claims" or field number 7.
	// Claims other.Claims `json:"claims,omitempty" protobuf:"bytes,7,opt,name=claims"`

	/*
	   Block is a tombstone.
	   Block bool `json:"block" protobuf:"varint,8,opt,name=block"`
	*/

	// Reused is tombstoned, and somebody took its number and its name all the same.
	// Reused int32 `json:"height2" protobuf:"varint,10,opt,name=reused"`

	// Height2 is alive.
	Height2 int32 `json:"height2" protobuf:"varint,10,opt,name=height2"`

	// Inline is tombstoned.
	// metav1.Inline `json:",inline" protobuf:"bytes,11,opt,name=inline"`

	// Tail is tombstoned; the name of the field below would be taken for a part of this comment by a careless reader.
	// Tail string `json:"tail,omitempty" protobuf:"bytes,12,opt,name=tail"`
	// +required
	Last int32 `json:"last" protobuf:"varint,9,opt,name=last"` // +k8s:deprecated=behind,protobuf=13
	// +k8s:deprecated=end,protobuf=14
}

type Part struct{}
