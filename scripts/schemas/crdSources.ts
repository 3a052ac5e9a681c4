/** Where the CRDs of the ecosystem come from: Go modules, which hold the manifests beside the code. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { CrdDocument, CrdSchema } from './crdSchema.ts';

/** A release of an operator, and the files of its module that hold the CRDs of its kinds. */
export interface CrdSource {
  /** For people: 'JobSet 0.12'. */
  readonly release: string;
  readonly module: string;
  readonly version: string;
  readonly files: readonly string[];
  readonly license: string;
  /**
   * What a later release adds whose module can't be had: a schema laid over the one at a path of the kind's, so that
   * nobody is blamed for being ahead.
   */
  readonly later?: readonly { readonly kind: string; readonly at: readonly string[]; readonly schema: CrdSchema }[];
}

const trainingOperatorKinds = ['jaxjobs', 'mpijobs', 'paddlejobs', 'pytorchjobs', 'tfjobs', 'xgboostjobs'];
const rayKinds = ['rayclusters', 'raycronjobs', 'rayjobs', 'rayservices'];

/** Of one operator the newest release first. Fields of the older one are still to be met. */
export const crdSources: readonly CrdSource[] = [
  ...['v0.12.0', 'v0.11.1'].map((version) => ({
    release: `JobSet ${minorOf(version)}`,
    module: 'sigs.k8s.io/jobset',
    version,
    files: ['config/components/crd/bases/jobset.x-k8s.io_jobsets.yaml'],
    license: 'Apache-2.0',
  })),
  ...['v2.3.0', 'v2.1.0', 'v2.0.0'].map((version) => ({
    release: `Kubeflow Trainer ${minorOf(version)}`,
    module: 'github.com/kubeflow/trainer/v2',
    version,
    files: ['manifests/base/crds/trainer.kubeflow.org_trainjobs.yaml'],
    license: 'Apache-2.0',
  })),
  {
    release: 'Kubeflow training-operator 1.9',
    module: 'github.com/kubeflow/training-operator',
    version: 'v1.9.3',
    files: trainingOperatorKinds.map((kind) => `manifests/base/crds/kubeflow.org_${kind}.yaml`),
    license: 'Apache-2.0',
  },
  {
    release: 'mpi-operator 0.8',
    module: 'github.com/kubeflow/mpi-operator',
    version: 'v0.8.0',
    files: ['manifests/base/kubeflow.org_mpijobs.yaml'],
    license: 'Apache-2.0',
  },
  {
    release: 'KubeRay 1.6',
    module: 'github.com/ray-project/kuberay/ray-operator',
    version: 'v1.6.0',
    files: rayKinds.map((kind) => `config/crd/bases/ray.io_${kind}.yaml`),
    later: [{ kind: 'RayService', at: ['spec', 'suspend'], schema: { type: 'boolean' } }],
    license: 'Apache-2.0',
  },
  {
    release: 'AppWrapper 1.2',
    module: 'github.com/project-codeflare/appwrapper',
    version: 'v1.2.0',
    files: ['config/crd/bases/workload.codeflare.dev_appwrappers.yaml'],
    license: 'Apache-2.0',
  },
  {
    release: 'Tekton Pipelines 1.15',
    module: 'github.com/tektoncd/pipeline',
    version: 'v1.15.0',
    files: ['config/300-crds/300-pipelinerun.yaml', 'config/300-crds/300-taskrun.yaml'],
    license: 'Apache-2.0',
  },
  {
    release: 'LeaderWorkerSet 0.8',
    module: 'sigs.k8s.io/lws',
    version: 'v0.8.0',
    files: ['config/crd/bases/leaderworkerset.x-k8s.io_leaderworkersets.yaml'],
    later: [
      {
        kind: 'LeaderWorkerSet',
        at: ['spec', 'leaderWorkerTemplate', 'restartPolicy'],
        schema: { enum: ['Default', 'RecreateGroupOnPodRestart', 'RecreateGroupAfterStart', 'None'] },
      },
    ],
    license: 'Apache-2.0',
  },
  {
    release: 'Spark operator 2.5',
    module: 'github.com/kubeflow/spark-operator/v2',
    version: 'v2.5.0',
    files: ['config/crd/bases/sparkoperator.k8s.io_sparkapplications.yaml'],
    license: 'Apache-2.0',
  },
];

/** The CRDs of a release as they are. Needs Go, unless its module cache has the module already. */
export function readCrds({ module, version, files }: CrdSource): readonly CrdDocument[] {
  const folder = moduleFolder(module, version);
  return files.flatMap((file) =>
    parseAllDocuments(readFileSync(path.join(folder, file), 'utf8'))
      .map((document): CrdDocument => document.toJS())
      .filter((document) => document?.kind === 'CustomResourceDefinition'),
  );
}

/** Where the module lies in Go's module cache. It is put there if need be. */
function moduleFolder(module: string, version: string): string {
  const { GOMODCACHE, GOPATH = path.join(homedir(), 'go') } = process.env;
  const likely = path.join(GOMODCACHE ?? path.join(GOPATH, 'pkg', 'mod'), `${module}@${version}`);
  if (existsSync(likely)) return likely;
  const output = execFileSync('go', ['mod', 'download', '-json', `${module}@${version}`], { encoding: 'utf8' });
  return JSON.parse(output).Dir;
}

function minorOf(version: string): string {
  return version.slice(1).split('.').slice(0, 2).join('.');
}
