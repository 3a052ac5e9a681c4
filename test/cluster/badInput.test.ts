import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type KubeconfigContext, tokens } from './controlPlane.ts';
import { openWorld, ours, until, type World } from './world.ts';

/** What goes wrong in practice with a login or a cluster, and what our command line makes of it. */
describe('a cluster that can’t be used', () => {
  let world: World;
  let closedServer = '';

  beforeAll(async () => {
    world = await openWorld('bad-input');
    await world.createJob('waiting', { managedBy: ours });
    closedServer = `https://127.0.0.1:${await closedPort()}`;
  });

  afterAll(async () => {
    await world.close();
  });

  /** A context that is spoilt in one way, and how the message about it reads. */
  const faults: readonly {
    readonly fault: string;
    readonly spoil: (context: KubeconfigContext, other: KubeconfigContext) => KubeconfigContext;
    readonly says: RegExp;
  }[] = [
    { fault: 'an expired login', spoil: (context) => ({ ...context, token: 'expired' }), says: /login|LoginExpired/ },
    {
      fault: 'a certificate that nobody vouches for',
      spoil: (context, { authority = '' }) => ({ ...context, authority }),
      says: /certificate|CertificateUntrusted/i,
    },
    {
      fault: 'nothing at the address',
      spoil: (context) => ({ ...context, server: closedServer }),
      says: /ECONNREFUSED/,
    },
    {
      fault: 'a namespace without rights',
      spoil: (context) => ({ ...context, token: tokens.guest }),
      says: /forbidden/i,
    },
  ];
  const contexts = (): readonly [KubeconfigContext, KubeconfigContext] => [
    { name: 'management', ...inject('management'), token: tokens.admin },
    { name: 'worker', ...inject('worker'), token: tokens.admin },
  ];
  const clusters = ['--management', 'management', '--worker', 'worker=worker', '-n', 'bad-input'];

  test.each(faults)('$fault on the management cluster ends `status` with a remedy', async ({ spoil, says }) => {
    const [management, worker] = contexts();
    const kubeconfig = await world.kubeconfig([spoil(management, worker), worker]);
    const program = world.run(['status', ...clusters], { kubeconfig });
    expect(await program.ended).toBe(2);
    expect(program.stderr()).toMatch(says);
    expect(program.stderr()).toContain('management');
    expect(program.stderr().trim().split('\n'), 'one line, no stack').toHaveLength(1);
    expect(program.stdout()).toBe('');
  });

  test.each(faults)('$fault on a worker leaves the other half of `status`', async ({ spoil, says }) => {
    const [management, worker] = contexts();
    const kubeconfig = await world.kubeconfig([management, spoil(worker, management)]);
    const program = world.run(['status', ...clusters, '-o', 'json'], { kubeconfig });
    expect(await program.ended).toBe(0);
    expect(program.stderr()).toMatch(says);
    expect(JSON.parse(program.stdout())).toMatchObject({ name: 'waiting', managedBy: ours, mirror: null });
  });

  test.each(faults)('$fault on the management cluster keeps `reconcile` waiting', async ({ spoil, says }) => {
    const [management, worker] = contexts();
    const program = world.reconcile({ kubeconfig: await world.kubeconfig([spoil(management, worker), worker]) });
    await until('it says so', () => (says.test(program.stderr()) ? true : undefined));
    expect(await program.stop()).toBe(0);
    expect(await world.mirrors()).toEqual([]);
  });

  test.each(faults)('$fault on a worker holds the Job back', async ({ spoil, says }) => {
    const [management, worker] = contexts();
    const program = world.reconcile({ kubeconfig: await world.kubeconfig([management, spoil(worker, management)]) });
    await until('it says so', () => (says.test(program.stderr()) ? true : undefined));
    await until('it says what the Job waits for', () => (/waiting: /.test(program.stderr()) ? true : undefined));
    expect(await program.stop()).toBe(0);
    expect(await world.mirrors()).toEqual([]);
    for (const token of Object.values(tokens)) expect(program.stdout() + program.stderr()).not.toContain(token);
  });
});

/** A port that was open and is no longer. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 1;
}
