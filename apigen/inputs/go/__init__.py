"""Go API packages, as Kubernetes writes them: types, struct tags, markers, tombstones. No Go toolchain is needed."""
