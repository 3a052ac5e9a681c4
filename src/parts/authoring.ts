import { newestMinor } from '../admission/index.ts';
import { beginStretch, type Clock, type Pieces, systemClock } from '../base/index.ts';
import {
  type ChosenSettings,
  createManifestSession,
  fixesAt,
  fixesForAll,
  kustomizedFilesOf,
  type Lens,
  lensesOf,
  type ManifestCheck,
  manifestSettings,
  toYaml,
  withoutEchoes,
} from '../manifest/index.ts';

/** The authoring engine, a bundle of its own: loaded when the first manifest is seen. */

/**
 * For how long a text is looked at in one go, in milliseconds: a frame has 16, others want the event loop as well, and the last
 * piece, such as the verdict on a large object, may outlast it.
 */
export const stretchMs = 6;

export function createSession(
  onRuleFailure: (code: string, error: unknown) => void,
  clock: Pick<Clock, 'monotonicMs'> = systemClock,
): {
  check(text: string, settings: ChosenSettings): ManifestCheck;
} {
  const session = createManifestSession({ onRuleFailure });
  return {
    check: (text, settings) =>
      session.check(text, { ...manifestSettings(settings), isTimeUp: beginStretch(stretchMs, clock) }),
  };
}

/** With what most Jobs have, and something to say of it. */
const usualJob = `apiVersion: batch/v1
kind: Job
metadata: {name: usual, labels: {app: usual}}
spec:
  parallelism: 2
  template:
    spec:
      restartPolicy: Always
      containers:
        - name: main
          image: example/usual:1
          args: ["--verbose"]
          env:
            - {name: LEVEL, value: info}
            - {name: POD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
          resources: {requests: {cpu: 500m, memory: 1Gi}, limits: {memory: 1Gi}}
          volumeMounts: [{name: data, mountPath: /data}]
      volumes: [{name: data, emptyDir: {}}]
`;

/**
 * Looks at a short text, a piece at a time. What an engine does for the first time, it compiles: with somebody's long text
 * that makes pieces of it that hold the event loop longer than a frame.
 */
export function* rehearse(): Pieces<ManifestCheck> {
  const session = createManifestSession();
  for (;;) {
    const check = session.check(usualJob, { version: newestMinor, isTimeUp: () => true });
    if (check.isIncomplete !== true) return check;
    yield;
  }
}

export function lenses(check: ManifestCheck, settings: ChosenSettings): readonly Lens[] {
  return lensesOf(check, settings);
}

export { fixesAt, fixesForAll, kustomizedFilesOf, toYaml, withoutEchoes };
