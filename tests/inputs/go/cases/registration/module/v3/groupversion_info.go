package v3

import "example.com/other/runtime/schema"

var GroupVersion = schema.GroupVersion{Group: "literal.example.com", Version: "v3"}
