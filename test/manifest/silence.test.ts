import { describe, expect, test } from 'vitest';
import { findingsOf } from './check.ts';
import { yaml } from './markup.ts';

/** Texts about which this program has nothing to say. */
describe('silence', () => {
  test.each([
    ['nothing', ''],
    ['a comment', '# kind: Job\n'],
    ['prose', 'A Job of kind: Job is fun.\n'],
    ['another kind', 'apiVersion: v1\nkind: ConfigMap\ndata: {kind: Job, parallelism: "-1"}\n'],
    ['a Job of another group', 'apiVersion: nomad.io/v1\nkind: Job\nspec: {parallelism: -1}\n'],
    ['a Job that does not say its version', 'kind: Job\nspec: {parallelism: -1}\n'],
    [
      'a Helm template',
      yaml`
        {{- if .Values.enabled }}
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: {{ .Release.Name }}-job
        spec:
          template:
            {{- toYaml .Values.template | nindent 4 }}
        {{- end }}
      `.text,
    ],
    [
      'a template whose marks are all quoted',
      yaml`
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: "{{ .Release.Name }}"
        spec:
          parallelism: "{{ .Values.parallelism }}"
      `.text,
    ],
    [
      'a Jinja template',
      yaml`
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: job
        spec:
        {% if many %}
          parallelism: 5
        {% endif %}
      `.text,
    ],
    [
      'values that something fills in later',
      [
        'apiVersion: batch/v1',
        'kind: Job',
        'metadata:',
        `  name: report-\${TAG}`,
        `  namespace: $NAMESPACE`,
        `  labels: {kueue.x-k8s.io/queue-name: "\${QUEUE:-default}"}`,
        'spec:',
        '  completionMode: Indexed',
        `  completions: \${COUNT}`,
        `  parallelism: $COUNT`,
        `  managedBy: \${CONTROLLER}`,
        '  template:',
        `    metadata: {labels: {app: "\${APP}"}}`,
        '    spec:',
        `      restartPolicy: \${RESTART}`,
        '      containers:',
        `      - name: \${NAME}`,
        `        image: \${REGISTRY}/report:\${TAG}`,
        `        resources: {limits: {cpu: "\${CPU}"}}`,
        '',
      ].join('\n'),
    ],
    [
      'a Deployment whose labels are filled in later',
      [
        'apiVersion: apps/v1',
        'kind: Deployment',
        `metadata: {name: "\${APP}", labels: {app: "\${APP}"}}`,
        'spec:',
        `  replicas: \${COUNT}`,
        `  selector: {matchLabels: {app: "\${APP}"}}`,
        '  template:',
        `    metadata: {labels: {app: "\${APP}"}}`,
        '    spec: {containers: [{name: a, image: r}]}',
        '',
      ].join('\n'),
    ],
    [
      'a JobSet whose numbers are filled in later',
      `apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {name: a}\nspec: {replicatedJobs: [{name: a, replicas: "\${N}", template: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: r}]}}}}}]}\n`,
    ],
    [
      'a kustomization with an inline patch',
      yaml`
        apiVersion: kustomize.config.k8s.io/v1beta1
        kind: Kustomization
        patches:
        - target: {kind: Job}
          patch: |
            apiVersion: batch/v1
            kind: Job
            spec: {parallelism: -1}
      `.text,
    ],
    ['a JSON patch', '- op: replace\n  path: /spec/parallelism\n  value: -1\n  kind: Job\n'],
    [
      'a patch without a pod template',
      'apiVersion: batch/v1\nkind: Job\nmetadata: {name: demo}\nspec: {parallelism: 4}\n',
    ],
    [
      'a patch of a container',
      yaml`
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: demo
        spec:
          template:
            spec:
              containers:
              - name: main
                env: [{name: A, value: "1"}]
      `.text,
    ],
    [
      'a patch of a CronJob',
      'apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: demo}\nspec: {schedule: "@daily"}\n',
    ],
    [
      'a patch with a directive',
      yaml`
        apiVersion: batch/v1
        kind: Job
        metadata: {name: demo, namespace: a}
        spec: {template: {spec: {containers: [{name: main, $patch: delete}]}}}
      `.text,
    ],
    [
      'a patch of a Deployment',
      yaml`
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: manager, namespace: system}
        spec: {template: {spec: {containers: [{name: manager, args: [--metrics]}]}}}
      `.text,
    ],
    [
      'a patch of the labels of a Deployment',
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {template: {metadata: {labels: {a: b}}}}\n',
    ],
    [
      "another's queue",
      yaml`
        apiVersion: v1
        kind: Pod
        metadata: {name: a, labels: {volcano.sh/queue-name: default}}
        spec: {containers: [{name: a, image: r/x:1}]}
      `.text,
    ],
    [
      'a file encrypted with SOPS',
      yaml`
        apiVersion: batch/v1
        kind: Job
        metadata: {name: demo}
        spec:
          parallelism: ENC[AES256_GCM,data:aGk=,iv:aGk=,tag:aGk=,type:int]
        sops:
          mac: ENC[AES256_GCM,data:aGk=,iv:aGk=,tag:aGk=,type:str]
          version: 3.9.0
      `.text,
    ],
  ])('about %s', (_, text) => {
    expect(findingsOf(text)).toEqual([]);
  });
});

/** Texts that resemble those above, about which there is something to say. */
describe('no silence', () => {
  const job = (rest: string, argument: string): string => `apiVersion: batch/v1
kind: Job
metadata: {name: demo}
spec:
${rest}
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: r/x:1
        args: [${argument}]
`;
  test.each([
    [
      'what a template would be if its marks were not arguments',
      job('  parallelism: -1', '"{{ .Name }}"'),
      ['parallelism-negative'],
    ],
    [
      'what a patch has',
      'apiVersion: batch/v1\nkind: Job\nmetadata: {name: demo}\nspec: {parallelism: -1}\n',
      ['parallelism-negative'],
    ],
    [
      'a rendered chart',
      `---\n# Source: chart/templates/job.yaml\n${job('  parallelism: -1', 'a')}`,
      ['parallelism-negative'],
    ],
    [
      'JSON with braces in a string',
      JSON.stringify({
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: '{{ x }}' },
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'r' }] } } },
      }),
      ['name-format'],
    ],
    [
      'items of a List',
      `apiVersion: v1\nkind: List\nitems:\n- ${job('  parallelism: -1', 'a').trimEnd().replaceAll('\n', '\n  ')}\n`,
      ['parallelism-negative'],
    ],
    [
      'items of a JobList, which need no kind',
      'apiVersion: batch/v1\nkind: JobList\nitems:\n- metadata: {name: demo}\n  spec: {parallelism: -1}\n',
      ['parallelism-negative'],
    ],
    ['text behind a separator', `--- ${'x'}\n${job('  parallelism: 1', 'a')}`, ['yaml-separator']],
    ['a faulty Job', job('  parallelism: : 1', 'a'), ['yaml-syntax']],
    [
      'a Job in the middle of a merge',
      `<<<<<<< HEAD\n${job('  parallelism: 1', 'a')}=======\n>>>>>>> x\n`,
      ['merge-conflict'],
    ],
    ['a repeated key', job('  parallelism: 1\n  parallelism: 2', 'a'), ['duplicate-key']],
  ])('about %s', (_, text, codes) => {
    expect(findingsOf(text).map(({ code }) => code)).toEqual(codes);
  });
});
