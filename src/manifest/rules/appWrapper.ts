import { pathText, placeOf } from '../locate.ts';
import { filledAt, itemsAt, type ManifestNode, nodeAt, numberAt, stringAt } from '../yaml/nodes.ts';
import { type Path, repeated } from './refusal.ts';
import type { Breach, Rule, RuleSubject } from './rule.ts';

/** What AppWrapper's webhook asks of the objects that are wrapped. */

const webhook = 'webhook of AppWrapper 1.2';

/** Kinds in which AppWrapper finds the pod templates by itself. */
const knownTemplates: ReadonlySet<string> = new Set([
  'batch/v1 Job',
  'jobset.x-k8s.io/v1alpha2 JobSet',
  'kubeflow.org/v1 PyTorchJob',
  'ray.io/v1 RayCluster',
  'ray.io/v1 RayJob',
  'v1 Pod',
  'apps/v1 Deployment',
  'apps/v1 StatefulSet',
]);

interface Component {
  readonly path: readonly (string | number)[];
  readonly node: ManifestNode;
}

/** Of a stored AppWrapper they can't be changed, and aren't looked at again. */
function componentsOf({ root, kind, old }: RuleSubject): readonly Component[] {
  const isNew = kind.kind === 'AppWrapper' && old === undefined;
  const list = isNew ? nodeAt(root, ['spec', 'components']) : undefined;
  return list?.kind === 'sequence'
    ? list.items.map((node, index) => ({ path: ['spec', 'components', index], node }))
    : [];
}

const componentRule: Rule = {
  code: 'app-wrapper-component',
  severity: 'error',
  says: 'An AppWrapper wraps objects of its own namespace, and no other AppWrapper.',
  source: 'AppWrapper 1.2, webhook',
  check(subject) {
    const namespace = stringAt(subject.root, ['metadata', 'namespace']);
    return componentsOf(subject).flatMap(({ path, node }): readonly Breach[] => {
      const template = [...path, 'template'];
      if (kindIn(node) === 'workload.codeflare.dev/v1beta2 AppWrapper') {
        return [breach(subject, template, ['kind'], 'Forbidden', 'nested AppWrappers are forbidden')];
      }
      const inner = stringAt(node, ['template', 'metadata', 'namespace']);
      // Without a namespace of its own, the AppWrapper goes into that of whoever applies it.
      if (inner === undefined || inner === '' || namespace === undefined || inner === namespace) return [];
      return [
        breach(
          subject,
          [...template, 'metadata'],
          ['namespace'],
          'Forbidden',
          'objects of other namespaces are forbidden',
        ),
      ];
    });
  },
};

const podSetsRule: Rule = {
  code: 'app-wrapper-pod-sets',
  severity: 'error',
  says: 'An AppWrapper holds pod templates: those of kinds that it knows, or those that podSets lead to, beginning at template.',
  source: 'AppWrapper 1.2, webhook',
  check(subject) {
    const components = componentsOf(subject);
    // Without the list, the CRD has something to say.
    const isList =
      subject.kind.kind === 'AppWrapper' && nodeAt(subject.root, ['spec', 'components'])?.kind === 'sequence';
    if (subject.isPartial || subject.old !== undefined || !isList) return [];
    const wrong = components.flatMap(({ path, node }) => {
      const bad = badPaths(subject, path, node);
      return bad.length > 0 ? bad : otherPodSets(subject, path, node);
    });
    const holdsPods = components.some(({ node }) => hasPodSets(node) || knownTemplates.has(kindIn(node)));
    if (holdsPods) return wrong;
    return [...wrong, breach(subject, ['spec'], ['components'], 'Invalid', 'components contains no podspecs')];
  },
};

function kindIn(component: ManifestNode): string {
  return `${stringAt(component, ['template', 'apiVersion']) ?? ''} ${stringAt(component, ['template', 'kind']) ?? ''}`;
}

function hasPodSets(component: ManifestNode): boolean {
  const podSets = nodeAt(component, ['podSets']);
  return podSets?.kind === 'sequence' && podSets.items.length > 0;
}

