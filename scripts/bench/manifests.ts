/** The texts that benchmarks of the authoring part check. */

/** A Job on 49 lines, or more with more containers. `parallelism` is what somebody types. */
export function jobText(name: string, parallelism: string, containers = 2): string {
  const ids = Array.from({ length: containers }, (_, index) => (index === 0 ? 'main' : `upload-${index}`));
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
  labels:
    app: render
spec:
  parallelism: ${parallelism}
  completions: 16
  backoffLimit: 3
  template:
    spec:
      restartPolicy: Never
      containers:
${ids.map(containerText).join('')}      volumes:
        - name: data
          emptyDir: {}
`;
}

function containerText(id: string): string {
  return `        - name: ${id}
          image: registry.example/team/${id}:2026.1
          args: ["--shards=16", "--verbose"]
          env:
            - name: LOG_LEVEL
              value: info
            - name: POD
              valueFrom:
                fieldRef:
                  fieldPath: metadata.name
          resources:
            requests: {cpu: 500m, memory: 1Gi}
            limits: {cpu: "2", memory: 4Gi}
          volumeMounts:
            - name: data
              mountPath: /data
`;
}

/** The same as a document. */
export function documentText(name: string, parallelism: string): string {
  return `---\n# Renders one batch.\n${jobText(name, parallelism)}`;
}

/** A file of so many documents; `parallelism` stands in the one in its middle. */
export function severalJobs(count: number, parallelism: string): string {
  const middle = Math.floor(count / 2);
  return Array.from({ length: count }, (_, index) =>
    documentText(`render-${index}`, index === middle ? parallelism : '4'),
  ).join('');
}
