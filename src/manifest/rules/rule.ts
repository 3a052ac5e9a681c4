import type { KubernetesMinor } from '../../admission/index.ts';
import type { JsonObject } from '../../base/index.ts';
import type { CrdVerdict } from '../crd/index.ts';
import type { DocumentFinding, Fix, Severity } from '../finding.ts';
import { multiKueue, type WorkloadKind } from '../kinds.ts';
import { removeAt } from '../removals.ts';
import type { LocalQueue } from '../settings.ts';
import { type ManifestNode, nodeAt, stringAt } from '../yaml/nodes.ts';

/** What a rule of ours looks at: one object of a known kind, with the text that it stands in. */
export interface RuleSubject {
  readonly root: ManifestNode;
  readonly value: JsonObject;
  readonly apiVersion: string;
  readonly kind: WorkloadKind;
  /** Text of the document; the spans of `root` are offsets in it. */
  readonly text: string;
  readonly version: KubernetesMinor;
  /** What the cluster runs, where `version` only comes nearest to it. */
  readonly unlistedVersion: string | undefined;
  /** A patch or another piece of an object: what is missing in it says nothing. */
  readonly isPartial: boolean;
  /** What the server gets: the object, or what `kubectl apply` makes of it and what is stored. */
  readonly sent: JsonObject;
  /** What is stored, where the object is checked as an update. */
  readonly old?: unknown;
  /** What the kind's CRD says of it; undefined for kinds whose CRD isn't known. Worked out when first asked for. */
  readonly crdVerdict: () => CrdVerdict | undefined;
  /** The LocalQueues of the object's namespace; undefined where nothing is known of them. */
  readonly queues: readonly LocalQueue[] | undefined;
  /** The one among them that takes the object in. */
  readonly queue: LocalQueue | undefined;
  /** The name of this extension's own reconciler here. */
  readonly ownController: string | undefined;
  /** Names that may stand in `managedBy` because somebody said that such a controller runs. */
  readonly controllers: ReadonlySet<string>;
}

/** What the API server lets pass and we don't: a rule that the docs and the suppressions know by its code. */
export interface Rule {
  /** Stable, kebab-case. */
  readonly code: string;
  readonly severity: Severity;
  /** The rule in one sentence, for people. */
  readonly says: string;
  /** A fact's id or a public source. */
  readonly source: string;
  readonly url?: string;
  /** A place, a message and fixes for each breach; the rest comes from the rule. */
  readonly check: (subject: RuleSubject) => readonly Breach[];
}

export type Breach = Omit<DocumentFinding, 'code' | 'severity' | 'source' | 'url'> & {
  readonly severity?: Severity;
  readonly source?: string;
};

/** The fix that takes out what stands at a path; none where the text can't be edited safely. */
export function removalFixes({ root, text }: RuleSubject, path: readonly string[], title?: string): readonly Fix[] {
  const edit = removeAt(root, path, text);
  return edit === undefined
    ? []
    : [{ title: title ?? `Remove '${path.at(-1) ?? ''}'`, edits: [edit], isPreferred: false }];
}

/** The fix that writes another number; none where the number is an alias's or is tagged. */
export function numberFixes({ root }: RuleSubject, path: readonly string[], value: number): readonly Fix[] {
  const node = nodeAt(root, path);
  if (node?.kind !== 'scalar' || node.style !== 'plain') return [];
  return [
    {
      title: `Set ${path.at(-1) ?? ''} to ${value}`,
      edits: [{ ...node.span, newText: `${value}` }],
      isPreferred: false,
    },
  ];
}

/** Whether Kueue's webhook will make an object MultiKueue's: it says nothing of who manages it, and its queue leads there. */
export function isDelegatedByQueue({ root, kind, queue, old }: RuleSubject): boolean {
  const field = kind.managedBy;
  if (field === undefined || field.isLeftByKueue === true || !kind.isSentByMultiKueue || old !== undefined)
    return false;
  const node = nodeAt(root, field.path);
  const isOpen =
    node === undefined || (node.kind === 'scalar' && (node.value === null || node.value === field.builtIn));
  return isOpen && queue?.leadsToMultiKueue === true;
}

/** Whether an object says that MultiKueue manages it, or its queue will. */
export function isForMultiKueue(subject: RuleSubject): boolean {
  const { root, kind } = subject;
  const name = kind.managedBy && stringAt(root, kind.managedBy.path);
  return name === multiKueue || isDelegatedByQueue(subject);
}

/** Where Kubernetes describes the field. */
export const managedByUrl =
  'https://kubernetes.io/docs/concepts/workloads/controllers/job/#delegation-of-managing-a-job-object-to-external-controller';

export const multiKueueUrl = 'https://kueue.sigs.k8s.io/docs/concepts/multikueue/';
