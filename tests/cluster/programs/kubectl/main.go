// Command kubectl is the client that drives the API server under test.
package main

import (
	"k8s.io/component-base/cli"
	"k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubectl/pkg/cmd/util"
)

func main() { util.CheckErr(cli.RunNoErrOutput(cmd.NewDefaultKubectlCommand())) }
