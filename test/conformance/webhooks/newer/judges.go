// The judges whose modules go with Kubernetes 1.36.
package main

import (
	"bytes"
	"context"
	"encoding/json"

	mpi "github.com/kubeflow/mpi-operator/pkg/apis/kubeflow/v2beta1"
	mpivalidation "github.com/kubeflow/mpi-operator/pkg/apis/kubeflow/validation"
	trainerconfig "github.com/kubeflow/trainer/v2/pkg/apis/config/v1alpha1"
	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	trainerruntimes "github.com/kubeflow/trainer/v2/pkg/runtime/core"
	trainerwebhooks "github.com/kubeflow/trainer/v2/pkg/webhooks"
	pipelinev1 "github.com/tektoncd/pipeline/pkg/apis/pipeline/v1"
	pipelinev1beta1 "github.com/tektoncd/pipeline/pkg/apis/pipeline/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"knative.dev/pkg/apis"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	jobsetwebhooks "sigs.k8s.io/jobset/pkg/webhooks"
)

// What is refused of a TrainJob depends on the runtime that it refers to: these have all the parts that one may speak of.
const runtimeOfTrainer = `{"spec": {"mlPolicy": {"numNodes": 1, "torch": {}}, "template": {"spec": {"replicatedJobs": [
	{"name": "dataset-initializer", "template": {"spec": {"template": {"spec": {"containers": [{"name": "dataset-initializer", "image": "i", "volumeMounts": [{"name": "initializer", "mountPath": "/workspace"}]}]}}}}},
	{"name": "model-initializer", "template": {"spec": {"template": {"spec": {"containers": [{"name": "model-initializer", "image": "i", "volumeMounts": [{"name": "initializer", "mountPath": "/workspace"}]}]}}}}},
	{"name": "node", "template": {"metadata": {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}}, "spec": {"template": {"spec": {"containers": [{"name": "node", "image": "i"}]}}}}}
]}}}}`

func allJudges() (map[string]judgeOf, error) {
	ofJobSet, err := newManager(nil, jobset.AddToScheme)
	if err != nil {
		return nil, err
	}
	if err := jobsetwebhooks.Setup(ofJobSet); err != nil {
		return nil, err
	}
	ofTrainer, err := trainerManager()
	if err != nil {
		return nil, err
	}
	return map[string]judgeOf{
		"jobset.x-k8s.io/v1alpha2 JobSet":        served(ofJobSet, "jobset.x-k8s.io/v1alpha2", "JobSet"),
		"trainer.kubeflow.org/v1alpha1 TrainJob": served(ofTrainer, "trainer.kubeflow.org/v1alpha1", "TrainJob"),
		"kubeflow.org/v2beta1 MPIJob":            {operate: validateMPIJob},
		"tekton.dev/v1 PipelineRun":              ofTekton[pipelinev1.PipelineRun](),
		"tekton.dev/v1 TaskRun":                  ofTekton[pipelinev1.TaskRun](),
		"tekton.dev/v1beta1 PipelineRun":         ofTekton[pipelinev1beta1.PipelineRun](),
		"tekton.dev/v1beta1 TaskRun":             ofTekton[pipelinev1beta1.TaskRun](),
	}, nil
}

func trainerManager() (ctrl.Manager, error) {
	var runtime trainer.TrainingRuntime
	if err := json.Unmarshal([]byte(runtimeOfTrainer), &runtime); err != nil {
		return nil, err
	}
	forAll := &trainer.ClusterTrainingRuntime{Spec: runtime.Spec}
	forAll.Name = "torch-distributed"
	runtime.Name, runtime.Namespace = "torch-nlp", "nlp"
	mgr, err := newManager([]client.Object{forAll, &runtime}, trainer.AddToScheme, jobset.AddToScheme)
	if err != nil {
		return nil, err
	}
	runtimes, err := trainerruntimes.New(context.Background(), mgr.GetClient(), noIndex{}, &trainerconfig.Configuration{})
	if err != nil {
		return nil, err
	}
	_, err = trainerwebhooks.Setup(mgr, runtimes)
	return mgr, err
}

type noIndex struct{}

func (noIndex) IndexField(context.Context, client.Object, string, client.IndexerFunc) error {
	return nil
}

func validateMPIJob(object map[string]any) []string {
	job, problems := decoded[mpi.MPIJob](object)
	if len(problems) > 0 {
		return problems
	}
	mpi.SetDefaults_MPIJob(job)
	return textsOf(mpivalidation.ValidateMPIJob(job))
}

type tektonObject[T any] interface {
	*T
	runtime.Object
	apis.Defaultable
	apis.Validatable
}

// Tekton's webhooks decode strictly, fill in, and ask the object itself.
func ofTekton[T any, P tektonObject[T]]() judgeOf {
	read := func(object map[string]any) (P, []string) {
		typed := P(new(T))
		decoder := json.NewDecoder(bytes.NewReader(encoded(object)))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(typed); err != nil {
			return nil, []string{"can't be decoded: " + err.Error()}
		}
		return typed, nil
	}
	in := func(ctx context.Context, old map[string]any) (context.Context, []string) {
		if old == nil {
			return apis.WithinCreate(ctx), nil
		}
		before, problems := read(old)
		return apis.WithinUpdate(ctx, before), problems
	}
	return judgeOf{
		mutate: func(ctx context.Context, object map[string]any) (map[string]any, []string) {
			typed, problems := read(object)
			if len(problems) > 0 {
				return object, problems
			}
			typed.SetDefaults(apis.WithinCreate(ctx))
			var filled map[string]any
			text, err := json.Marshal(typed)
			if err == nil {
				err = json.Unmarshal(text, &filled)
			}
			if err != nil {
				return object, append(problems, "mutation failed: "+err.Error())
			}
			return filled, problems
		},
		validate: func(ctx context.Context, object, old map[string]any) []string {
			typed, problems := read(object)
			if len(problems) > 0 {
				return problems
			}
			ctx, problems = in(ctx, old)
			if err := typed.Validate(ctx); err != nil {
				for _, each := range err.WrappedErrors() {
					problems = append(problems, each.Error())
				}
			}
			return problems
		},
	}
}
