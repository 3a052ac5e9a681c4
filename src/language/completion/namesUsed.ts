import { textAt } from '../../base/index.ts';
import { kindOf, type ManifestCheck, queueLabel } from '../../manifest/index.ts';

/** Names that manifests use, for others that are being written: most of the time the same are meant again. */
export interface NamesUsed {
  readonly controllers: readonly string[];
  readonly queues: readonly string[];
}

export function namesUsed(checks: readonly ManifestCheck[]): NamesUsed {
  const controllers = new Set<string>();
  const queues = new Set<string>();
  const objects = checks.flatMap(({ documents }) => documents.flatMap((document) => document.objects));
  for (const { apiVersion, kind: name, value } of objects) {
    const kind = kindOf(apiVersion, name);
    // A closed set needs no names from elsewhere, and its own name means nothing on other kinds.
    const controller = kind?.managedBy?.isClosed === false ? textAt(value, kind.managedBy.path) : undefined;
    if (controller !== undefined && controller !== kind?.managedBy?.builtIn) controllers.add(controller);
    const queue = textAt(value, [...(kind?.queueMetadata ?? []), 'labels', queueLabel]);
    if (queue !== undefined) queues.add(queue);
  }
  return { controllers: [...controllers], queues: [...queues] };
}
