// The judges whose modules go with older releases of Kubernetes. Spark operator keeps its webhook to itself: whoever builds
// this puts a copy of those files into the folder spark.
package main

import (
	"context"

	spark "delegated-jobs.dev/webhooks/spark"
	sparkv1beta2 "github.com/kubeflow/spark-operator/v2/api/v1beta2"
	trainingoperator "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	trainingwebhooks "github.com/kubeflow/training-operator/pkg/webhooks"
	awv1beta2 "github.com/project-codeflare/appwrapper/api/v1beta2"
	"github.com/project-codeflare/appwrapper/pkg/config"
	awcontroller "github.com/project-codeflare/appwrapper/pkg/controller"
	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	rayutils "github.com/ray-project/kuberay/ray-operator/controllers/ray/utils"
	raywebhooks "github.com/ray-project/kuberay/ray-operator/pkg/webhooks/v1"
	lws "sigs.k8s.io/lws/api/leaderworkerset/v1"
	lwswebhooks "sigs.k8s.io/lws/pkg/webhooks"
)

func allJudges() (map[string]judgeOf, error) {
	ofLWS, err := newManager(nil, lws.AddToScheme)
	if err != nil {
		return nil, err
	}
	if err := lwswebhooks.SetupLeaderWorkerSetWebhook(ofLWS); err != nil {
		return nil, err
	}
	ofAppWrapper, err := newManager(nil, awv1beta2.AddToScheme)
	if err != nil {
		return nil, err
	}
	if err := awcontroller.SetupWebhooks(ofAppWrapper, &config.AppWrapperConfig{}); err != nil {
		return nil, err
	}
	ofTraining, err := newManager(nil, trainingoperator.AddToScheme)
	if err != nil {
		return nil, err
	}
	ofRay, err := newManager(nil, rayv1.AddToScheme)
	if err != nil {
		return nil, err
	}
	if err := raywebhooks.SetupRayClusterWebhookWithManager(ofRay); err != nil {
		return nil, err
	}
	if err := raywebhooks.SetupRayJobWebhookWithManager(ofRay); err != nil {
		return nil, err
	}
	if err := raywebhooks.SetupRayServiceWebhookWithManager(ofRay); err != nil {
		return nil, err
	}
	ofRayKind := func(kind string, operate func(map[string]any) []string) judgeOf {
		by := served(ofRay, "ray.io/v1", kind)
		by.operate = operate
		return by
	}
	validator := spark.NewSparkApplicationValidator(nil, false)
	judges := map[string]judgeOf{
		"leaderworkerset.x-k8s.io/v1 LeaderWorkerSet": served(ofLWS, "leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet"),
		"workload.codeflare.dev/v1beta2 AppWrapper":   served(ofAppWrapper, "workload.codeflare.dev/v1beta2", "AppWrapper"),
		"ray.io/v1 RayCluster": ofRayKind("RayCluster", checked(func(c *rayv1.RayCluster) []error {
			return []error{
				rayutils.ValidateRayClusterMetadata(c.ObjectMeta),
				rayutils.ValidateRayClusterSpec(&c.Spec, c.Annotations),
				rayutils.ValidateRayClusterUpgradeOptions(c),
			}
		})),
		"ray.io/v1 RayJob": ofRayKind("RayJob", checked(func(j *rayv1.RayJob) []error {
			return []error{rayutils.ValidateRayJobMetadata(j.ObjectMeta), rayutils.ValidateRayJobSpec(j)}
		})),
		"ray.io/v1 RayService": ofRayKind("RayService", checked(func(s *rayv1.RayService) []error {
			return []error{rayutils.ValidateRayServiceMetadata(s.ObjectMeta), rayutils.ValidateRayServiceSpec(s)}
		})),
		"ray.io/v1 RayCronJob": ofRayKind("RayCronJob", checked(func(c *rayv1.RayCronJob) []error {
			return []error{rayutils.ValidateRayCronJobSpec(c)}
		})),
		"sparkoperator.k8s.io/v1beta2 SparkApplication": {validate: func(ctx context.Context, object, old map[string]any) []string {
			app, problems := decoded[sparkv1beta2.SparkApplication](object)
			if len(problems) > 0 {
				return problems
			}
			spark.NewSparkApplicationDefaulter().Default(ctx, app)
			if old == nil {
				_, err := validator.ValidateCreate(ctx, app)
				return textOf(err)
			}
			before, problems := decoded[sparkv1beta2.SparkApplication](old)
			if len(problems) > 0 {
				return problems
			}
			_, err := validator.ValidateUpdate(ctx, before, app)
			return textOf(err)
		}},
	}
	for _, setup := range trainingwebhooks.SupportedSchemeWebhook {
		if err := setup(ofTraining); err != nil {
			return nil, err
		}
	}
	for kind := range trainingwebhooks.SupportedSchemeWebhook {
		judges["kubeflow.org/v1 "+kind] = served(ofTraining, "kubeflow.org/v1", kind)
	}
	return judges, nil
}

func textOf(err error) []string {
	if err == nil {
		return nil
	}
	return []string{err.Error()}
}

// What an operator's own functions say of an object in its own type.
func checked[T any](check func(*T) []error) func(map[string]any) []string {
	return func(object map[string]any) []string {
		typed, problems := decoded[T](object)
		if len(problems) > 0 {
			return problems
		}
		for _, err := range check(typed) {
			problems = append(problems, textOf(err)...)
		}
		return problems
	}
}
