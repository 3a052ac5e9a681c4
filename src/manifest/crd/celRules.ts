import { isJsonObject, type JsonValue } from '../../base/index.ts';
import { isEqual } from './complete.ts';

/**
 * The rules in CEL that stand in the CRDs of the ecosystem, each in our own code under its own text. A rule that isn't
 * here is passed over; a test sees to it that all are.
 */

/** Whether a value keeps a rule. `old` is what is stored there. */
type Check = (value: JsonValue, old: JsonValue | undefined) => boolean;

const checks: Readonly<Record<string, Check>> = {
  'self == oldSelf': (value, old) => old === undefined || isEqual(value, old),
  // JobSet
  "!(has(self.startupPolicy) && self.startupPolicy.startupPolicyOrder == 'InOrder' && self.replicatedJobs.exists(x, has(x.dependsOn)))":
    (spec) =>
      !(
        field(field(spec, 'startupPolicy'), 'startupPolicyOrder') === 'InOrder' &&
        items(field(spec, 'replicatedJobs')).some((job) => has(job, 'dependsOn'))
      ),
  'self.templates.all(t, !has(t.metadata.namespace) || size(t.metadata.namespace) == 0)': (policy) =>
    items(field(policy, 'templates')).every((template) => !field(field(template, 'metadata'), 'namespace')),
  // TrainJob
  "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')": (object) =>
    isNameOr(object, (name) => /^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(name)),
  'size(self.metadata.name) <= 63': (object) => isNameOr(object, (name) => name.length <= 63),
  "self == '' || self.matches('^[A-Za-z][A-Za-z0-9+.-]*://.+$')": (uri) =>
    uri === '' || (typeof uri === 'string' && /^[A-Za-z][A-Za-z0-9+.-]*:\/\/.+$/.test(uri)),
  // RayJob
  '!((has(self.onSuccess) || has(self.onFailure)) && has(self.deletionRules))': (strategy) =>
    !((has(strategy, 'onSuccess') || has(strategy, 'onFailure')) && has(strategy, 'deletionRules')),
  '((has(self.onSuccess) && has(self.onFailure)) || has(self.deletionRules))': (strategy) =>
    (has(strategy, 'onSuccess') && has(strategy, 'onFailure')) || has(strategy, 'deletionRules'),
  '!(has(self.jobStatus) && has(self.jobDeploymentStatus))': (condition) =>
    !(has(condition, 'jobStatus') && has(condition, 'jobDeploymentStatus')),
  'has(self.jobStatus) || has(self.jobDeploymentStatus)': (condition) =>
    has(condition, 'jobStatus') || has(condition, 'jobDeploymentStatus'),
};

const oneOf = /^self in \[('[^']*'(?:, '[^']*')*)\]$/;

/** The values that a rule allows, if it is no more than a list of them. */
export function allowedBy(rule: string): readonly string[] | undefined {
  return oneOf
    .exec(rule)?.[1]
    ?.split(', ')
    .map((quoted) => quoted.slice(1, -1));
}

/** Whether a value keeps a rule; true for rules that aren't known here. */
export function keepsRule(rule: string, value: JsonValue, old: JsonValue | undefined): boolean {
  const allowed = allowedBy(rule);
  if (allowed !== undefined) return typeof value === 'string' && allowed.includes(value);
  return checkOf(rule)?.(value, old) ?? true;
}

/** Whether a rule is known here. */
export function isKnownRule(rule: string): boolean {
  return oneOf.test(rule) || checkOf(rule) !== undefined;
}

/** Whether a rule compares with what is stored, and so is asked on updates alone. */
export function isAboutStored(rule: string): boolean {
  return /\boldSelf\b/.test(rule);
}

function checkOf(rule: string): Check | undefined {
  return Object.hasOwn(checks, rule) ? checks[rule] : undefined;
}

function field(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

function has(value: JsonValue, name: string): boolean {
  return isJsonObject(value) && Object.hasOwn(value, name);
}

function items(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** An object without a name, or with one that is to be generated, is refused or completed before these rules. */
function isNameOr(object: JsonValue, check: (name: string) => boolean): boolean {
  const name = field(field(object, 'metadata'), 'name');
  return typeof name !== 'string' || check(name);
}
