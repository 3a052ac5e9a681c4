import type { Draw } from '../../../conformance/fuzz/draw.ts';
import { isMap, type Json, type JsonMap } from '../../../conformance/fuzz/json.ts';
import type { OracleRequest } from '../../../conformance/fuzz/oracle.ts';
import { changeContainer } from './containers.ts';
import { changePod } from './pods.ts';
import { annotations, labelValues, qualifiedNames } from './values.ts';

/**
 * Jobs and CronJobs with odd pod templates: one to four fields of a good one are set to values near the bounds of their rules. The
 * updates among them start from stored templates that are odd as well, since those excuse what they have.
 */

const image = 'registry.example/app:1';
const main: JsonMap = { name: 'main', image };

const goodSpecs: readonly JsonMap[] = [
  { restartPolicy: 'Never', containers: [main] },
  {
    restartPolicy: 'OnFailure',
    initContainers: [
      { name: 'init', image },
      { name: 'proxy', image, restartPolicy: 'Always' },
    ],
    containers: [
      {
        ...main,
        volumeMounts: [{ name: 'data', mountPath: '/d' }],
        resources: { requests: { cpu: '1', 'hugepages-2Mi': '2Mi' }, limits: { cpu: '1', 'hugepages-2Mi': '2Mi' } },
      },
      { name: 'side', image },
    ],
    volumes: [
      { name: 'data', emptyDir: {} },
      { name: 'disk', persistentVolumeClaim: { claimName: 'x' } },
    ],
    resourceClaims: [{ name: 'gpu', resourceClaimName: 'c' }],
  },
  {
    restartPolicy: 'Never',
    os: { name: 'linux' },
    hostUsers: false,
    containers: [main],
    ephemeralContainers: [{ name: 'eph', image }],
  },
  {
    restartPolicy: 'Never',
    os: { name: 'windows' },
    hostNetwork: true,
    containers: [main],
    securityContext: { windowsOptions: { hostProcess: true, runAsUserName: 'a' } },
  },
  {
    restartPolicy: 'Never',
    containers: [{ ...main, resources: { requests: { cpu: '1' }, limits: { cpu: '2', memory: '1Gi' } } }],
    initContainers: [
      { name: 'init', image, resources: { requests: { cpu: '3' } } },
      {
        name: 'proxy',
        image,
        restartPolicy: 'Always',
        resources: { requests: { cpu: '1' }, limits: { 'hugepages-2Mi': '4Mi', cpu: 1 } },
      },
    ],
    resources: { requests: { cpu: '2' }, limits: { cpu: '2', memory: '2Gi', 'hugepages-2Mi': '2Mi' } },
  },
];

const lists = [
  ...Array.from({ length: 12 }, () => 'containers'),
  ...Array.from({ length: 6 }, () => 'initContainers'),
  'ephemeralContainers',
];

function change(spec: JsonMap, times: number, draw: Draw): void {
  for (let left = times; left > 0; left--) {
    if (draw.chance(0.5)) changePod(spec, draw);
    else changeSomeContainer(spec, draw);
  }
}

function changeSomeContainer(spec: JsonMap, draw: Draw): void {
  const name = draw.pick(lists);
  const list: Json = spec[name] ?? [];
  if (!Array.isArray(list)) return;
  if (list.length === 0 || draw.chance(0.15)) list.push({ name: draw.pick(['extra', 'main', 'e']), image });
  spec[name] = list;
  const container = draw.pick(list);
  if (isMap(container)) changeContainer(container, name === 'ephemeralContainers', draw);
}

function oddMetadata(draw: Draw): JsonMap {
  const metadata: JsonMap = {};
  if (draw.chance(0.15)) {
    const [first, second] = [draw.pick(annotations), draw.pick(annotations)];
    metadata['annotations'] = Object.fromEntries(draw.chance(0.5) ? [first] : [first, second]);
  }
  if (draw.chance(0.03)) metadata['labels'] = { [draw.pick(qualifiedNames)]: draw.pick(labelValues) };
  return metadata;
}

const uid = '00000000-0000-4000-8000-000000000000';

function fresh(spec: JsonMap, metadata: JsonMap): JsonMap {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'demo', namespace: 'team-a' },
    spec: { template: { metadata, spec } },
  };
}

/** A stored Job, or one that shall replace it; its selector is its own, so that no labels are generated. */
function existing(spec: JsonMap, { labels, ...metadata }: JsonMap): JsonMap {
  const selected = { ...(isMap(labels) && labels), app: 'a' };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: 'demo',
      namespace: 'team-a',
      uid,
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: {
      manualSelector: true,
      suspend: true,
      selector: { matchLabels: { app: 'a' } },
      template: { metadata: { ...metadata, labels: selected }, spec },
    },
  };
}

/** The Job's template in a CronJob. */
function scheduled({ metadata, spec }: JsonMap): JsonMap {
  const template = isMap(spec) ? spec['template'] : undefined;
  const jobTemplate = { spec: template === undefined ? {} : { template } };
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    ...(metadata === undefined ? {} : { metadata }),
    spec: { schedule: '* * * * *', jobTemplate },
  };
}

/** The case with this number, now and then a CronJob; equal draws make equal cases. */
export function oddTemplateRequest(id: string, draw: Draw): OracleRequest {
  const request = oddJobRequest(id, draw);
  if (draw.chance(0.8)) return request;
  const { object, old } = request;
  return { ...request, object: scheduled(object), ...(old && { old: scheduled(old) }) };
}

function oddJobRequest(id: string, draw: Draw): OracleRequest {
  const spec = structuredClone(draw.pick(goodSpecs));
  change(spec, draw.pick([1, 1, 2, 2, 3, 4]), draw);
  const metadata = oddMetadata(draw);
  if (draw.chance(0.7)) return { id, operation: 'create', object: fresh(spec, metadata) };
  const old = existing(spec, metadata);
  const sent = structuredClone(spec);
  if (draw.chance(0.7)) change(sent, draw.pick([0, 1, 1, 2]), draw);
  const sentMetadata = draw.chance(0.7) ? metadata : oddMetadata(draw);
  return { id, operation: 'update', object: existing(sent, sentMetadata), old };
}
