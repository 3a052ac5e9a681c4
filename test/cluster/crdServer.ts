import type { CrdDocument } from '../../scripts/schemas/crdSchema.ts';
import { type CrdSource, crdSources, readCrds } from '../../scripts/schemas/crdSources.ts';
import { isJsonObject, type JsonObject } from '../../src/base/index.ts';
import type { Answer, Api } from './api.ts';
import { listOf, partOf, until } from './world.ts';

/** A real kube-apiserver that knows the kinds of the ecosystem, without their operators. */
export interface CrdServer {
  /** What it says to the creation of an object, as a dry run with strict field validation. */
  create(object: JsonObject): Promise<Answer>;
  /** Creates an object for good, and answers what is then stored. */
  store(object: JsonObject): Promise<JsonObject>;
  /** What it says to a PUT in place of the stored object, as a dry run. */
  replace(object: JsonObject): Promise<Answer>;
}

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const coreKinds = {
  Pod: 'pods',
  Deployment: 'deployments',
  StatefulSet: 'statefulsets',
  Job: 'jobs',
  CronJob: 'cronjobs',
};

/** Installs the CRDs, of each operator those of its newest release, and makes the namespace. */
export async function openCrdServer(api: Api, namespace: string): Promise<CrdServer> {
  const documents = newestOfEach(crdSources.flatMap((source) => readCrds(source).map((crd) => ({ source, crd }))));
  await installCrds(api, documents);
  const resources = new Map<string, string>(Object.entries(coreKinds));
  for (const { spec } of documents) resources.set(`${spec.group}/${spec.names.kind}`, spec.names.plural);
  await api.request('POST', '/api/v1/namespaces', { metadata: { name: namespace } });

  const folderOf = (object: JsonObject): string => {
    const apiVersion = String(object['apiVersion']);
    const kind = String(object['kind']);
    const resource = resources.get(`${apiVersion.split('/')[0]}/${kind}`) ?? resources.get(kind);
    const root = apiVersion.includes('/') ? '/apis' : '/api';
    return `${root}/${apiVersion}/namespaces/${namespace}/${resource}`;
  };
  const strictly = 'fieldValidation=Strict&dryRun=All';
  return {
    create: (object) => api.request('POST', `${folderOf(object)}?${strictly}`, object),
    async store(object) {
      const { status, body } = await api.request('POST', folderOf(object), object);
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body;
    },
    replace: (object) =>
      api.request('PUT', `${folderOf(object)}/${String(partOf(object, 'metadata')['name'])}?${strictly}`, object),
  };
}

/** Makes the server know these kinds; resolves once they are established. One that is there already stays as it is. */
export async function installCrds(api: Api, documents: readonly CrdDocument[]): Promise<void> {
  for (const crd of documents) {
    const { status, body } = await api.request('POST', crds, withoutConversion(crd));
    if (status !== 201 && status !== 409) throw new Error(`${crd.metadata.name}: ${JSON.stringify(body)}`);
  }
  for (const { metadata } of documents) {
    await until(`${metadata.name} is established`, async () => {
      const { body } = await api.request('GET', `${crds}/${metadata.name}`);
      const isThere = listOf(partOf(body, 'status')['conditions']).some(
        ({ type, status }) => type === 'Established' && status === 'True',
      );
      return isThere || undefined;
    });
  }
}

interface Found {
  readonly source: CrdSource;
  readonly crd: CrdDocument;
}

/**
 * One CRD of each name. Two operators share the name of MPIJobs, each with a version of its own: both versions go into
 * one CRD, which no cluster with one of the operators could have.
 */
function newestOfEach(found: readonly Found[]): readonly CrdDocument[] {
  const byName = new Map<string, Found>();
  for (const { source, crd } of found) {
    const before = byName.get(crd.metadata.name);
    if (before === undefined) byName.set(crd.metadata.name, { source, crd });
    else if (before.source.module !== source.module) {
      const further = crd.spec.versions.map((version) => ({ ...version, storage: false }));
      const versions = [...before.crd.spec.versions, ...further];
      byName.set(crd.metadata.name, { source, crd: { ...before.crd, spec: { ...before.crd.spec, versions } } });
    }
  }
  return [...byName.values()].map(({ crd }) => crd);
}

/** Nobody answers for an operator's conversion webhook here. */
function withoutConversion(crd: CrdDocument): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify({ ...crd, status: undefined }));
  if (!isJsonObject(copy)) throw new Error('A CRD is an object.');
  const { conversion: _conversion, ...spec } = partOf(copy, 'spec');
  return { ...copy, spec };
}
