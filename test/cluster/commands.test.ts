import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../src/base/index.ts';
import { openWorld, ours, partOf, until, type World } from './world.ts';

/** From a manifest to the end of its Job by our own commands alone, as somebody without an editor would do it. */
describe('the commands on real clusters', () => {
  let world: World;

  beforeAll(async () => {
    world = await openWorld('commands');
  });

  afterAll(async () => {
    await world.close();
  });

  const manifest = `
apiVersion: batch/v1
kind: Job
metadata:
  name: sent
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: main
          image: registry.example/app:1
`;
  const dispatch = ['dispatch', '--management', 'management', '-n', 'commands'];
  const status = ['status', '--management', 'management', '--worker', 'worker=worker', '-n', 'commands', '-o', 'json'];

  test('a manifest is dispatched, runs, and its row tells the end', async () => {
    const rehearsal = world.run([...dispatch, '--dry-run', '-'], { stdin: manifest });
    expect(await rehearsal.ended, rehearsal.stderr()).toBe(0);
    expect(await world.job('sent')).toBeUndefined();

    const sending = world.run([...dispatch, '-'], { stdin: manifest });
    expect(await sending.ended, sending.stderr()).toBe(0);
    expect(partOf(await world.job('sent'), 'spec')['managedBy']).toBe(ours);

    world.reconcile();
    const row = await until('the row says that it is complete', async () => {
      const [first] = await rows();
      return first?.['succeeded'] === 1 && !['Running', 'Pending'].includes(String(first['phase'])) ? first : undefined;
    });
    expect(row).toMatchObject({
      namespace: 'commands',
      name: 'sent',
      managedBy: ours,
      worker: 'worker',
      completions: 1,
    });
  });

  test('what the server would refuse is not sent', async () => {
    const bad = manifest.replace('name: sent', 'name: Bad_Name');
    const sending = world.run([...dispatch, '-'], { stdin: bad });
    expect(await sending.ended).toBe(1);
    expect(sending.stderr()).toContain('metadata.name');
  });

  async function rows(): Promise<readonly JsonObject[]> {
    const program = world.run(status);
    expect(await program.ended, program.stderr()).toBe(0);
    const lines = program
      .stdout()
      .split('\n')
      .filter((line) => line !== '');
    return lines.map((line): unknown => JSON.parse(line)).filter(isJsonObject);
  }
});
