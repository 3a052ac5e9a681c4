import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { controlPlanePrograms } from '../../scripts/cluster/binaries.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { converse, type Exchange } from '../sandbox/conversation.ts';
import { startControlPlane, tokens } from './controlPlane.ts';

/** The sandbox is only worth something if it answers as the real one does. Both are asked the same, both being new. */
describe('the sandbox and a real kube-apiserver', () => {
  test('answer alike', async () => {
    const [real, sandbox] = await Promise.all([askReal(), askSandbox()]);
    expect(sandbox.map(({ title }) => title)).toEqual(real.map(({ title }) => title));
    for (const [index, exchange] of real.entries()) {
      expect.soft(sandbox[index], `${exchange.title}: ${exchange.request}`).toEqual(exchange);
    }
    expect(real.length).toBeGreaterThan(100);
  });
});

async function askReal(): Promise<readonly Exchange[]> {
  const programs = await controlPlanePrograms((line) => console.error(line));
  const folder = await mkdtemp(join(tmpdir(), 'delegated-jobs-conversation-'));
  const plane = await startControlPlane('conversation', join(folder, 'plane'), programs);
  try {
    const { server, authority } = plane;
    return await converse({ url: server, token: tokens.admin, guestToken: tokens.guest, ca: authority });
  } finally {
    await plane.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function askSandbox(): Promise<readonly Exchange[]> {
  const sandbox = await startSandbox({ workers: 0, version: '1.35' });
  try {
    const [cluster] = sandbox.clusters;
    if (cluster === undefined) throw new Error('The sandbox has no cluster.');
    const { url, token } = cluster;
    return await converse({ url, token, guestToken: cluster.addUser('guest', []), ca: sandbox.caCertificate });
  } finally {
    await sandbox.stop();
  }
}
