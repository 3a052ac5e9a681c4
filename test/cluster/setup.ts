import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { controlPlanePrograms } from '../../scripts/cluster/binaries.ts';
import { startControlPlane } from './controlPlane.ts';
import { playKubelet } from './kubelet.ts';

/** How the tests reach a control plane that runs for all of them. */
export interface PlaneAddress {
  readonly server: string;
  readonly authority: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    management: PlaneAddress;
    worker: PlaneAddress;
  }
}

/** Starts the two clusters that all tests share; each test has namespaces of its own in them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const programs = await controlPlanePrograms((line) => console.error(line));
  const folder = await mkdtemp(join(tmpdir(), 'delegated-jobs-cluster-'));
  const starting = ['management', 'worker'].map((name) => startControlPlane(name, join(folder, name), programs));
  const started = await Promise.allSettled(starting);
  const planes = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const [management, worker] = planes;
  if (management === undefined || worker === undefined) {
    await Promise.all(planes.map((plane) => plane.stop()));
    throw new AggregateError(started.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])));
  }
  // The management cluster has no kubelet: a pod that came up there would never run, and its Job never end.
  const kubelet = playKubelet(worker.api);
  project.provide('management', { server: management.server, authority: management.authority });
  project.provide('worker', { server: worker.server, authority: worker.authority });

  return async () => {
    await kubelet.stop();
    await Promise.all(planes.map((plane) => plane.stop()));
    await rm(folder, { recursive: true, force: true });
  };
}
