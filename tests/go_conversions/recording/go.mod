// What the programs of all projects share.
module apigen.test/recording

go 1.25.0

require (
	k8s.io/apimachinery v0.35.3
	sigs.k8s.io/controller-runtime v0.23.3
	sigs.k8s.io/randfill v1.0.0
)
