import type { Fix } from '../finding.ts';
import { removeEntry } from '../removals.ts';
import { entryOf, filledAt, itemsAt, nodeAt, numberAt, stringAt } from '../yaml/nodes.ts';
import { type Path, refusalBy, renaming } from './refusal.ts';
import type { Breach, Rule, RuleSubject } from './rule.ts';

/** What JobSet's webhook asks of the names by which the parts of a JobSet speak of each other. */

const refuser = 'webhook of JobSet 0.12';

const jobsPath = ['spec', 'replicatedJobs'] as const;

const referencesRule: Rule = {
  code: 'job-set-references',
  severity: 'error',
  says: 'Policies, dependencies and the coordinator of a JobSet name its own replicated jobs, and a job depends only on one above it.',
  source: 'JobSet 0.12, webhook',
  url: 'https://jobset.sigs.k8s.io/docs/concepts/',
  check(subject) {
    const { kind, root, isPartial, old } = subject;
    // Of a stored JobSet these can't be changed, which the CRD sees to.
    if (kind.kind !== 'JobSet' || isPartial || old !== undefined) return [];
    const jobs = itemsAt(root, jobsPath).map((job) => stringAt(job, ['name']));
    const names = jobs.flatMap((name) => name ?? []);
    // Without a name of each, the CRD has something to say.
    if (names.length < jobs.length) return [];
    return [
      ...dependencyFaults(subject, names),
      ...targetFaults(subject, names, ['spec', 'successPolicy']),
      ...itemsAt(root, ['spec', 'failurePolicy', 'rules']).flatMap((_, index) =>
        targetFaults(subject, names, ['spec', 'failurePolicy', 'rules', index]),
      ),
      ...coordinatorFaults(subject, names),
    ];
  },
};

function dependencyFaults(subject: RuleSubject, names: readonly string[]): readonly Breach[] {
  return names.flatMap((name, index): readonly Breach[] => {
    const path = [...jobsPath, index, 'dependsOn'];
    const dependsOn = nodeAt(subject.root, path);
    if (dependsOn?.kind !== 'sequence') return [];
    if (index === 0) {
      const said = 'The first of the replicated jobs has none above it to wait for.';
      return [breach(subject, path, 'key', said, "DependsOn can't be set for the first ReplicatedJob", 'removal')];
    }
    return dependsOn.items.flatMap((item, at): readonly Breach[] => {
      const wanted = stringAt(item, ['name']);
      // Its own name passes the webhook.
      if (wanted === undefined || names.slice(0, index + 1).includes(wanted)) return [];
      const said = names.includes(wanted)
        ? `'${wanted}' stands below '${name}': a job waits only for those above it.`
        : `There is no replicated job '${wanted}'.`;
      return [
        breach(
          subject,
          [...path, at, 'name'],
          'value',
          said,
          `${name} cannot depend on ${wanted}`,
          names.slice(0, index),
        ),
      ];
    });
  });
}

function targetFaults(subject: RuleSubject, names: readonly string[], holder: Path): readonly Breach[] {
  const path = [...holder, 'targetReplicatedJobs'];
  return itemsAt(subject.root, path).flatMap((item, index): readonly Breach[] => {
    const wanted = item.kind === 'scalar' && typeof item.value === 'string' ? item.value : undefined;
    if (wanted === undefined || names.includes(wanted)) return [];
    const answer = `'${wanted}' does not appear in .spec.ReplicatedJobs`;
    return [breach(subject, [...path, index], 'value', `There is no replicated job '${wanted}'.`, answer, names)];
  });
}

function coordinatorFaults(subject: RuleSubject, names: readonly string[]): readonly Breach[] {
  const path = ['spec', 'coordinator'];
  const wanted = stringAt(subject.root, [...path, 'replicatedJob']);
  if (wanted === undefined) return [];
  const index = names.indexOf(wanted);
  if (index < 0) {
    const said = `There is no replicated job '${wanted}'.`;
    return [breach(subject, [...path, 'replicatedJob'], 'value', said, `coordinator ${wanted} does not exist`, names)];
  }
  const job = [...jobsPath, index];
  const spec = [...job, 'template', 'spec'];
  const completions = numberAt(subject.root, [...spec, 'completions']);
  // JobSet makes its Jobs Indexed unless they say otherwise.
  const isIndexed = (stringAt(subject.root, [...spec, 'completionMode']) ?? 'Indexed') === 'Indexed';
  if (!isIndexed || (completions === undefined && filledAt(subject.root, [...spec, 'completions']) === undefined)) {
    const said = `The coordinator is a pod of an Indexed Job that says how many 'completions' it has: '${wanted}' doesn't.`;
    const answer = 'must be indexed completion mode, and completions number must be set';
    return [breach(subject, [...path, 'replicatedJob'], 'value', said, answer)];
  }
  const isWritten = nodeAt(subject.root, [...job, 'replicas']) !== undefined;
  const replicas = isWritten ? numberAt(subject.root, [...job, 'replicas']) : 1;
  return [
    ...indexFault(subject, [...path, 'jobIndex'], replicas, `Jobs of '${wanted}'`),
    ...indexFault(subject, [...path, 'podIndex'], completions, `pods of a Job of '${wanted}'`),
    ...addressFault(subject, path, wanted),
  ];
}

/** The coordinator's address goes into a label, whose value has 63 characters at most. */
function addressFault(subject: RuleSubject, path: Path, job: string): readonly Breach[] {
  const { root } = subject;
  const name = stringAt(root, ['metadata', 'name']);
  // Of a prefix it isn't known.
  if (name === undefined || name === '') return [];
  const [jobIndex, podIndex] = ['jobIndex', 'podIndex'].map((key) => numberAt(root, [...path, key]) ?? 0);
  const subdomain = stringAt(root, ['spec', 'network', 'subdomain']) ?? '';
  const address = `${name}-${job}-${jobIndex}-${podIndex}.${subdomain === '' ? name : subdomain}`;
  if (address.length <= longestLabelValue) return [];
  const said = `The coordinator's address '${address}' has ${address.length} characters: as a label's value it has ${longestLabelValue} at most. A shorter name or a 'network.subdomain' helps.`;
  const answer = 'spec will lead to invalid label value';
  return [breach(subject, path, 'key', said, answer)];
}

const longestLabelValue = 63;

function indexFault(subject: RuleSubject, path: Path, count: number | undefined, of: string): readonly Breach[] {
  const index = numberAt(subject.root, path);
  if (index === undefined || count === undefined || (index >= 0 && index < count)) return [];
  return [breach(subject, path, 'value', `The ${of} are counted from 0 to ${count - 1}.`, `index ${index} is invalid`)];
}

/** With a removal, or the names among which the meant one is looked for, as a fix. */
function breach(
  subject: RuleSubject,
  path: Path,
  place: 'key' | 'value',
  said: string,
  answer: string,
  remedy: readonly string[] | 'removal' = [],
): Breach {
  const fixes = remedy === 'removal' ? removal(subject, path) : renaming(subject, path, remedy);
  return refusalBy(refuser, subject, { path, place, said, answer, fixes });
}

function removal({ root, text }: RuleSubject, path: Path): readonly Fix[] {
  const parent = nodeAt(root, path.slice(0, -1));
  const key = String(path.at(-1));
  const entry = entryOf(parent, key);
  const edit = parent?.kind === 'map' && entry !== undefined ? removeEntry(parent, entry, text) : undefined;
  return edit === undefined ? [] : [{ title: `Remove '${key}'`, edits: [edit], isPreferred: false }];
}

export const jobSetRules: readonly Rule[] = [referencesRule];
