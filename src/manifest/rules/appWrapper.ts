import { placeOf } from '../locate.ts';
import { type ManifestNode, nodeAt, stringAt } from '../nodes.ts';
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

function componentsOf({ root, kind }: RuleSubject): readonly Component[] {
  const list = kind.kind === 'AppWrapper' ? nodeAt(root, ['spec', 'components']) : undefined;
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
      if (stringAt(node, ['template', 'kind']) === 'AppWrapper') {
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
    if (subject.isPartial || components.length === 0) return [];
    const wrong = components.flatMap(({ path, node }) => badPaths(subject, path, node));
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
  const field = path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`));
  return {
    span: placeOf(root, path, 'value', text),
    field: field.join(''),
    type,
    message: `AppWrapper does not take this. (${webhook}: ${reason})`,
    source: webhook,
  };
}

export const appWrapperRules: readonly Rule[] = [componentRule, podSetsRule];
