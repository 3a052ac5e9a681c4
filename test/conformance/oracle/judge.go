package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/warning"

	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/apps"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	"k8s.io/kubernetes/pkg/apis/batch"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/core/pod"
)

// Fixed so that two runs give the same bytes; a request may bring its own.
var defaultIdentity = identity{
	UID:               "00000000-0000-4000-8000-000000000000",
	CreationTimestamp: "2026-01-01T00:00:00Z",
	NameSuffix:        "bcdfg",
}

// A server generates names of at most 63 characters: 58 of the prefix and five of its own.
const longestNamePrefix = 58

// resource is one kind with what its endpoint uses. Of a server, the endpoint alone: what admission plugins do before
// the strategy is asked, such as naming the service account of a pod, is for who asks.
type resource struct {
	gvk            schema.GroupVersionKind
	plural         string
	strategy       createUpdateStrategy
	statusStrategy rest.RESTUpdateStrategy
}

type createUpdateStrategy interface {
	rest.RESTCreateStrategy
	rest.RESTUpdateStrategy
}

var resources = map[string]resource{
	"Job":         {batch.Kind("Job").WithVersion("v1"), "jobs", job.Strategy, job.StatusStrategy},
	"CronJob":     {batch.Kind("CronJob").WithVersion("v1"), "cronjobs", cronjob.Strategy, cronjob.StatusStrategy},
	"Pod":         {core.Kind("Pod").WithVersion("v1"), "pods", pod.Strategy, pod.StatusStrategy},
	"Deployment":  {apps.Kind("Deployment").WithVersion("v1"), "deployments", deployment.Strategy, deployment.StatusStrategy},
	"StatefulSet": {apps.Kind("StatefulSet").WithVersion("v1"), "statefulsets", statefulset.Strategy, statefulset.StatusStrategy},
}

type warningList struct{ texts []string }

// AddWarning keeps repetitions; a server sends each text once.
func (list *warningList) AddWarning(_, text string) {
	list.texts = append(list.texts, text)
}

// badRequest is what ends a request before any rule is asked.
type badRequest struct{ err error }

func (bad badRequest) Error() string { return bad.err.Error() }

type codec struct{ strict, lenient runtime.Decoder }

// The strategies judge internal versions, each in the group of its kind.
var internalVersions = schema.GroupVersions{batch.SchemeGroupVersion, core.SchemeGroupVersion, apps.SchemeGroupVersion}