/** Paths of podSets that lead to no map with a spec. */
function badPaths(
  subject: RuleSubject,
  componentPath: readonly (string | number)[],
  component: ManifestNode,
): readonly Breach[] {
  const podSets = nodeAt(component, ['podSets']);
  if (podSets?.kind !== 'sequence') return [];
  return podSets.items.flatMap((podSet, index) => {
    const written = stringAt(podSet, ['path']);
    if (written === undefined || nodeAt(component, [...stepsOf(written), 'spec'])?.kind === 'map') return [];
    const at = [...componentPath, 'podSets', index];
    const reason = written.startsWith('template')
      ? `path does not refer to a v1.PodSpecTemplate`
      : "the path begins with 'template'";
    return [breach(subject, at, ['path'], 'Invalid', reason)];
  });
}

/** Pod sets that are declared although AppWrapper finds them by itself, and otherwise. */
function otherPodSets(subject: RuleSubject, componentPath: Path, component: ManifestNode): readonly Breach[] {
  const path = [...componentPath, 'podSets'];
  const declared = itemsAt(component, ['podSets']);
  const [twice] = repeated(declared, 'path');
  if (twice !== undefined) {
    return [breach(subject, [...path, twice.index], ['path'], 'Invalid', 'multiple DeclaredPodSets with one path')];
  }
  const found = podSetsIn(component);
  if (found === undefined || declared.length === 0) return [];
  if (found.length !== declared.length) {
    const reason = `DeclaredPodSet count ${declared.length} differs from inferred count ${found.length}`;
    return [breach(subject, path.slice(0, -1), ['podSets'], 'Invalid', reason)];
  }
  return found.flatMap(({ path: wanted, replicas }): readonly Breach[] => {
    const index = declared.findIndex((podSet) => stringAt(podSet, ['path']) === wanted);
    if (index < 0)
      return [breach(subject, componentPath, ['podSets'], 'Invalid', `PodSet with path '${wanted}' is missing`)];
    const said = amountAt(declared[index], 'replicas', 1);
    if (said === undefined || replicas === undefined || said === replicas) return [];
    const reason = `replica count ${said} differs from inferred count ${replicas}`;
    return [breach(subject, [...path, index], ['replicas'], 'Invalid', reason)];
  });
}

/** The pod sets that AppWrapper finds in a Job or JobSet by itself; of what a placeholder counts, the number is open. */
function podSetsIn(
  component: ManifestNode,
): readonly { readonly path: string; readonly replicas?: number }[] | undefined {
  const kind = kindIn(component);
  if (kind === 'batch/v1 Job') {
    return [{ path: 'template.spec.template', ...counted(podsOf(nodeAt(component, ['template', 'spec']))) }];
  }
  if (kind !== 'jobset.x-k8s.io/v1alpha2 JobSet') return undefined;
  return itemsAt(component, ['template', 'spec', 'replicatedJobs']).map((job, index) => {
    const [jobs, pods] = [amountAt(job, 'replicas', 1), podsOf(nodeAt(job, ['template', 'spec']))];
    const path = `template.spec.replicatedJobs[${index}].template.spec.template`;
    return { path, ...counted(jobs === undefined || pods === undefined ? undefined : jobs * pods) };
  });
}

function counted(replicas: number | undefined): { readonly replicas?: number } {
  return replicas === undefined ? {} : { replicas };
}

/** How many pods of a Job run at a time. */
function podsOf(spec: ManifestNode | undefined): number | undefined {
  const [parallelism, completions] = [
    amountAt(spec, 'parallelism', 1),
    amountAt(spec, 'completions', Number.MAX_VALUE),
  ];
  return parallelism === undefined || completions === undefined ? undefined : Math.min(parallelism, completions);
}

/** A whole number, another where there is none, and undefined for what is no whole number. */
function amountAt(holder: ManifestNode | undefined, key: string, otherwise: number): number | undefined {
  if (filledAt(holder, [key]) === undefined) return otherwise;
  const amount = numberAt(holder, [key]);
  return Number.isInteger(amount) ? amount : undefined;
}

/** `template.spec.replicatedJobs[0].template` as steps. */
function stepsOf(path: string): readonly (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, key = '']) =>
    index === undefined ? key : Number(index),
  );
}

function breach(
  { root, text }: RuleSubject,
  holder: readonly (string | number)[],
  last: readonly string[],
  type: 'Forbidden' | 'Invalid',
  reason: string,
): Breach {
  const path = [...holder, ...last];
  return {
    span: placeOf(root, path, 'value', text),
    field: pathText(path),
    type,
    message: `AppWrapper does not take this. (${webhook}: ${reason})`,
    source: webhook,
  };
}

export const appWrapperRules: readonly Rule[] = [componentRule, podSetsRule];
