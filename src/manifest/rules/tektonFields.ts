import { renameKey } from '../edits.ts';
import type { Fix } from '../finding.ts';
import { nearMiss } from '../nearMiss.ts';
import { filledAt, itemsAt, type MapEntry, type MapNode } from '../yaml/nodes.ts';
import type { Path, Refuse } from './refusal.ts';
import type { Breach, RuleSubject } from './rule.ts';

/**
 * The fields of what a run of Tekton writes out. Its CRDs leave them open, and its webhook, which decodes strictly, does
 * not. Source: Tekton Pipelines 1.15, the types of pkg/apis/pipeline/v1.
 */

const shared = ['description', 'displayName', 'params', 'results', 'workspaces'];
const taskFields = [...shared, 'sidecars', 'stepTemplate', 'steps', 'volumes'];
const fields = {
  pipeline: [...shared, 'finally', 'tasks'],
  pipelineTask: [
    ...['description', 'displayName', 'matrix', 'name', 'onError', 'params', 'pipelineRef', 'pipelineSpec', 'retries'],
    ...['runAfter', 'taskRef', 'taskSpec', 'timeout', 'when', 'workspaces'],
  ],
  task: taskFields,
  // A custom task has fields of its own in its spec.
  embeddedTask: [...taskFields, 'apiVersion', 'kind', 'metadata', 'spec'],
  step: [
    ...['args', 'command', 'computeResources', 'displayName', 'env', 'envFrom', 'image', 'imagePullPolicy', 'name'],
    ...['onError', 'params', 'ref', 'results', 'script', 'securityContext', 'stderrConfig', 'stdoutConfig', 'timeout'],
    ...['volumeDevices', 'volumeMounts', 'when', 'workingDir', 'workspaces'],
  ],
} as const;

export function tektonFieldFaults(subject: RuleSubject, refuse: Refuse): readonly Breach[] {
  // The older version has other fields.
  if (subject.apiVersion !== 'tekton.dev/v1') return [];
  const unknown = (path: Path, type: keyof typeof fields): readonly Breach[] =>
    unknownIn(subject, path, fields[type], refuse);
  const steps = (path: Path): readonly Breach[] =>
    itemsAt(subject.root, [...path, 'steps']).flatMap((_, index) => unknown([...path, 'steps', index], 'step'));
  if (subject.kind.kind === 'TaskRun') {
    const path = ['spec', 'taskSpec'];
    return [...unknown(path, 'task'), ...steps(path)];
  }
  const path = ['spec', 'pipelineSpec'];
  const tasks = ['tasks', 'finally'].flatMap((key) =>
    itemsAt(subject.root, [...path, key]).map((_, index) => [...path, key, index]),
  );
  return [
    ...unknown(path, 'pipeline'),
    ...tasks.flatMap((at) => [
      ...unknown(at, 'pipelineTask'),
      ...unknown([...at, 'taskSpec'], 'embeddedTask'),
      ...steps([...at, 'taskSpec']),
    ]),
  ];
}

function unknownIn(subject: RuleSubject, path: Path, known: readonly string[], refuse: Refuse): readonly Breach[] {
  const holder = filledAt(subject.root, path);
  if (holder?.kind !== 'map') return [];
  // Go tells no case apart.
  const spellings = new Set(known.map((field) => field.toLowerCase()));
  return holder.entries.flatMap((entry): readonly Breach[] => {
    if (spellings.has(entry.key.toLowerCase()) || entry.key.startsWith('$')) return [];
    const answer = `unknown field "${entry.key}"`;
    const fixes = renamings(subject, holder, entry, known);
    return [refuse([...path, entry.key], 'There is no such field here.', answer, { place: 'key', fixes })];
  });
}

function renamings({ text }: RuleSubject, holder: MapNode, entry: MapEntry, known: readonly string[]): readonly Fix[] {
  const written = new Set(holder.entries.map(({ key }) => key));
  const meant = nearMiss(
    entry.key,
    known.filter((field) => !written.has(field)),
  );
  if (meant === undefined) return [];
  return [{ title: `Rename to '${meant}'`, edits: [renameKey(entry, meant, text)], isPreferred: true }];
}
