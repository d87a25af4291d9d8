package version1

type NoVersion struct{}
