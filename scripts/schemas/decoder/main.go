// Decodes Jobs, CronJobs and Pods as kube-apiserver does, strictly, and says what it refuses.
//
// Reads lines of {"kind", "object"} and writes a line for each: a string with the error, empty if there is none, or a
// list of the strict errors. recordAnswers.ts builds it against the API types of each release.
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
)

func main() {
	scheme := runtime.NewScheme()
	if err := batchv1.AddToScheme(scheme); err != nil {
		log.Fatal(err)
	}
	if err := corev1.AddToScheme(scheme); err != nil {
		log.Fatal(err)
	}
	decoder := serializer.NewSerializerWithOptions(
		serializer.DefaultMetaFactory, scheme, scheme, serializer.SerializerOptions{Strict: true})
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	answers := json.NewEncoder(out)
	answers.SetEscapeHTML(false)
	for lines.Scan() {
		if err := answers.Encode(answer(decoder, lines.Bytes())); err != nil {
			log.Fatal(err)
		}
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
}

func answer(decoder runtime.Decoder, line []byte) any {
	var question struct {
		Kind   string
		Object json.RawMessage
	}
	if err := json.Unmarshal(line, &question); err != nil {
		log.Fatal(err)
	}
	// The server takes these from the URL.
	defaults := schema.GroupVersionKind{Group: "batch", Version: "v1", Kind: question.Kind}
	if question.Kind == "Pod" {
		defaults.Group = ""
	}
	_, _, err := decoder.Decode(question.Object, &defaults, nil)
	if err == nil {
		return ""
	}
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		messages := []string{}
		for _, each := range strict.Errors() {
			messages = append(messages, each.Error())
		}
		return messages
	}
	return err.Error()
}
