import { kindOf } from './kinds.ts';
import type { ManifestCheck, ManifestObject } from './manifestCheck.ts';
import { queueFor, queuesFor } from './queues.ts';
import { whoRuns } from './runner.ts';
import type { ManifestSettings } from './settings.ts';

/** A line above an object: who will run it, and whether it can be dispatched from here. */
export interface Lens {
  /** It hangs above this one's first line. */
  readonly object: ManifestObject;
  readonly title: string;
  readonly tooltip: string;
  readonly isDispatchable: boolean;
}

/** One for each object that somebody else than its own controller could run, in the order of the text. */
export function lensesOf(
  { documents }: ManifestCheck,
  { controllerName, clusterQueues }: Pick<ManifestSettings, 'controllerName' | 'clusterQueues'>,
): readonly Lens[] {
  return documents.flatMap(({ objects }) =>
    objects.flatMap((object) => {
      const { apiVersion, kind: name, value } = object;
      const kind = kindOf(apiVersion, name);
      const runner =
        kind && whoRuns(kind, value, controllerName, queueFor(kind, value, queuesFor(value, clusterQueues)));
      const isDispatchable = apiVersion === 'batch/v1' && name === 'Job';
      return runner === undefined ? [] : [{ object, ...runner, isDispatchable }];
    }),
  );
}
