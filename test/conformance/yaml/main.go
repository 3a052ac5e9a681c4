// Reads texts as kubectl reads a document, for comparison with our own reader: JSON lines {"id", "text"} on standard
// input, {"id", "json"} or {"id", "error"} on standard output, in order.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"sigs.k8s.io/yaml"
)

type question struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

type answer struct {
	ID    string          `json:"id"`
	JSON  json.RawMessage `json:"json,omitempty"`
	Error string          `json:"error,omitempty"`
}

func main() {
	in := json.NewDecoder(bufio.NewReaderSize(os.Stdin, 1<<20))
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	for in.More() {
		var q question
		if err := in.Decode(&q); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		if err := encoder.Encode(read(q)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
}

func read(q question) (a answer) {
	// The parser is said to panic on some texts; for us that is a refusal like any other.
	defer func() {
		if problem := recover(); problem != nil {
			a = answer{ID: q.ID, Error: fmt.Sprint(problem)}
		}
	}()
	data, err := yaml.YAMLToJSON([]byte(q.Text))
	if err != nil {
		return answer{ID: q.ID, Error: err.Error()}
	}
	return answer{ID: q.ID, JSON: data}
}
