import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../src/sandbox/index.ts';
import { mapsPath, type Served, serve, until } from './served.ts';

const map = (name: string): object => ({ metadata: { name } });

describe('a fault', () => {
  async function outcome(
    served: Served,
    rule: FaultRule,
    method = 'POST',
    path = mapsPath,
  ): Promise<{ status: number | 'broken'; isThere: boolean }> {
    const { client, cluster } = served;
    const fault = cluster.faults.add(rule);
    const answered = await client.send(method, path, method === 'POST' ? map('a') : undefined).then(
      ({ status }) => status,
      () => 'broken' as const,
    );
    fault.dispose();
    return { status: answered, isThere: (await client.get(`${mapsPath}/a`)).status === 200 };
  }

  it('answers for the server, and nothing is carried out', async () => {
    await using served = await serve();
    const rule: FaultRule = { fault: { kind: 'answer', status: 503 } };
    expect(await outcome(served, rule)).toEqual({ status: 503, isThere: false });
  });

  it('says when to come back', async () => {
    await using served = await serve();
    served.cluster.faults.add({
      fault: { kind: 'answer', status: 429, retryAfterSeconds: 7, reason: 'TooManyRequests' },
    });
    const reply = await served.client.get(mapsPath);
    expect(reply).toMatchObject({
      status: 429,
      body: { reason: 'TooManyRequests', details: { retryAfterSeconds: 7 } },
    });
    expect(reply.headers['retry-after']).toBe('7');
  });

  it('resets the connection before anything is carried out', async () => {
    await using served = await serve();
    expect(await outcome(served, { fault: { kind: 'reset' } })).toEqual({ status: 'broken', isThere: false });
  });

  it('loses the answer to what was carried out', async () => {
    await using served = await serve();
    expect(await outcome(served, { fault: { kind: 'lose-answer' } })).toEqual({ status: 'broken', isThere: true });
  });

  it('makes garbage of the answer', async () => {
    await using served = await serve();
    served.cluster.faults.add({ fault: { kind: 'garbage' } });
    expect(await served.client.get(mapsPath)).toMatchObject({ status: 200, body: undefined });
  });

  it('delays by the clock of the cluster', async () => {
    await using served = await serve();
    const delay = served.cluster.faults.add({ fault: { kind: 'delay', ms: 5000 } });
    const reply = served.client.get(mapsPath);
    await until(() => delay.hits() === 1);
    served.clock.advance(5000);
    expect(await reply).toMatchObject({ status: 200 });
  });

  it('swallows a request until it is taken away', async () => {
    await using served = await serve();
    const hole = served.cluster.faults.add({ match: { resource: 'configmaps' }, fault: { kind: 'black-hole' } });
    let outcomeOfGet = 'none';
    const done = served.client.get(mapsPath).then(
      () => {
        outcomeOfGet = 'answered';
      },
      () => {
        outcomeOfGet = 'broken';
      },
    );
    await until(() => hole.hits() === 1);
    expect(await served.client.get('/readyz')).toMatchObject({ status: 200 });
    expect(outcomeOfGet).toBe('none');
    hole.dispose();
    await done;
    expect(outcomeOfGet).toBe('broken');
  });

  it.each<[string, FaultRule['match'], boolean]>([
    ['the verb', { verb: 'create' }, true],
    ['another verb', { verb: 'update' }, false],
    ['the resource', { resource: 'configmaps' }, true],
    ['another resource', { resource: 'jobs' }, false],
    ['the main resource', { subresource: '' }, true],
    ['a subresource', { subresource: 'status' }, false],
    ['the namespace', { namespace: 'default' }, true],
    ['another namespace', { namespace: 'other' }, false],
    ['the path', { path: /configmaps$/u }, true],
    ['another path', { path: /pods/u }, false],
  ])('strikes by %s', async (_, match, isHit) => {
    await using served = await serve();
    const { status } = await outcome(served, {
      ...(match === undefined ? {} : { match }),
      fault: { kind: 'answer', status: 500 },
    });
    expect(status).toBe(isHit ? 500 : 201);
  });

  it('strikes as often as it is told, after as many as it is told', async () => {
    await using served = await serve();
    served.cluster.faults.add({ fault: { kind: 'answer', status: 500 }, skip: 1, times: 2 });
    const statuses = [];
    for (let i = 0; i < 5; i += 1) statuses.push((await served.client.get(mapsPath)).status);
    expect(statuses).toEqual([200, 500, 500, 200, 200]);
  });
});

