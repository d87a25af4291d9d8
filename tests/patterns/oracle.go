// Answers questions about patterns with the regexp package of the Go standard library.
//
// Reads values of JSON, {"p": pattern, "t": [text, ...]}, and writes one for each: {"e": problem} or
// {"m": [[[start, end], ...], ...]} with the matches of each text, in code points.
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"regexp"
	"unicode/utf8"
)

type question struct {
	P string   `json:"p"`
	T []string `json:"t"`
}

type answer struct {
	E string     `json:"e,omitempty"`
	M [][][2]int `json:"m"`
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<24)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	decoder := json.NewDecoder(in)
	for decoder.More() {
		var q question
		if err := decoder.Decode(&q); err != nil {
			panic(err)
		}
		var a answer
		re, err := regexp.Compile(q.P)
		if err != nil {
			a.E = err.Error()
		} else {
			for _, text := range q.T {
				spans := [][2]int{}
				for _, span := range re.FindAllStringIndex(text, -1) {
					spans = append(spans, [2]int{utf8.RuneCountInString(text[:span[0]]), utf8.RuneCountInString(text[:span[1]])})
				}
				a.M = append(a.M, spans)
			}
		}
		encoder.Encode(a)
	}
}
