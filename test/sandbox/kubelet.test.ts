import { describe, expect, it } from 'vitest';
import { logLines } from '../../src/sandbox/kubelet/log.ts';
import { parseDuration } from '../../src/sandbox/kubelet/script.ts';
import { asPod } from '../../src/sandbox/objects.ts';
import { definitions } from '../../src/sandbox/resources.ts';
import { Rig } from './rig.ts';
import { jobBody, jobsPath, podsPath, serve, until } from './served.ts';

const prefix = 'sandbox.delegated-jobs.dev/';

describe('the annotations of a pod', () => {
  function check(
    annotations: Readonly<Record<string, string>>,
    spec: object,
    afterMs: number,
    expected: readonly string[],
  ): void {
    const rig = new Rig();
    const prefixed = Object.fromEntries(Object.entries(annotations).map(([key, value]) => [`${prefix}${key}`, value]));
    rig.createJob(
      'a',
      { completionMode: 'Indexed', completions: 3, parallelism: 3, backoffLimit: 0, ...spec },
      prefixed,
    );
    rig.clock.advance(afterMs);
    expect(rig.phases()).toEqual(expected);
  }

  const [running, done, failed] = ['Running', 'Succeeded', 'Failed'];

  it.each<[string, Readonly<Record<string, string>>, number, readonly (string | undefined)[]]>([
    ['none: it runs for two seconds', {}, 2200, [running, running, running]],
    ['none: it succeeds', {}, 2300, [done, done, done]],
    ['a duration', { duration: '500ms' }, 800, [done, done, done]],
    ['a longer duration', { duration: '1m' }, 60_200, [running, running, running]],
    ['an exit code for all', { 'exit-code': '3' }, 2300, [failed, failed, failed]],
    ['indexes that fail', { 'fail-indexes': '0, 2' }, 2300, [failed, done, failed]],
    ['a number of failures', { 'fail-times': '2' }, 2300, [failed, failed, done]],
    ['an exit code for those that fail', { 'exit-code': '42', 'fail-indexes': '1' }, 2300, [done, failed, done]],
    ['nonsense', { duration: 'soon', 'exit-code': 'x', 'fail-times': '-1' }, 2300, [done, done, done]],
  ])('%s', (_, annotations, afterMs, expected) => check(annotations, {}, afterMs, expected.map(String)));

  it('set the exit code', () => {
    const rig = new Rig();
    rig.createJob('a', { backoffLimit: 0 }, { [`${prefix}exit-code`]: '42' });
    rig.clock.advance(2300);
    expect(rig.pods()[0]?.status?.containerStatuses?.[0]?.state.terminated).toMatchObject({
      exitCode: 42,
      reason: 'Error',
    });
  });

  it('let the first runs fail, whichever pods they are in', () => {
    const rig = new Rig();
    rig.createJob('a', { restartPolicy: 'OnFailure' }, { [`${prefix}fail-times`]: '1' });
    rig.clock.advance(60_000);
    expect(rig.conditionsOf('a')).toContain('Complete');
    expect(rig.pods()[0]?.status?.containerStatuses?.[0]?.restartCount).toBe(1);
  });

  it.each([
    ['500ms', 500],
    ['1.5s', 1500],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['1m30s', 90_000],
    ['5', undefined],
    ['-1s', undefined],
    ['', undefined],
  ])('%j is a duration of %s ms', (text, expected) => {
    expect(parseDuration(text)).toBe(expected);
  });
});

