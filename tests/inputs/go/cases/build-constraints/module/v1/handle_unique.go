//go:build handles

package v1

import "unique"

// Fields is a document.
type Fields struct {
	handle unique.Handle[string]
}

const Which Kind = "handles"
