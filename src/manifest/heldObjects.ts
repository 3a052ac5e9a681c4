import { isJsonObject, type JsonObject, type JsonValue } from '../base/index.ts';
import type { DocumentFinding } from './finding.ts';
import { kindOf } from './kinds.ts';
import type { FoundObject } from './objects.ts';
import { priorityCode } from './rules/index.ts';
import { itemsAt, nodeAt, plainValueOf, stringAt } from './yaml/nodes.ts';

/** Objects that an operator makes of templates within others: judged as what they will be, where they stand. */

/** An object within another, found at a path of that one. */
export interface HeldObject {
  readonly path: string;
  readonly object: FoundObject;
}

/** What an AppWrapper wraps, and the Jobs that a JobSet makes; nothing in other kinds. */
export function heldBy({ node, kind }: FoundObject): readonly HeldObject[] {
  if (kind.kind === 'AppWrapper') return templatesIn(node, ['spec', 'components'], wrappedObject);
  if (kind.kind !== 'JobSet') return [];
  const claims = claimsOf(node);
  return templatesIn(node, ['spec', 'replicatedJobs'], (template) => jobOfSet(template, claims));
}

/** The volumes that JobSet adds to the pods that mount them, by name. */
function claimsOf(root: FoundObject['node']): readonly JsonObject[] {
  const templates = itemsAt(root, ['spec', 'volumeClaimPolicies']).flatMap((policy) => itemsAt(policy, ['templates']));
  return templates.flatMap((template) => {
    const name = stringAt(template, ['metadata', 'name']);
    return name === undefined ? [] : [{ name, persistentVolumeClaim: { claimName: name } }];
  });
}

function templatesIn(
  root: FoundObject['node'],
  listPath: readonly string[],
  read: (template: FoundObject['node']) => FoundObject | undefined,
): readonly HeldObject[] {
  const list = nodeAt(root, listPath);
  if (list?.kind !== 'sequence') return [];
  return list.items.flatMap((item, index) => {
    const template = nodeAt(item, ['template']);
    const object = template?.kind === 'map' ? read(template) : undefined;
    return object === undefined ? [] : [{ path: `${listPath.join('.')}[${index}].template`, object }];
  });
}

function wrappedObject(node: FoundObject['node']): FoundObject | undefined {
  const apiVersion = stringAt(node, ['apiVersion']);
  const kind = kindOf(apiVersion, stringAt(node, ['kind']));
  const value = plainValueOf(node);
  return apiVersion === undefined || kind === undefined || !isJsonObject(value)
    ? undefined
    : { node, apiVersion, kind, value };
}

/** As JobSet completes it. Source: JobSet 0.12, defaulting webhook and controller. */
function jobOfSet(node: FoundObject['node'], claims: readonly JsonObject[]): FoundObject | undefined {
  const kind = kindOf('batch/v1', 'Job');
  const template = plainValueOf(node);
  if (kind === undefined || !isJsonObject(template)) return undefined;
  const spec = partOf(template, 'spec');
  const podTemplate = partOf(spec, 'template');
  const written: JsonObject = { restartPolicy: 'OnFailure', ...partOf(podTemplate, 'spec') };
  const podSpec = claims.length === 0 ? written : { ...written, ...withClaims(written['volumes'], claims) };
  const value: JsonObject = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { ...partOf(template, 'metadata'), name: 'job' },
    spec: { completionMode: 'Indexed', ...spec, template: { ...podTemplate, spec: podSpec } },
  };
  // What isn't written as a map is for the CRD to complain about.
  const isWhole = isJsonObject(spec['template']) && isJsonObject(podTemplate['spec']);
  return isWhole ? { node, apiVersion: 'batch/v1', kind, value } : undefined;
}

function withClaims(volumes: JsonValue | undefined, claims: readonly JsonObject[]): JsonObject {
  if (volumes === undefined || volumes === null) return { volumes: claims };
  if (!Array.isArray(volumes)) return {};
  const names = new Set(volumes.map((volume) => (isJsonObject(volume) ? volume['name'] : undefined)));
  // Of one that is there already, the webhook has something to say.
  return { volumes: [...volumes, ...claims.filter(({ name }) => !names.has(name))] };
}

function partOf(object: JsonObject, key: string): JsonObject {
  const part = object[key];
  return isJsonObject(part) ? part : {};
}

/**
 * What is refused of a held object is no fault of the one that holds it: that is accepted, and its operator fails later.
 * So do the pods that are refused later still. Advice on a held object is left out, and what is said of the place already.
 */
export function asHeld(
  held: HeldObject,
  findings: readonly DocumentFinding[],
  said: readonly DocumentFinding[],
): readonly DocumentFinding[] {
  const places = new Set(said.map(({ span }) => `${span.start}-${span.end}`));
  return findings
    .filter(({ severity, code, span }) => {
      const isRefusal = severity === 'error' || code === priorityCode;
      return isRefusal && !places.has(`${span.start}-${span.end}`);
    })
    .map(({ type: _type, ...finding }) => ({
      ...finding,
      severity: 'warning' as const,
      message:
        finding.code === priorityCode
          ? finding.message
          : `The ${held.object.kind.kind} made of this template is refused: ${finding.message}`,
      field: finding.field === undefined || finding.field === '' ? held.path : `${held.path}.${finding.field}`,
    }));
}
