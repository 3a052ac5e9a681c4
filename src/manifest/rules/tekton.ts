import { durationMs, hourMs } from '../goDuration.ts';
import { entryOf, filledAt, itemsAt, type ManifestNode, numberAt, stringAt } from '../yaml/nodes.ts';
import { type Path, type Refuse, refuserOf, renaming, repeated } from './refusal.ts';
import { type Breach, type RuleSubject, removalFixes } from './rule.ts';
import { tektonFieldFaults } from './tektonFields.ts';

/** What Tekton's webhook asks of a PipelineRun or TaskRun. Source: Tekton Pipelines 1.15, Validate of both kinds. */

const longestLabel = 63;

interface RunKind {
  readonly ref: string;
  readonly spec: string;
  readonly statuses: readonly string[];
}

const pipelineRun: RunKind = {
  ref: 'pipelineRef',
  spec: 'pipelineSpec',
  statuses: ['Cancelled', 'CancelledRunFinally', 'StoppedRunFinally', 'PipelineRunPending'],
};
const taskRun: RunKind = { ref: 'taskRef', spec: 'taskSpec', statuses: ['TaskRunCancelled', 'TaskRunPending'] };

export function tektonFaults(subject: RuleSubject): readonly Breach[] {
  const { kind, root } = subject;
  const isPipeline = kind.kind === 'PipelineRun';
  const own = isPipeline ? pipelineRun : taskRun;
  const refuse = refuserOf(subject, 'webhook of Tekton Pipelines 1.15', true);
  return [
    ...referenceFaults(root, ['spec'], own.ref, own.spec, refuse),
    ...(isPipeline ? taskFaults(root, refuse) : stepFaults(root, ['spec', 'taskSpec'], refuse)),
    ...tektonFieldFaults(subject, refuse),
    ...statusFaults(subject, own.statuses, refuse),
    ...repeated(itemsAt(root, ['spec', 'params']), 'name', true).map(({ index, value }) =>
      refuse(
        ['spec', 'params', index, 'name'],
        `The parameter '${value}' is given twice.`,
        'expected exactly one, got both',
      ),
    ),
    ...workspaceFaults(root, isPipeline, refuse),
    ...timeoutFaults(subject, refuse),
    ...(isPipeline ? [] : retryFaults(root, refuse)),
  ];
}

/** What runs is referred to or written out, and a reference leads somewhere. */
function referenceFaults(
  root: ManifestNode,
  holder: Path,
  ref: string,
  spec: string,
  refuse: Refuse,
): readonly Breach[] {
  const [isReferred, isWritten] = [ref, spec].map((key) => filledAt(root, [...holder, key]) !== undefined);
  if (!isReferred && !isWritten) {
    return [
      refuse(holder, `Nothing says what runs: '${ref}' or '${spec}' does.`, 'expected exactly one, got neither', {
        place: 'key',
      }),
    ];
  }
  if (isReferred && isWritten) {
    const said = `What runs is said twice: either '${ref}' or '${spec}' does.`;
    return [refuse([...holder, spec], said, 'expected exactly one, got both', { place: 'key' })];
  }
  if (!isReferred) return [];
  const path = [...holder, ref];
  const reference = filledAt(root, path);
  if (reference?.kind !== 'map' || filledAt(reference, ['bundle']) !== undefined) return [];
  const [name, resolver] = ['name', 'resolver'].map((key) => isSaid(filledAt(reference, [key])));
  const hasParams = filledAt(reference, ['params']) !== undefined;
  if (hasParams && !resolver) {
    return [
      refuse(
        path,
        "Parameters of a reference are for its 'resolver', which is missing.",
        'missing field(s): resolver',
        { place: 'key' },
      ),
    ];
  }
  if (name || resolver || hasParams) return [];
  return [refuse(path, "A reference has a 'name' or a 'resolver'.", 'missing field(s): name', { place: 'key' })];
}

function isSaid(node: ManifestNode | undefined): boolean {
  return node !== undefined && !(node.kind === 'scalar' && node.value === '');
}