describe('a watch over HTTPS', () => {
  async function watchMaps(served: Served, query = '') {
    const lines: string[] = [];
    const stream = served.client.stream(`${mapsPath}?watch=true${query}`, (line) => lines.push(JSON.parse(line).type));
    expect(await stream.opened).toBe(200);
    const broken = stream.done.then(
      () => 'ended',
      () => 'broken',
    );
    return { lines, broken, stream };
  }

  it('hears of a write at once', async () => {
    await using served = await serve();
    const { lines } = await watchMaps(served);
    await served.client.send('POST', mapsPath, map('a'));
    await until(() => lines.length > 0);
    expect(lines).toEqual(['ADDED']);
    expect(served.cluster.openWatches()).toBe(1);
  });

  it('breaks when it is cut', async () => {
    await using served = await serve();
    const { broken } = await watchMaps(served);
    served.cluster.faults.cutWatches('jobs');
    expect(served.cluster.openWatches()).toBe(1);
    served.cluster.faults.cutWatches();
    expect(await broken).toBe('broken');
    await until(() => served.cluster.openWatches() === 0);
  });

  it('is told that it is too old, now and when it resumes', async () => {
    await using served = await serve();
    const { resourceVersion } = JSON.parse((await served.client.get(mapsPath)).text).metadata;
    await served.client.send('POST', mapsPath, map('a'));
    const { lines, broken } = await watchMaps(served, `&resourceVersion=${resourceVersion}`);
    await until(() => lines.length > 0);
    served.cluster.faults.expireWatches();
    expect(await broken).toBe('ended');
    expect(lines).toEqual(['ADDED', 'ERROR']);
    const again = await watchMaps(served, `&resourceVersion=${resourceVersion}`);
    expect(await again.broken).toBe('ended');
    expect(again.lines).toEqual(['ERROR']);
  });

  it('loses what happens while it is stalled', async () => {
    await using served = await serve();
    const { lines } = await watchMaps(served);
    const stall = served.cluster.faults.stallWatches();
    await served.client.send('POST', mapsPath, map('a'));
    stall.dispose();
    await served.client.send('DELETE', `${mapsPath}/a`);
    await until(() => lines.length > 0);
    expect(lines).toEqual(['DELETED']);
  });

  it('hears late while it is delayed', async () => {
    await using served = await serve();
    const { lines } = await watchMaps(served);
    const delay = served.cluster.faults.delayWatches(5000);
    await served.client.send('POST', mapsPath, map('a'));
    delay.dispose();
    await served.client.send('DELETE', `${mapsPath}/a`);
    await until(() => lines.length > 0);
    served.clock.advance(5000);
    await until(() => lines.length > 1);
    expect(lines).toEqual(['DELETED', 'ADDED']);
  });

  it('is forgotten when its client goes', async () => {
    await using served = await serve();
    const { stream } = await watchMaps(served);
    stream.close();
    await until(() => served.cluster.openWatches() === 0);
    expect(served.cluster.openWatches()).toBe(0);
  });
});

describe('the clock of a cluster', () => {
  it('can be wrong, and shows it in the Date of its answers and in its objects', async () => {
    await using served = await serve();
    served.cluster.faults.setClockSkew(-3_600_000);
    const reply = await served.client.send('POST', mapsPath, map('a'));
    expect(reply.headers['date']).toBe('Sun, 29 Nov 2026 11:00:00 GMT');
    expect(reply.body).toMatchObject({ metadata: { creationTimestamp: '2026-11-29T11:00:00Z' } });
  });
});
