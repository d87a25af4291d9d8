/*
+license
*/

// +openapi-model-package=com.example.things.v1
package v1

// +too-far

// +far
// Words in between.
// +far-two

// Frobber has a comment, and one more above it.
// +near
// + not a marker, nor is +this
//+close // a remark
type Frobber struct { // +behind
	// Width is in millimetres.
	//
	// It is rounded.
	// +optional
	// +default={"a": "b // c"} // a remark
	//nolint:lll
	// +k8s:beta(since: "1.37")=+k8s:enum
	Width int32 `json:"width"` // +trailing
	Height int32 `json:"height"` // says nothing of Depth
	Depth int32 `json:"depth"`

	// +of-nobody

	/*
	  +in-block
	  text
	*/
	Weight int32 `json:"weight"`
	// +at-the-end
}

// +farther-but-nothing-near

type Bare struct{}

// +two-blank-lines-away


type Alone struct{}

type Last struct{} // +behind-a-type
// +directly-below-code
type AfterCode string
