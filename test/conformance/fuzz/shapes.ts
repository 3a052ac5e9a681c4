import { readFile } from 'node:fs/promises';
import type { KubernetesMinor } from '../../../src/admission/index.ts';
import type { Shapes } from './generate.ts';
import type { Json } from './json.ts';
import { shapeOf } from './shape.ts';

/** The structure of the kinds that are judged in one minor, as the repository's schemas have it. */
export async function shapesFor(minor: KubernetesMinor): Promise<Shapes> {
  const file = new URL(`../../../schemas/kubernetes-${minor}.json`, import.meta.url);
  const document: Json = JSON.parse(await readFile(file, 'utf8'));
  return {
    job: shapeOf(document, 'Job'),
    cronJob: shapeOf(document, 'CronJob'),
    pod: shapeOf(document, 'Pod'),
    deployment: shapeOf(document, 'Deployment'),
    statefulSet: shapeOf(document, 'StatefulSet'),
  };
}