/** The tasks of a pipeline that is written out. */
function taskFaults(root: ManifestNode, refuse: Refuse): readonly Breach[] {
  const holder = ['spec', 'pipelineSpec'];
  const lists = ['tasks', 'finally'].map((key) => ({ path: [...holder, key], items: itemsAt(root, [...holder, key]) }));
  const first = lists[0]?.items ?? [];
  const names = new Set(first.map((task) => stringAt(task, ['name'])));
  const pipeline = filledAt(root, holder);
  if (pipeline?.kind === 'map' && !pipeline.entries.some(({ value }) => saysSomething(value))) {
    return [refuse(holder, 'A pipeline has tasks.', 'expected at least one, got none', { place: 'key' })];
  }
  return [
    ...lists.flatMap(({ path, items }) =>
      items.flatMap((task, index): readonly Breach[] => {
        const at = [...path, index];
        // A pipeline in a pipeline, and a custom task, have rules of their own.
        if (task.kind !== 'map' || ['pipelineRef', 'pipelineSpec'].some((key) => entryOf(task, key))) return [];
        return [
          ...taskNameFaults(task, [...at, 'name'], refuse),
          ...referenceFaults(root, at, 'taskRef', 'taskSpec', refuse),
          ...stepFaults(root, [...at, 'taskSpec'], refuse),
        ];
      }),
    ),
    ...repeated(
      lists.flatMap(({ items }) => items),
      'name',
    ).map(({ index, value }) => {
      const path = index < first.length ? [...holder, 'tasks', index] : [...holder, 'finally', index - first.length];
      return refuse([...path, 'name'], `Another task is called '${value}'.`, 'expected exactly one, got both');
    }),
    ...first.flatMap((task, index) =>
      itemsAt(task, ['runAfter']).flatMap((item, place): readonly Breach[] => {
        const wanted = item.kind === 'scalar' && typeof item.value === 'string' ? item.value : undefined;
        if (wanted === undefined || names.has(wanted)) return [];
        const path = [...holder, 'tasks', index, 'runAfter', place];
        return [
          refuse(path, `There is no task '${wanted}'.`, `task depends on ${wanted} but it wasn't present in Pipeline`),
        ];
      }),
    ),
  ];
}

function saysSomething(node: ManifestNode): boolean {
  if (node.kind === 'scalar') return node.value !== null && node.value !== '';
  return node.kind === 'sequence' ? node.items.length > 0 : node.entries.length > 0;
}

function taskNameFaults(task: ManifestNode, path: Path, refuse: Refuse): readonly Breach[] {
  const name = filledAt(task, ['name']);
  if (!isSaid(name)) return [refuse(path, 'A task has a name.', 'invalid value', { place: 'key' })];
  const text = stringAt(task, ['name']);
  if (text === undefined || (text.length <= longestLabel && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text))) return [];
  return [refuse(path, `'${text}' can't be the name of a task: it is a DNS label.`, 'invalid value')];
}

/** The steps of a task that is written out. */
function stepFaults(root: ManifestNode, path: Path, refuse: Refuse): readonly Breach[] {
  const task = filledAt(root, path);
  // A custom task has no steps.
  if (task?.kind !== 'map' || entryOf(task, 'apiVersion') !== undefined) return [];
  const steps = filledAt(task, ['steps']);
  if (steps === undefined || !saysSomething(steps)) {
    return [refuse([...path, 'steps'], 'A task has one step at least.', 'missing field(s): steps', { place: 'key' })];
  }
  const hasCommonImage = isSaid(filledAt(task, ['stepTemplate', 'image']));
  const twice = repeated(itemsAt(task, ['steps']), 'name').map(({ index, value }) => {
    const said = `Another step is called '${value}'.`;
    return refuse([...path, 'steps', index, 'name'], said, 'expected exactly one, got both');
  });
  const faults = itemsAt(task, ['steps']).flatMap((step, index): readonly Breach[] => {
    const at = [...path, 'steps', index];
    if (step.kind !== 'map' || entryOf(step, 'ref') !== undefined) return [];
    const breaches: Breach[] = [];
    if (!hasCommonImage && !isSaid(filledAt(step, ['image']))) {
      breaches.push(refuse([...at, 'image'], 'A step has an image.', 'missing field(s): Image'));
    }
    if (isSaid(filledAt(step, ['script'])) && itemsAt(step, ['command']).length > 0) {
      const said = "A step runs a 'script' or a 'command', not both.";
      breaches.push(refuse([...at, 'command'], said, 'script cannot be used with command', { place: 'key' }));
    }
    return breaches;
  });
  return [...twice, ...faults];
}

function statusFaults(subject: RuleSubject, allowed: readonly string[], refuse: Refuse): readonly Breach[] {
  const path = ['spec', 'status'];
  const status = stringAt(subject.root, path) ?? '';
  if (status === '') {
    const message = ['spec', 'statusMessage'];
    if (subject.kind.kind === 'PipelineRun' || !isSaid(filledAt(subject.root, message))) return [];
    const said = "A message belongs to a 'status', and there is none.";
    const fixes = removalFixes(subject, message);
    return [refuse(message, said, 'statusMessage should not be set if status is not set', { place: 'key', fixes })];
  }
  if (allowed.includes(status)) return [];
  const said = `A ${subject.kind.kind} can't be asked for '${status}'.`;
  return [refuse(path, said, `should be ${allowed.join(', ')}`, { fixes: renaming(subject, path, allowed) })];
}

