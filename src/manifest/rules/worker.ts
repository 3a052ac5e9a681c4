import { isJsonObject } from '../../base/index.ts';
import { placeOf } from '../locate.ts';
import { nodeAt, plainValueOf, stringAt } from '../nodes.ts';
import { managedByUrl, type Rule, type RuleSubject } from './rule.ts';

/** What a Job asks of its cluster that a worker cluster may not have. For Jobs and CronJobs that name a controller. */

interface Delegated {
  readonly specPath: readonly string[];
  readonly podPath: readonly string[];
}

function delegated({ root, kind }: RuleSubject): Delegated | undefined {
  if (kind.podTemplate === undefined || kind.managedBy === undefined) return undefined;
  const name = stringAt(root, kind.managedBy.path);
  if (name === undefined || name === '' || name === kind.managedBy.builtIn) return undefined;
  return { specPath: kind.podTemplate.slice(0, -1), podPath: [...kind.podTemplate, 'spec'] };
}

const manualSelectorRule: Rule = {
  code: 'delegated-manual-selector',
  severity: 'warning',
  says: "A mirror on another cluster gets its own selector: a Job that brings one can't be mirrored.",
  source: 'B40, E7, E10',
  url: managedByUrl,
  check(subject) {
    const own = delegated(subject);
    if (own === undefined) return [];
    const path = [...own.specPath, 'manualSelector'];
    const node = nodeAt(subject.root, path);
    if (node?.kind !== 'scalar' || node.value !== true) return [];
    const message =
      'A delegated Job cannot choose its own selector: the worker cluster generates one for the mirror. Leave it out.';
    return [{ span: placeOf(subject.root, path, 'key', subject.text), field: path.join('.'), message }];
  },
};

const nodeNameRule: Rule = {
  code: 'delegated-node-name',
  severity: 'warning',
  says: 'A node is one of its own cluster: a delegated Job that names one waits for it for ever.',
  source: 'Kubernetes, core/v1 PodSpec, nodeName',
  check(subject) {
    const own = delegated(subject);
    if (own === undefined) return [];
    const places = [
      [...own.podPath, 'nodeName'],
      [...own.podPath, 'nodeSelector', 'kubernetes.io/hostname'],
    ];
    return places.flatMap((path) => {
      const name = stringAt(subject.root, path);
      if (name === undefined || name === '') return [];
      const message = `The pods run on another cluster, which hardly has a node named '${name}'. Select nodes by labels that the workers share.`;
      return [{ span: placeOf(subject.root, path, 'value', subject.text), field: path.join('.'), message }];
    });
  },
};

const shortTtlRule: Rule = {
  code: 'delegated-short-ttl',
  severity: 'information',
  says: 'When a delegated Job is removed, its mirror goes with it, and with that the pods and their logs.',
  source: 'Kubernetes, TTL after finished; Kueue 0.19, MultiKueue',
  check(subject) {
    const own = delegated(subject);
    if (own === undefined) return [];
    const path = [...own.specPath, 'ttlSecondsAfterFinished'];
    const node = nodeAt(subject.root, path);
    if (node?.kind !== 'scalar' || typeof node.value !== 'number' || node.value < 0 || node.value >= 60) return [];
    const message = `The Job goes ${node.value} s after its end, and with it the mirror, the pods and their logs on the worker: hardly time to look.`;
    return [{ span: placeOf(subject.root, path, 'value', subject.text), field: path.join('.'), message }];
  },
};

const referencesRule: Rule = {
  code: 'delegated-references',
  severity: 'hint',
  says: 'Only the Job itself is copied to a worker: what its pods refer to must be there already.',
  source: 'Kueue 0.19, MultiKueue',
  check(subject) {
    const own = delegated(subject);
    const pod = own === undefined ? undefined : nodeAt(subject.root, own.podPath);
    if (own === undefined || pod === undefined) return [];
    const references = referencesIn(plainValueOf(pod));
    if (references.length === 0) return [];
    const listed = references.length > 4 ? [...references.slice(0, 3), `${references.length - 3} more`] : references;
    const message = `On the worker cluster, in the same namespace, this needs ${listed.join(', ')}: nobody copies them there.`;
    return [{ span: placeOf(subject.root, own.podPath, 'key', subject.text), field: own.podPath.join('.'), message }];
  },
};

/** Fields that hold the name of another object, and what that object is. */
const referenceFields: readonly (readonly [holder: string, name: string, what: string])[] = [
  ['configMap', 'name', 'ConfigMap'],
  ['configMapRef', 'name', 'ConfigMap'],
  ['configMapKeyRef', 'name', 'ConfigMap'],
  ['secret', 'secretName', 'Secret'],
  ['secret', 'name', 'Secret'],
  ['secretRef', 'name', 'Secret'],
  ['secretKeyRef', 'name', 'Secret'],
  ['persistentVolumeClaim', 'claimName', 'PersistentVolumeClaim'],
];

function referencesIn(pod: unknown): readonly string[] {
  const found = new Set<string>();
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) walk(item);
    if (!isJsonObject(value)) return;
    for (const [key, member] of Object.entries(value)) {
      for (const [holder, field, what] of referenceFields) {
        const name = key === holder && isJsonObject(member) ? member[field] : undefined;
        if (typeof name === 'string' && name !== '') found.add(`${what} '${name}'`);
      }
      walk(member);
    }
  };
  walk(pod);
  if (isJsonObject(pod)) {
    const account = pod['serviceAccountName'];
    if (typeof account === 'string' && account !== '' && account !== 'default')
      found.add(`ServiceAccount '${account}'`);
    const secrets = pod['imagePullSecrets'];
    for (const secret of Array.isArray(secrets) ? secrets : []) {
      const name = isJsonObject(secret) ? secret['name'] : undefined;
      if (typeof name === 'string' && name !== '') found.add(`Secret '${name}'`);
    }
  }
  return [...found];
}

export const workerRules: readonly Rule[] = [manualSelectorRule, nodeNameRule, shortTtlRule, referencesRule];
