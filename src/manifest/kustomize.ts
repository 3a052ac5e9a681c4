import { isJsonObject } from '../base/index.ts';
import { plainValueOf } from './nodes.ts';
import { readYaml } from './readYaml.ts';

/** The names under which Kustomize looks for its file in a folder. */
export const kustomizationNames: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/**
 * The files that a kustomization lists as patches, relative to it: what they hold are pieces of objects. Empty for a
 * text that is no kustomization.
 */
export function patchFilesOf(kustomization: string): readonly string[] {
  const { root } = readYaml(kustomization);
  const value = root === undefined ? undefined : plainValueOf(root);
  if (!isJsonObject(value)) return [];
  const listed = ['patches', 'patchesStrategicMerge', 'patchesJson6902'].flatMap((key) => {
    const list = value[key];
    return Array.isArray(list) ? list : [];
  });
  return listed.flatMap((item) => {
    const path = isJsonObject(item) ? item['path'] : item;
    // An inline patch stands there as a text of several lines.
    return typeof path === 'string' && !path.includes('\n') ? [path] : [];
  });
}
