//go:build !handles

package v1

// Fields is a document.
type Fields struct {
	Raw []byte `json:"-" protobuf:"bytes,1,opt,name=raw"`
}

const Which Kind = "bytes"
