import { multiKueue, queueLabel } from './kinds.ts';

/** A whole document to start from, with places to fill in. */
export interface Skeleton {
  readonly label: string;
  readonly insertText: string;
  readonly documentation: string;
}

/** The documents that somebody who delegates begins with. `controllerName` is that of our own reconciler. */
export function skeletons(controllerName: string | undefined): readonly Skeleton[] {
  const queue = `  labels:\n    ${queueLabel}: \${2:user-queue}\n`;
  return [
    {
      label: 'Job for MultiKueue',
      insertText: job(queue, multiKueue),
      documentation: 'A Job that Kueue sends to a worker cluster.',
    },
    ...(controllerName === undefined
      ? []
      : [
          {
            label: "Job for this workspace's reconciler",
            insertText: job('', controllerName),
            documentation: 'A Job that the reconciler of this extension mirrors to a worker cluster.',
          },
        ]),
    {
      label: 'CronJob for MultiKueue',
      insertText: cronJob(),
      documentation: 'A CronJob whose Jobs Kueue sends to worker clusters.',
    },
  ];
}

const podTemplate = `template:
  spec:
    restartPolicy: Never
    containers:
    - name: main
      image: \${3:registry.example/image:tag}
      resources:
        requests:
          cpu: \${4:500m}
          memory: \${5:256Mi}`;

function job(labels: string, controller: string): string {
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: \${1:name}
${labels}spec:
  managedBy: ${controller}
${indented(podTemplate, 2)}
`;
}

function cronJob(): string {
  return `apiVersion: batch/v1
kind: CronJob
metadata:
  name: \${1:name}
spec:
  schedule: "\${6:0 3 * * *}"
  concurrencyPolicy: Forbid
  jobTemplate:
    metadata:
      labels:
        ${queueLabel}: \${2:user-queue}
    spec:
      managedBy: ${multiKueue}
${indented(podTemplate, 6)}
`;
}

function indented(text: string, columns: number): string {
  return text.replaceAll(/^/gm, ' '.repeat(columns));
}
