import { multiKueue, queueLabel } from '../../manifest/index.ts';
import { type Layout, type Leaf, type Piece, renderDocument } from './layout.ts';
import { type Offer, ranks } from './offer.ts';

/** A whole document to start from. */
interface Skeleton {
  readonly label: string;
  readonly description: string;
  readonly entries: readonly (readonly [key: string, value: Piece])[];
}

const text = (...proposals: readonly string[]): Leaf => ({ kind: 'leaf', isText: true, proposals });
const number = (proposal: string): Leaf => ({ kind: 'leaf', isText: false, proposals: [proposal] });
const fixed = (value: string): Leaf => ({ kind: 'leaf', isText: false, proposals: [value], isFixed: true });
const map = (...entries: readonly (readonly [string, Piece])[]): Piece => ({ kind: 'map', entries });
const list = (...items: readonly Piece[]): Piece => ({ kind: 'list', items });

/** Requests stand in each: a queue counts them, and a Job without any is admitted as if it cost nothing. */
function podTemplate(restartPolicy: Leaf): readonly [string, Piece] {
  const container = map(
    ['name', text('main')],
    ['image', text('registry.example/image:tag')],
    ['resources', map(['requests', map(['cpu', text('500m')], ['memory', text('256Mi')])])],
  );
  return ['template', map(['spec', map(['restartPolicy', restartPolicy], ['containers', list(container)])])];
}

const restarting = podTemplate(text('Never', 'OnFailure'));
const replacing = podTemplate(fixed('Never'));

function document(kind: string, metadata: Piece, spec: Piece): Skeleton['entries'] {
  return [
    ['apiVersion', fixed('batch/v1')],
    ['kind', fixed(kind)],
    ['metadata', metadata],
    ['spec', spec],
  ];
}

const named = map(['name', text('name')]);
const queue: readonly [string, Piece] = ['labels', map([queueLabel, text('user-queue')])];

const indexed: readonly (readonly [string, Piece])[] = [
  ['completionMode', fixed('Indexed')],
  ['completions', number('10')],
  ['parallelism', number('3')],
];

const successRule = map(['succeededIndexes', text('0-2')], ['succeededCount', number('2')]);
const failureRules = list(
  map(['action', fixed('FailJob')], ['onExitCodes', map(['operator', fixed('In')], ['values', list(number('42'))])]),
  map(['action', fixed('Ignore')], ['onPodConditions', list(map(['type', fixed('DisruptionTarget')]))]),
);

const ownLabel = "Job for this workspace's reconciler";

/** What somebody begins with who writes Jobs, here or for elsewhere. `controllerName` is that of our own reconciler. */
function skeletons(controllerName: string): readonly Skeleton[] {
  return [
    {
      label: 'Job',
      description: 'A Job that runs one pod in this cluster.',
      entries: document('Job', named, map(['backoffLimit', number('3')], restarting)),
    },
    {
      label: 'Indexed Job',
      description: 'A Job whose pods have an index each, in JOB_COMPLETION_INDEX.',
      entries: document('Job', named, map(...indexed, ['backoffLimitPerIndex', number('1')], replacing)),
    },
    {
      label: 'Job for MultiKueue',
      description: 'A Job that Kueue sends to a worker cluster.',
      entries: document('Job', map(['name', text('name')], queue), map(['managedBy', fixed(multiKueue)], restarting)),
    },
    {
      label: ownLabel,
      description: 'A Job that the reconciler of this extension mirrors to a worker cluster.',
      entries: document('Job', named, map(['managedBy', fixed(controllerName)], restarting)),
    },
    {
      label: 'Job with a success policy',
      description: 'An Indexed Job that has succeeded as soon as enough of its first indexes have.',
      entries: document(
        'Job',
        named,
        map(...indexed, ['successPolicy', map(['rules', list(successRule)])], restarting),
      ),
    },
    {
      label: 'Job with a failure policy',
      description: 'A Job that fails at once for one exit code, and for which evictions do not count.',
      entries: document(
        'Job',
        named,
        map(['backoffLimit', number('3')], ['podFailurePolicy', map(['rules', failureRules])], replacing),
      ),
    },
    {
      label: 'CronJob',
      description: 'A CronJob whose Jobs run in this cluster.',
      entries: cronJob(map(['spec', map(['backoffLimit', number('3')], restarting)])),
    },
    {
      label: 'CronJob for MultiKueue',
      description: 'A CronJob whose Jobs Kueue sends to worker clusters.',
      entries: cronJob(map(['metadata', map(queue)], ['spec', map(['managedBy', fixed(multiKueue)], restarting)])),
    },
  ];
}

function cronJob(jobTemplate: Piece): Skeleton['entries'] {
  const spec = map(
    ['schedule', text('0 3 * * *')],
    ['timeZone', text('Etc/UTC')],
    ['concurrencyPolicy', text('Forbid', 'Allow', 'Replace')],
    ['jobTemplate', jobTemplate],
  );
  return document('CronJob', named, spec);
}

/** The name that the snippets of the package bear: the default of the setting. */
const snippetController = 'delegated-jobs.dev/reconciler';

/**
 * Snippets as an editor reads them from a file, by their name. Without a prefix they are found where somebody asks for a
 * snippet, but not in each list of completions of each YAML file: where a document begins, completion offers them itself.
 */
export function snippetFile(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    skeletons(snippetController).map(({ label, description, entries }) => [
      label,
      { description, body: renderDocument(entries, emptyLayout('\n')).split('\n'), isFileTemplate: true },
    ]),
  );
}

/** The documents as completions of an empty text; without a name for our own reconciler, the one that needs it is left out. */
export function documentOffers(controllerName: string | undefined, lineBreak: string): readonly Offer[] {
  const layout = emptyLayout(lineBreak);
  return skeletons(controllerName ?? '')
    .filter(({ label }) => controllerName !== undefined || label !== ownLabel)
    .map(({ label, description, entries }, index) => ({
      label,
      kind: 'document',
      insertText: `${renderDocument(entries, layout)}${lineBreak}`,
      isSnippet: true,
      detail: 'document',
      documentation: description,
      // Where nothing stands yet, a whole one is what most people begin with.
      sortKey: `${ranks.document}${index}`,
    }));
}

/** Of a document that has nothing yet. */
export function emptyLayout(lineBreak: string): Layout {
  return { style: 'block', column: 0, indent: 2, dash: 'indented', lineBreak, isOneLine: false, needsComma: false };
}
