import {
  admit,
  type FieldError,
  type JudgeOptions,
  judge,
  judgeWorkload,
  type KubernetesMinor,
  type ServerIdentity,
  type WorkloadName,
} from '../../../src/admission/index.ts';
import { describeError, type JsonValue } from '../../../src/base/index.ts';
import type { EngineAnswer } from './compare.ts';
import { isMap, type Json, type JsonMap } from './json.ts';
import type { OracleRequest } from './oracle.ts';

/** What the oracle fills in, so that stored objects can be compared. Stands in oracle/judge.go, too. */
const identity: ServerIdentity = {
  uid: '00000000-0000-4000-8000-000000000000',
  creationTimestamp: '2026-01-01T00:00:00Z',
  nameSuffix: 'bcdfg',
};

/** Our own engine's answer. That it throws, or a rule in it, is a fault like any other. */
export function askEngine(request: OracleRequest, version: KubernetesMinor): EngineAnswer {
  try {
    return ask(request, version);
  } catch (error) {
    return { errors: [{ field: 'the engine threw:', type: describeError(error) }], warnings: [], stored: undefined };
  }
}

function ask(request: OracleRequest, version: KubernetesMinor): EngineAnswer {
  const broken: { field: string; type: string }[] = [];
  const onRuleFailure: JudgeOptions['onRuleFailure'] = (code, error) =>
    broken.push({ field: `rule ${code} threw:`, type: describeError(error) });
  const workload = workloadOf(request);
  if (workload !== undefined) {
    const { errors, warnings } = judgeWorkload(request.object, workload, { version, onRuleFailure });
    return { errors: [...errors.map(asTheOraclePrints), ...broken], warnings, stored: 'unsaid' };
  }
  const admission = admit(request, { version, identity, isBeyondDecoding: true, onRuleFailure });
  return {
    errors: [...admission.errors.map(asTheOraclePrints), ...broken],
    warnings: admission.warnings,
    stored: admission.stored === undefined ? undefined : mutableMap(admission.stored),
  };
}

/** The engine's errors with the rules that they come from. */
export function engineErrors(request: OracleRequest, version: KubernetesMinor): readonly FieldError[] {
  const workload = workloadOf(request);
  if (workload !== undefined) return judgeWorkload(request.object, workload, { version }).errors;
  return judge(request, { version, isBeyondDecoding: true }).errors;
}

const workloads: Readonly<Record<string, WorkloadName>> = {
  'v1 Pod': 'Pod',
  'apps/v1 Deployment': 'Deployment',
  'apps/v1 StatefulSet': 'StatefulSet',
};

function workloadOf({ object }: OracleRequest): WorkloadName | undefined {
  return workloads[`${object['apiVersion']} ${object['kind']}`];
}

/** The server quotes the name of an unknown field in its message, and the oracle hands on what stands in the quotes. */
function asTheOraclePrints(error: FieldError): EngineAnswer['errors'][number] {
  if (error.type !== 'Unknown') return error;
  const name = error.message.slice('unknown field '.length).replace(/^"+|"+$/g, '');
  return { field: name, type: error.type };
}

function mutableMap(value: { readonly [key: string]: JsonValue | undefined }): JsonMap {
  const copy: Json = JSON.parse(JSON.stringify(value));
  return isMap(copy) ? copy : {};
}
