package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	runtimeschema "k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

// A manager that is never started, in which an operator registers its webhooks as it does in its own main.
func newManager(stored []client.Object, types ...func(*runtime.Scheme) error) (ctrl.Manager, error) {
	scheme := runtime.NewScheme()
	for _, add := range append(types, clientgoscheme.AddToScheme) {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	return ctrl.NewManager(&rest.Config{Host: "https://127.0.0.1:1"}, ctrl.Options{
		Scheme:         scheme,
		Metrics:        server.Options{BindAddress: "0"},
		WebhookServer:  webhook.NewServer(webhook.Options{}),
		MapperProvider: func(*rest.Config, *http.Client) (meta.RESTMapper, error) { return meta.NewDefaultRESTMapper(nil), nil },
		NewClient: func(*rest.Config, client.Options) (client.Client, error) {
			return fake.NewClientBuilder().WithScheme(scheme).WithObjects(stored...).Build(), nil
		},
	})
}

// The webhooks of a kind among those that a manager serves.
func served(mgr ctrl.Manager, apiVersion, kind string) judgeOf {
	gv, _ := runtimeschema.ParseGroupVersion(apiVersion)
	gvk := gv.WithKind(kind)
	mux := mgr.GetWebhookServer().WebhookMux()
	path := func(verb string) string {
		name := fmt.Sprintf("%s-%s-%s", strings.ReplaceAll(gvk.Group, ".", "-"), gvk.Version, strings.ToLower(gvk.Kind))
		return fmt.Sprintf("/%s-%s", verb, name)
	}
	var by judgeOf
	if isServed(mux, path("mutate")) {
		by.mutate = func(ctx context.Context, object map[string]any) (map[string]any, []string) {
			response := review(mux, path("mutate"), gvk, object, nil)
			if !response.Allowed {
				return object, problemsOf(response)
			}
			return patched(object, response.Patch), nil
		}
	}
	if isServed(mux, path("validate")) {
		by.validate = func(ctx context.Context, object, old map[string]any) []string {
			response := review(mux, path("validate"), gvk, object, old)
			if response.Allowed {
				return nil
			}
			return problemsOf(response)
		}
	}
	return by
}

func isServed(mux *http.ServeMux, path string) bool {
	request := httptest.NewRequest(http.MethodPost, path, nil)
	_, pattern := mux.Handler(request)
	return pattern == path
}

func review(mux *http.ServeMux, path string, gvk runtimeschema.GroupVersionKind, object, old map[string]any) *admissionv1.AdmissionResponse {
	request := &admissionv1.AdmissionRequest{
		UID:       "review",
		Kind:      metav1.GroupVersionKind{Group: gvk.Group, Version: gvk.Version, Kind: gvk.Kind},
		Operation: admissionv1.Create,
		Object:    runtime.RawExtension{Raw: encoded(object)},
	}
	if metadata, ok := object["metadata"].(map[string]any); ok {
		request.Name, _ = metadata["name"].(string)
		request.Namespace, _ = metadata["namespace"].(string)
	}
	if old != nil {
		request.Operation = admissionv1.Update
		request.OldObject = runtime.RawExtension{Raw: encoded(old)}
	}
	body := encoded(admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"},
		Request:  request,
	})
	post := httptest.NewRequest(http.MethodPost, path, bytes.NewReader(body))
	post.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	mux.ServeHTTP(recorder, post)
	var answered admissionv1.AdmissionReview
	if err := json.Unmarshal(recorder.Body.Bytes(), &answered); err != nil || answered.Response == nil {
		fail(fmt.Errorf("%s: no answer to %s: %v", path, body, err))
	}
	return answered.Response
}

// The causes, where the webhook names any, else its message.
func problemsOf(response *admissionv1.AdmissionResponse) []string {
	if response.Result == nil {
		return []string{"refused"}
	}
	texts := []string{}
	if details := response.Result.Details; details != nil {
		for _, cause := range details.Causes {
			texts = append(texts, cause.Field+": "+cause.Message)
		}
	}
	if len(texts) == 0 {
		texts = append(texts, response.Result.Message)
	}
	return texts
}

func patched(object map[string]any, patch []byte) map[string]any {
	if len(patch) == 0 {
		return object
	}
	read, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		fail(err)
	}
	text, err := read.Apply(encoded(object))
	if err != nil {
		fail(err)
	}
	var result map[string]any
	if err := json.Unmarshal(text, &result); err != nil {
		fail(err)
	}
	return result
}

func encoded(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		fail(err)
	}
	return text
}

// Reads an object into its own type.
func decoded[T any](object map[string]any) (*T, []string) {
	typed := new(T)
	if err := json.Unmarshal(encoded(object), typed); err != nil {
		return nil, []string{"can't be decoded: " + err.Error()}
	}
	return typed, nil
}
