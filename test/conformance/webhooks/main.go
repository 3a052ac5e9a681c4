// What the webhooks and the operators of the ecosystem say to an object: their own code, called as kube-apiserver and
// their controllers call it. The first line of standard input is {"crds": [...]}, each further one {"object", "old"?};
// each line of standard output, in order, is {"crd", "webhook", "operator"}: the texts of what refuses the object. What
// the CRD stops, no webhook gets to see, and what a webhook stops, no operator.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
)

type question struct {
	Object map[string]any `json:"object"`
	Old    map[string]any `json:"old,omitempty"`
}

type answer struct {
	CRD      []string `json:"crd"`
	Webhook  []string `json:"webhook"`
	Operator []string `json:"operator"`
}

func main() {
	in := json.NewDecoder(bufio.NewReaderSize(os.Stdin, 1<<20))
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	var start struct {
		CRDs []json.RawMessage `json:"crds"`
	}
	if err := in.Decode(&start); err != nil {
		fail(err)
	}
	schemas, err := readSchemas(start.CRDs)
	if err != nil {
		fail(err)
	}
	judges, err := allJudges()
	if err != nil {
		fail(err)
	}
	for in.More() {
		var q question
		if err := in.Decode(&q); err != nil {
			fail(err)
		}
		if err := encoder.Encode(judge(context.Background(), q, schemas, judges)); err != nil {
			fail(err)
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(2)
}

// Who judges the objects of a kind beside its CRD.
type judgeOf struct {
	// Fills in what is left open; a webhook's part.
	mutate func(ctx context.Context, object map[string]any) (map[string]any, []string)
	// A webhook's refusal.
	validate func(ctx context.Context, object, old map[string]any) []string
	// What the operator itself can't work with.
	operate func(object map[string]any) []string
}

func judge(ctx context.Context, q question, schemas map[string]*schema, judges map[string]judgeOf) (a answer) {
	a = answer{CRD: []string{}, Webhook: []string{}, Operator: []string{}}
	key := fmt.Sprintf("%v %v", q.Object["apiVersion"], q.Object["kind"])
	schema, known := schemas[key]
	if !known {
		a.CRD = append(a.CRD, "unknown kind "+key)
		return a
	}
	by := judges[key]
	// What is stored was created once, and a change is of what it has been completed to.
	created := func(written map[string]any) map[string]any {
		object := schema.complete(written)
		if by.mutate == nil {
			return object
		}
		mutated, refused := by.mutate(ctx, object)
		a.Webhook = append(a.Webhook, refused...)
		return schema.complete(mutated)
	}
	object, old := created(q.Object), q.Old
	if old != nil {
		old = created(old)
	}
	if len(a.Webhook) > 0 {
		return a
	}
	a.CRD = append(a.CRD, schema.validate(ctx, object, old)...)
	if len(a.CRD) > 0 {
		return a
	}
	if by.validate != nil {
		a.Webhook = append(a.Webhook, by.validate(ctx, object, old)...)
	}
	if by.operate != nil && len(a.Webhook) == 0 {
		a.Operator = append(a.Operator, by.operate(object)...)
	}
	return a
}
