import { isJsonObject } from '../base/index.ts';
import { plainValueOf } from './yaml/nodes.ts';
import { readYaml } from './yaml/readYaml.ts';

/** The names under which Kustomize looks for its file in a folder. */
export const kustomizationNames: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** The files that a kustomization lists, relative to it. */
export interface KustomizedFiles {
  /** What they hold are pieces of objects. */
  readonly patches: readonly string[];
  /** What they hold may be given more: labels, and with them the selectors of Deployments and StatefulSets. */
  readonly resources: readonly string[];
}

/** Empty for a text that is no kustomization. */
export function kustomizedFilesOf(kustomization: string): KustomizedFiles {
  const { root } = readYaml(kustomization);
  const value = root === undefined ? undefined : plainValueOf(root);
  if (!isJsonObject(value)) return { patches: [], resources: [] };
  const listed = (key: string): readonly string[] => {
    const list = value[key];
    if (!Array.isArray(list)) return [];
    return list.flatMap((item) => {
      const path = isJsonObject(item) ? item['path'] : item;
      // An inline patch stands there as a text of several lines.
      return typeof path === 'string' && !path.includes('\n') ? [path] : [];
    });
  };
  return {
    patches: ['patches', 'patchesStrategicMerge', 'patchesJson6902'].flatMap(listed),
    resources: listed('resources'),
  };
}