func newCodec() (codec, error) {
	info, ok := runtime.SerializerInfoForMediaType(legacyscheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	if !ok {
		return codec{}, errors.New("the scheme has no JSON serializer")
	}
	return codec{
		strict:  legacyscheme.Codecs.DecoderToVersion(info.StrictSerializer, internalVersions),
		lenient: legacyscheme.Codecs.DecoderToVersion(info.Serializer, internalVersions),
	}, nil
}

func kindOf(raw []byte) (resource, error) {
	var typeMeta metav1.TypeMeta
	if err := json.Unmarshal(raw, &typeMeta); err != nil {
		return resource{}, badRequest{err}
	}
	found, ok := resources[typeMeta.Kind]
	if !ok || typeMeta.APIVersion != found.gvk.GroupVersion().String() {
		return resource{}, badRequest{fmt.Errorf("no kind that is judged here: apiVersion %q, kind %q", typeMeta.APIVersion, typeMeta.Kind)}
	}
	return found, nil
}

func decode(decoder runtime.Decoder, raw []byte, kind resource) (runtime.Object, error) {
	into, err := legacyscheme.Scheme.New(schema.GroupVersionKind{Group: kind.gvk.Group, Version: runtime.APIVersionInternal, Kind: kind.gvk.Kind})
	if err != nil {
		return nil, err
	}
	object, _, err := decoder.Decode(raw, &kind.gvk, into)
	return object, err
}

// decodeStrictly fills in the answer's decoding faults. It still returns an object if those are all of the kind that a
// server would let pass with a warning.
func (c codec) decodeStrictly(raw []byte, kind resource, out *answer) (runtime.Object, error) {
	object, err := decode(c.strict, raw, kind)
	if err == nil {
		return object, nil
	}
	strictError, ok := runtime.AsStrictDecodingError(err)
	if !ok {
		return nil, badRequest{err}
	}
	out.Code = 400
	out.Message = err.Error()
	for _, fault := range strictError.Errors() {
		text := fault.Error()
		if name, found := strings.CutPrefix(text, "unknown field "); found {
			out.Unknown = append(out.Unknown, strings.Trim(name, `"`))
		} else if name, found := strings.CutPrefix(text, "duplicate field "); found {
			out.Duplicates = append(out.Duplicates, strings.Trim(name, `"`))
		}
	}
	object, err = decode(c.lenient, raw, kind)
	if err != nil {
		return nil, badRequest{err}
	}
	return object, nil
}

func requestContext(kind resource, namespace, name, subresource string, recorder *warningList) context.Context {
	verb := "update"
	if name == "" {
		verb = "create"
	}
	ctx := genericapirequest.WithNamespace(genericapirequest.NewContext(), namespace)
	ctx = genericapirequest.WithRequestInfo(ctx, &genericapirequest.RequestInfo{
		IsResourceRequest: true,
		Verb:              verb,
		APIPrefix:         "apis",
		APIGroup:          kind.gvk.Group,
		APIVersion:        kind.gvk.Version,
		Namespace:         namespace,
		Resource:          kind.plural,
		Subresource:       subresource,
		Name:              name,
	})
	return warning.WithWarningRecorder(ctx, recorder)
}

func firstOf(values ...string) string {
	for _, value := range values {
		if value != "" {
			return value
		}
	}
	return ""
}

func (c codec) create(in request, kind resource, out *answer, recorder *warningList) (runtime.Object, error) {
	object, err := c.decodeStrictly(in.Object, kind, out)
	if err != nil {
		return nil, err
	}
	accessor, err := meta.Accessor(object)
	if err != nil {
		return nil, err
	}
	who := defaultIdentity
	if in.Identity != nil {
		who = *in.Identity
	}
	created, err := time.Parse(time.RFC3339, who.CreationTimestamp)
	if err != nil {
		return nil, err
	}
	rest.WipeObjectMetaSystemFields(accessor)
	accessor.SetUID(types.UID(who.UID))
	accessor.SetCreationTimestamp(metav1.NewTime(created))
	// The field manager replaces whatever a client sends here before any rule sees it.
	accessor.SetManagedFields(nil)
	if prefix := accessor.GetGenerateName(); prefix != "" && accessor.GetName() == "" {
		if len(prefix) > longestNamePrefix {
			prefix = prefix[:longestNamePrefix]
		}
		accessor.SetName(prefix + who.NameSuffix)
	}
	ctx := requestContext(kind, firstOf(accessor.GetNamespace(), "default"), "", "", recorder)
	return object, rest.BeforeCreate(kind.strategy, ctx, object)
}

func (c codec) update(in request, kind resource, out *answer, recorder *warningList) (runtime.Object, error) {
	object, err := c.decodeStrictly(in.Object, kind, out)
	if err != nil {
		return nil, err
	}
	// What is stored was decoded without strictness, however it got there.
	old, err := decode(c.lenient, in.Old, kind)
	if err != nil {
		return nil, badRequest{fmt.Errorf("old: %w", err)}
	}
	accessor, err := meta.Accessor(object)
	if err != nil {
		return nil, err
	}
	oldAccessor, err := meta.Accessor(old)
	if err != nil {
		return nil, err
	}
	accessor.SetResourceVersion(oldAccessor.GetResourceVersion())
	accessor.SetManagedFields(nil)
	oldAccessor.SetManagedFields(nil)

	strategy, subresource := rest.RESTUpdateStrategy(kind.strategy), ""
	if in.Operation == "status-update" {
		strategy, subresource = kind.statusStrategy, "status"
	}
	namespace := firstOf(accessor.GetNamespace(), oldAccessor.GetNamespace(), "default")
	ctx := requestContext(kind, namespace, firstOf(oldAccessor.GetName(), "unnamed"), subresource, recorder)
	return object, rest.BeforeUpdate(strategy, ctx, object, old)
}

// refuse turns the error of a strategy into code and causes.
func (out *answer) refuse(err error) {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		out.Code = 500
		out.Message = err.Error()
		return
	}
	if out.Code != 400 {
		out.Code = int(status.Status().Code)
		out.Message = status.Status().Message
	}
	if details := status.Status().Details; details != nil {
		for _, cause := range details.Causes {
			name := strings.TrimPrefix(string(cause.Type), "FieldValue")
			out.Errors = append(out.Errors, fieldError{cause.Field, name, cause.Message})
		}
	}
}

func (c codec) judge(in request, withStored bool) (out answer) {
	recorder := &warningList{texts: []string{}}
	out = answer{ID: in.ID, Code: 200, Errors: []fieldError{}, Warnings: []string{}, Unknown: []string{}}
	defer func() {
		if fault := recover(); fault != nil {
			out.Code = 500
			out.Message = fmt.Sprint(fault)
		}
	}()

	kind, err := kindOf(in.Object)
	var object runtime.Object
	if err == nil {
		switch in.Operation {
		case "create":
			object, err = c.create(in, kind, &out, recorder)
		case "update", "status-update":
			object, err = c.update(in, kind, &out, recorder)
		default:
			err = badRequest{fmt.Errorf("operation %q is none of create, update, status-update", in.Operation)}
		}
	}
	var bad badRequest
	if errors.As(err, &bad) {
		out.Code = 400
		out.Message = bad.Error()
		return out
	}
	out.Warnings = recorder.texts
	if err != nil {
		out.refuse(err)
		return out
	}
	if withStored && out.Code == 200 {
		stored, err := runtime.Encode(legacyscheme.Codecs.LegacyCodec(kind.gvk.GroupVersion()), object)
		if err != nil {
			out.Code = 500
			out.Message = err.Error()
			return out
		}
		out.Stored = stored
	}
	return out
}