describe('a pod', () => {
  it('is pending, then scheduled, then running and ready, then done', () => {
    const rig = new Rig();
    rig.createJob('a');
    rig.clock.advance(10);
    expect(rig.pods()[0]).toMatchObject({ status: { phase: 'Pending' } });
    rig.clock.advance(50);
    expect(rig.pods()[0]).toMatchObject({ spec: { nodeName: 'worker-1-node' }, status: { phase: 'Pending' } });
    rig.clock.advance(200);
    expect(rig.pods()[0]?.status).toMatchObject({
      phase: 'Running',
      podIP: expect.any(String),
      containerStatuses: [{ ready: true }],
    });
    rig.clock.advance(2000);
    expect(rig.pods()[0]?.status).toMatchObject({ phase: 'Succeeded', containerStatuses: [{ ready: false }] });
    expect(rig.reasons(rig.pods()[0]?.metadata.name ?? '')).toEqual(['Scheduled', 'Pulled', 'Created', 'Started']);
  });

  function createPod(rig: Rig, spec: object): void {
    const body = { metadata: { name: 'p' }, spec: { containers: [{ name: 'main', image: 'busybox' }], ...spec } };
    rig.cluster.api.create(definitions.pods, 'default', body);
    rig.clock.advance(5000);
  }

  it.each<[string, object, string]>([
    ['no node has what it wants', { nodeSelector: { gpu: 'yes' } }, 'Unschedulable'],
    ['it is gated', { schedulingGates: [{ name: 'wait' }] }, 'SchedulingGated'],
  ])('waits when %s, and says so', (_, spec, reason) => {
    const rig = new Rig();
    createPod(rig, spec);
    const { resourceVersion } = rig.cluster.store;
    rig.clock.advance(60_000);
    expect(rig.cluster.store.resourceVersion).toBe(resourceVersion);
    expect(rig.pods()[0]?.status).toMatchObject({
      phase: 'Pending',
      conditions: [{ type: 'PodScheduled', status: 'False', reason }],
    });
  });

  it('runs on a node with the labels that it wants', () => {
    const rig = new Rig();
    createPod(rig, { restartPolicy: 'Never', nodeSelector: { 'kubernetes.io/os': 'linux' } });
    expect(rig.phases()).toEqual(['Succeeded']);
  });

  it('is left to another scheduler', () => {
    const rig = new Rig();
    createPod(rig, { restartPolicy: 'Never', schedulerName: 'mine' });
    expect(rig.phases()).toEqual(['Pending']);
    rig.cluster.api.bind('default', 'p', 'worker-1-node');
    rig.clock.advance(5000);
    expect(rig.phases()).toEqual(['Succeeded']);
  });

  it('starts once its gates are gone', () => {
    const rig = new Rig();
    createPod(rig, { restartPolicy: 'Never', schedulingGates: [{ name: 'wait' }] });
    const patch = { mediaType: 'application/merge-patch+json', body: { spec: { schedulingGates: null } } } as const;
    rig.cluster.api.patch(definitions.pods, 'default', 'p', patch);
    rig.clock.advance(5000);
    expect(rig.phases()).toEqual(['Succeeded']);
  });

  it('that runs is given time when it is deleted, and ends by the signal', () => {
    const rig = new Rig();
    createPod(rig, { restartPolicy: 'Always' });
    const seen: string[] = [];
    rig.cluster.store.onChange(definitions.pods, ({ type, object }) => {
      const { status } = asPod(object);
      seen.push(`${type} ${status?.phase} ${status?.containerStatuses?.[0]?.state.terminated?.exitCode ?? ''}`.trim());
    });
    rig.cluster.api.delete(definitions.pods, 'default', 'p');
    expect(rig.pods()[0]?.metadata).toMatchObject({
      deletionGracePeriodSeconds: 30,
      deletionTimestamp: expect.any(String),
    });
    rig.clock.advance(2000);
    expect(seen.at(-1)).toBe('DELETED Failed 143');
  });
});

describe('the log of a pod', () => {
  const run = {
    container: { name: 'main', image: 'busybox', command: ['sh', '-c', 'echo "hello"; echo bye'] },
    podName: 'p',
    startedAt: 1000,
    durationMs: 600,
  };
  const texts = (now: number, extras: object = {}): readonly string[] =>
    logLines({ ...run, ...extras }, now).map(({ text }) => text);

  it('grows as time goes on', () => {
    expect(texts(1000)).toEqual(['p: started busybox']);
    expect(texts(1150)).toEqual(['p: started busybox', 'hello', 'bye', 'step 1 of 5 done']);
    expect(texts(9000, { endedAt: 1600, exitCode: 0 }).slice(-2)).toEqual(['step 5 of 5 done', 'finished']);
  });

  it.each([
    [3, 'failed: exit code 3'],
    [143, 'terminated by signal 15'],
  ])('ends with the reason of exit code %i', (exitCode, last) => {
    expect(texts(9000, { endedAt: 1200, exitCode }).at(-1)).toBe(last);
  });

  it('has no lines from after its end', () => {
    expect(texts(9000, { endedAt: 1150, exitCode: 143 })).not.toContain('step 2 of 5 done');
  });

  it('is served with the lines, the times and the end that were asked for', async () => {
    await using served = await serve();
    await served.client.send('POST', jobsPath, jobBody('a'));
    served.clock.advance(5000);
    const [pod] = JSON.parse((await served.client.get(podsPath)).text).items;
    const path = `${podsPath}/${pod.metadata.name}/log`;
    expect((await served.client.get(path)).text.split('\n')).toHaveLength(8);
    expect((await served.client.get(`${path}?tailLines=1`)).text).toBe('finished\n');
    expect((await served.client.get(`${path}?tailLines=1&timestamps=true`)).text).toMatch(
      /^2026-11-29T12:00:02\.\d{6}Z finished\n$/u,
    );
    expect((await served.client.get(`${path}?container=other`)).status).toBe(400);
  });

  it('can be followed to its end', async () => {
    await using served = await serve();
    await served.client.send('POST', jobsPath, jobBody('a'));
    served.clock.advance(500);
    const [pod] = JSON.parse((await served.client.get(podsPath)).text).items;
    const lines: string[] = [];
    const stream = served.client.stream(`${podsPath}/${pod.metadata.name}/log?follow=true`, (line) => lines.push(line));
    await stream.opened;
    await until(() => lines.length > 0);
    served.clock.advance(5000);
    await stream.done;
    expect(lines.at(-1)).toBe('finished');
  });
});