/** Where a workspace's files are, each with what it can't be without and the CRD doesn't ask for. */
const sources: Readonly<Record<string, readonly string[]>> = {
  volumeClaimTemplate: [],
  persistentVolumeClaim: [],
  emptyDir: [],
  configMap: ['name'],
  secret: ['secretName'],
  projected: ['sources'],
  csi: [],
};

function workspaceFaults(root: ManifestNode, isPipeline: boolean, refuse: Refuse): readonly Breach[] {
  const path = ['spec', 'workspaces'];
  const items = itemsAt(root, path);
  return [
    ...items.flatMap((workspace, index): readonly Breach[] => {
      const at = [...path, index];
      if (workspace.kind !== 'map') return [];
      const [source, second] = Object.keys(sources).filter((key) => filledAt(workspace, [key]) !== undefined);
      if (source === undefined) {
        const said = `Nothing says where the files of the workspace are: one of ${Object.keys(sources).join(', ')} does.`;
        return [refuse(at, said, 'expected exactly one, got neither')];
      }
      if (second !== undefined) {
        const said = `The files of the workspace are at one place, '${source}' or '${second}'.`;
        return [refuse([...at, second], said, 'expected exactly one, got both', { place: 'key' })];
      }
      return (sources[source] ?? []).flatMap((key): readonly Breach[] => {
        const value = filledAt(workspace, [source, key]);
        if (value !== undefined && saysSomething(value)) return [];
        return [
          refuse([...at, source, key], `'${key}' is missing here.`, `missing field(s): ${source}.${key}`, {
            place: 'key',
          }),
        ];
      });
    }),
    ...repeated(items, 'name', !isPipeline).map(({ index, value }) => {
      const said = `The workspace '${value}' is given twice.`;
      return refuse([...path, index, 'name'], said, 'workspace provided more than once');
    }),
  ];
}

/** Durations that Go can read, and of which the parts of a pipeline don't last longer than the whole. */
function timeoutFaults({ kind, root }: RuleSubject, refuse: Refuse): readonly Breach[] {
  const holder = ['spec', 'timeouts'];
  const breaches: Breach[] = [];
  const read = (path: Path): number | undefined => {
    const text = stringAt(root, path);
    if (text === undefined) return undefined;
    const ms = durationMs(text);
    if (ms === undefined) {
      breaches.push(refuse(path, `'${text}' is no duration: '90m' and '1h30m' are.`, 'time: invalid duration'));
    } else if (ms < 0) breaches.push(refuse(path, 'A run lasts no negative time.', 'should be >= 0'));
    return ms;
  };
  read(['spec', 'timeout']);
  if (kind.kind !== 'PipelineRun' || filledAt(root, holder)?.kind !== 'map') return breaches;
  const [written, tasks, last] = ['pipeline', 'tasks', 'finally'].map((key) => read([...holder, key]));
  const isWritten = filledAt(root, [...holder, 'pipeline']) !== undefined;
  if (breaches.length > 0 || (isWritten && written === undefined)) return breaches;
  const whole = written ?? hourMs;
  // A pipeline without end leaves its parts as much time as they like.
  if (whole === 0) return [];
  const tooLong = (key: string, what: string): Breach => {
    const said = `${what} than ${isWritten ? "the pipeline's own time" : 'the hour that a pipeline has by default'}.`;
    const breach = refuse([...holder, key], said, 'should be <= pipeline duration');
    // Whoever installed Tekton may have set another default.
    return isWritten ? breach : { ...breach, severity: 'warning' };
  };
  const alone = Object.entries({ tasks, finally: last }).flatMap(([key, ms]): readonly Breach[] => {
    if (ms === undefined || (ms !== 0 && ms <= whole)) return [];
    return [tooLong(key, ms === 0 ? `'${key}' without an end lasts longer` : `'${key}' lasts longer`)];
  });
  if (alone.length > 0 || tasks === undefined || last === undefined || tasks + last <= whole) return alone;
  return [tooLong('finally', "'tasks' and 'finally' together last longer")];
}

function retryFaults(root: ManifestNode, refuse: Refuse): readonly Breach[] {
  const path = ['spec', 'retries'];
  const retries = numberAt(root, path);
  return retries === undefined || retries >= 0
    ? []
    : [refuse(path, 'A run is tried again a number of times.', 'should be >= 0')];
}
