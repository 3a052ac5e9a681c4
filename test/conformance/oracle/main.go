// Command verdict-oracle answers what kube-apiserver would say to writes of Jobs, CronJobs, Pods, Deployments and
// StatefulSets, by calling the very strategies that the server calls. It reads requests as JSON lines and answers each
// with one JSON line, in order.
//
// Source of the order of steps: Kubernetes 1.35, the create and update handlers of k8s.io/apiserver.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/klog/v2"

	"k8s.io/kubernetes/pkg/capabilities"
)

type identity struct {
	UID               string `json:"uid"`
	CreationTimestamp string `json:"creationTimestamp"`
	NameSuffix        string `json:"nameSuffix"`
}

type request struct {
	ID        json.RawMessage `json:"id"`
	Operation string          `json:"operation"`
	Object    json.RawMessage `json:"object"`
	Old       json.RawMessage `json:"old"`
	Identity  *identity       `json:"identity"`
}

type fieldError struct {
	Field   string `json:"field"`
	Type    string `json:"type"`
	Message string `json:"message"`
}

type answer struct {
	ID json.RawMessage `json:"id"`
	// 200 allowed, 400 refused while decoding, 422 refused by a rule, 500 what a server answers to its own panic.
	Code     int          `json:"code"`
	Errors   []fieldError `json:"errors"`
	Warnings []string     `json:"warnings"`
	// Fields that strict decoding doesn't know, and those that stand twice. With only such faults (code 400) `errors`
	// says what the rules say to the rest, as if they weren't there.
	Unknown    []string        `json:"unknown"`
	Duplicates []string        `json:"duplicates,omitempty"`
	Message    string          `json:"message,omitempty"`
	Stored     json.RawMessage `json:"stored,omitempty"`
}

func run(withStored bool) error {
	// Every real cluster runs with --allow-privileged; without it privileged containers are Forbidden.
	capabilities.Initialize(capabilities.Capabilities{AllowPrivileged: true})
	c, err := newCodec()
	if err != nil {
		return err
	}
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for number := 1; ; number++ {
		line, readError := in.ReadBytes('\n')
		if readError != nil && readError != io.EOF {
			return readError
		}
		if len(bytes.TrimSpace(line)) > 0 {
			var request request
			if err := json.Unmarshal(line, &request); err != nil {
				return fmt.Errorf("line %d is not a request: %w", number, err)
			}
			if err := encoder.Encode(c.judge(request, withStored)); err != nil {
				return err
			}
		}
		if readError == io.EOF {
			break
		}
		// Someone may wait for this answer before asking again.
		if in.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// gates says of each feature gate that the server knows whether it is on by default.
func gates() map[string]bool {
	defaults := map[string]bool{}
	for name, spec := range utilfeature.DefaultMutableFeatureGate.GetAll() {
		defaults[string(name)] = spec.Default
	}
	return defaults
}

func main() {
	// What the library logs on the way is meant for operators of a server.
	klog.SetSlogLogger(slog.New(slog.DiscardHandler))
	withStored := flag.Bool("defaults", false, "answer with the object as it would be stored, too")
	asksGates := flag.Bool("gates", false, "print the feature gates that are on by default or off, and end")
	flag.Parse()
	if *asksGates {
		if err := json.NewEncoder(os.Stdout).Encode(gates()); err != nil {
			fmt.Fprintln(os.Stderr, "verdict-oracle:", err)
			os.Exit(2)
		}
		return
	}
	if err := run(*withStored); err != nil {
		fmt.Fprintln(os.Stderr, "verdict-oracle:", err)
		os.Exit(2)
	}
}
