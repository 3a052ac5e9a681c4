import type { FieldErrorType } from '../../admission/index.ts';
import { replaceScalar } from '../edits.ts';
import type { Fix } from '../finding.ts';
import { fixControllerName, namesFor } from '../fixes/index.ts';
import { type ManagedByField, multiKueue, queueLabel, refuserOf } from '../kinds.ts';
import { nearMiss } from '../nearMiss.ts';
import { nodeAt, type ScalarNode, stringAt } from '../yaml/nodes.ts';
import { isOutsideKueue } from './kueue.ts';
import { type Breach, managedByUrl, multiKueueUrl, type Rule, type RuleSubject, removalFixes } from './rule.ts';

/** Rules about the name that stands in `managedBy`, on every kind that has the field. */

interface NamedController {
  readonly field: ManagedByField;
  readonly node: ScalarNode;
  readonly name: string;
}

function namedController({ root, kind }: RuleSubject): NamedController | undefined {
  const field = kind.managedBy;
  const node = field === undefined ? undefined : nodeAt(root, field.path);
  if (field === undefined || node?.kind !== 'scalar' || typeof node.value !== 'string') return undefined;
  return { field, node, name: node.value };
}

const longestName = 63;

/** A domain-prefixed path, as far as the rules here need to know; the engine's own rule says what is wrong with others. */
function isWellFormed(name: string): boolean {
  return (
    name.length <= longestName &&
    /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\/[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(
      name,
    )
  );
}

function hasQueueLabel({ root, kind }: RuleSubject): boolean {
  return stringAt(root, [...(kind.queueMetadata ?? ['metadata']), 'labels', queueLabel]) !== undefined;
}

/** Whether a label takes the object to a queue. On kinds that can't hand one on, or that Kueue doesn't know, it does nothing. */
function isQueued(subject: RuleSubject): boolean {
  return subject.kind.queueMetadata !== undefined && !isOutsideKueue(subject) && hasQueueLabel(subject);
}

const pathText = (path: readonly string[]): string => path.join('.');

const nearMissRule: Rule = {
  code: 'managed-by-near-miss',
  severity: 'warning',
  says: "A controller's name must be exact: one that is nearly right leaves the object idle, without an event.",
  source: 'B20',
  url: managedByUrl,
  check(subject) {
    const controller = namedController(subject);
    if (controller === undefined || !isJudgedHere(controller)) return [];
    const { field, node, name } = controller;
    const names = namesFor(field, subject.controllers);
    if (names.has(name)) return [];
    const meant = nearMiss(name, names);
    if (meant === undefined) return [];
    const fix = fixControllerName(subject.root, subject.kind, subject.controllers);
    const message = `No controller is known as '${name}': did you mean '${meant}'? As it stands, nobody acts on this ${subject.kind.kind}.`;
    return [{ span: node.span, field: pathText(field.path), message, fixes: fix === undefined ? [] : [fix] }];
  },
};

/** Not where another rule calls the name an error already. */
function isJudgedHere({ field, name }: NamedController): boolean {
  if (field.onUnknown === 'refused') return false;
  if (field.hasFormat) return isWellFormed(name);
  return name !== '';
}

const unknownRule: Rule = {
  code: 'managed-by-unknown-controller',
  severity: 'information',
  says: 'A controller that nobody has named here may not exist; without it the object stays idle, without an event.',
  source: 'B20',
  url: managedByUrl,
  check(subject) {
    const controller = namedController(subject);
    if (controller === undefined || !isJudgedHere(controller) || isQueued(subject)) return [];
    const { field, node, name } = controller;
    const names = namesFor(field, subject.controllers);
    if (names.has(name) || nearMiss(name, names) !== undefined) return [];
    const what = subject.kind.kind;
    // A closed set leaves no room for a controller of one's own.
    if (field.isClosed) {
      const outcome =
        field.onUnknown === 'ignored' ? 'the name is ignored' : `the ${what} stays idle, without an event`;
      const message = `${what} takes only '${field.builtIn}' and '${multiKueue}' here; nothing checks it, and ${outcome}.`;
      const fixes = removalFixes(subject, field.path);
      return [{ span: node.span, severity: 'warning', field: pathText(field.path), message, fixes }];
    }
    const message = `'${name}' is not among the known controllers. Unless such a controller watches this cluster, the ${what} stays idle, without an event.`;
    return [{ span: node.span, field: pathText(field.path), message }];
  },
};

const builtInRule: Rule = {
  code: 'managed-by-built-in',
  severity: 'information',
  says: "The name of the kind's own controller means the same as no managedBy at all.",
  source: 'Kubernetes, batch/v1, JobControllerName',
  url: managedByUrl,
  check(subject) {
    const controller = namedController(subject);
    if (controller === undefined || controller.name !== controller.field.builtIn) return [];
    const { field, node, name } = controller;
    const what = subject.kind.kind;
    const own = `'${name}' is the ${what}'s own controller`;
    const breach = (message: string, fixes: readonly Fix[]): readonly Breach[] => [
      { span: node.span, field: pathText(field.path), message, fixes },
    ];
    const { leadsToMultiKueue } = subject.queue ?? {};
    if (!(leadsToMultiKueue ?? isQueued(subject))) {
      // What is stored without the field has the name as well, where that is the default.
      const isKept = field.immutable === 'always' && field.storedDefault === undefined;
      const message = `${own}: the same as leaving the field out${isKept ? ", but for good, since it can't be changed later" : ''}.`;
      return breach(message, removalFixes(subject, field.path));
    }
    if (field.isLeftByKueue === true) {
      const edit = replaceScalar(node, multiKueue);
      const message = `${own}, and Kueue leaves it here: a queue that leads to MultiKueue needs '${multiKueue}'.`;
      return breach(
        message,
        edit === undefined ? [] : [{ title: `Use '${multiKueue}'`, edits: [edit], isPreferred: false }],
      );
    }
    const where =
      leadsToMultiKueue === true ? 'This queue leads to MultiKueue:' : 'In a queue that leads to MultiKueue,';
    return breach(
      `${own}. ${where} Kueue replaces it by '${multiKueue}' at creation.`,
      removalFixes(subject, field.path),
    );
  },
};

const emptyRule: Rule = {
  code: 'managed-by-blank',
  severity: 'warning',
  says: 'An empty managedBy is not the same as none: it names another controller, and nobody acts.',
  source: 'Tekton Pipelines 1.15; AppWrapper 1.2; mpi-operator 0.8',
  check(subject) {
    const controller = namedController(subject);
    if (controller === undefined || controller.name !== '') return [];
    const { field, node } = controller;
    if (field.onEmpty !== 'idle' && field.onEmpty !== 'ignored') return [];
    const outcome = field.onEmpty === 'idle' ? 'it counts as another controller, and nobody acts' : 'it is ignored';
    return [
      {
        span: node.span,
        field: pathText(field.path),
        message: `An empty string is not the same as no 'managedBy': ${outcome}. Name a controller or leave the field out.`,
        fixes: removalFixes(subject, field.path),
      },
    ];
  },
};

const refusedRule: Rule = {
  code: 'managed-by-refused',
  severity: 'error',
  says: "Kinds of the ecosystem check the name themselves, in their CRD or webhook, and refuse what isn't theirs.",
  source: 'Kubeflow Trainer 2.3; KubeRay 1.7; training-operator 1.9; JobSet 0.12',
  check(subject) {
    const controller = namedController(subject);
    if (controller === undefined) return [];
    const { field, node, name } = controller;
    const fix = fixControllerName(subject.root, subject.kind, subject.controllers);
    const breach = (said: string, type: FieldErrorType, answer: string): readonly Breach[] => [
      {
        span: node.span,
        field: pathText(field.path),
        type,
        message: `${said} (${refuserOf(subject.kind)}: ${answer})`,
        source: refuserOf(subject.kind),
        fixes: fix === undefined ? removalFixes(subject, field.path) : [fix],
      },
    ];
    if (field.onUnknown === 'refused' && name !== field.builtIn && name !== multiKueue) {
      const said = `${subject.kind.kind} takes only '${field.builtIn}' and '${multiKueue}' here.`;
      // The rule of a CRD says Invalid, whatever the value.
      return field.refusedBy === 'CRD'
        ? breach(said, 'Invalid', `must be '${field.builtIn}' or '${multiKueue}'`)
        : breach(said, 'NotSupported', `supported values: "${field.builtIn}", "${multiKueue}"`);
    }
    if (field.hasFormat && field.onEmpty === 'refused' && !isWellFormed(name)) {
      if (name === '') return breach('An empty string is no name.', 'Required', 'Required value');
      if (name.length > longestName) {
        return breach(
          `A controller's name has at most ${longestName} characters.`,
          'TooLong',
          `may not be more than ${longestName} bytes`,
        );
      }
      return breach(
        `'${name}' is no controller's name.`,
        'Invalid',
        'must be a domain-prefixed path (such as "acme.io/foo")',
      );
    }
    return [];
  },
};

const otherInQueueRule: Rule = {
  code: 'managed-by-other-in-queue',
  severity: 'warning',
  says: "In a queue that leads to MultiKueue, only MultiKueue's own name works: Kueue rejects what another controller manages.",
  source: 'Kueue 0.19, MultiKueue admission check',
  url: multiKueueUrl,
  check(subject) {
    const controller = namedController(subject);
    if (controller === undefined || !isJudgedHere(controller) || !isQueued(subject)) return [];
    const { field, node, name } = controller;
    if (name === multiKueue || name === field.builtIn) return [];
    if (nearMiss(name, namesFor(field, subject.controllers)) !== undefined) return [];
    const { leadsToMultiKueue } = subject.queue ?? {};
    if (leadsToMultiKueue === false) return [];
    const edit = replaceScalar(node, multiKueue);
    const outcome =
      leadsToMultiKueue === true ? 'The queue leads to MultiKueue, whose' : 'If the queue leads to MultiKueue, its';
    const message = `This ${subject.kind.kind} is in a Kueue queue but managed by '${name}'. ${outcome} admission check is rejected and nobody acts.`;
    return [
      {
        span: node.span,
        field: pathText(field.path),
        message,
        fixes: edit === undefined ? [] : [{ title: `Use '${multiKueue}'`, edits: [edit], isPreferred: false }],
      },
    ];
  },
};

export const controllerNameRules: readonly Rule[] = [
  nearMissRule,
  unknownRule,
  builtInRule,
  emptyRule,
  refusedRule,
  otherInQueueRule,
];
