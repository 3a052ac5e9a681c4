import { describe, expect, test } from 'vitest';
import { Emitter } from '../../src/base/index.ts';
import { consentKey } from '../../src/session/optIn.ts';
import { ReconcilerSession } from '../../src/session/reconcilerSession.ts';
import type { ResolvedTarget } from '../../src/session/target.ts';

const target: ResolvedTarget = {
  kubeconfig: '',
  management: 'hub',
  managementServer: 'https://hub.example',
  workers: [{ name: 'w', context: 'w' }],
  workerServers: ['https://w.example'],
  namespaces: ['default'],
  controllerName: 'x.example/y',
};

class Run {
  isStopped = false;
  readonly #reports = new Emitter<string>((error) => {
    throw error;
  });
  readonly #ended = Promise.withResolvers<string>();
  readonly report = 'starting up';
  readonly ended = this.#ended.promise;
  readonly onReport = this.#reports.event;
  tell(report: string): void {
    this.#reports.fire(report);
  }
  crash(reason: string): void {
    this.#ended.resolve(reason);
  }
  retry(): void {}
  async stop(): Promise<void> {
    this.isStopped = true;
  }
}

/** A session with its world: what is set, what was agreed to, what is asked, what runs. */
function setUp(world: { isTrusted?: boolean; isEnabled?: boolean; consents?: string[]; answer?: boolean } = {}) {
  const state = {
    isTrusted: true,
    isEnabled: false,
    isReadOnly: false,
    consents: [] as string[],
    answer: true,
    asked: 0,
    ...world,
  };
  const runs: Run[] = [];
  let hold: Promise<void> = Promise.resolve();
  let pendingAnswer: Promise<boolean> | undefined;
  const session = new ReconcilerSession<string>(
    {
      isTrusted: () => state.isTrusted,
      isEnabled: () => state.isEnabled,
      setEnabled: async (isEnabled) => {
        if (state.isReadOnly) throw new Error('read-only');
        state.isEnabled = isEnabled;
      },
      consents: () => state.consents,
      rememberConsent: async (consent) => {
        state.consents.push(consent);
      },
      forgetConsent: async (consent) => {
        state.consents = state.consents.filter((one) => one !== consent);
      },
      ask: async () => {
        state.asked++;
        return await (pendingAnswer ?? state.answer);
      },
      run: async () => {
        await hold;
        const run = new Run();
        runs.push(run);
        return run;
      },
    },
    (error) => {
      throw error;
    },
  );
  const holdStarts = (): (() => void) => {
    const gate = Promise.withResolvers<void>();
    hold = gate.promise;
    return gate.resolve;
  };
  const answerLater = (): ((isYes: boolean) => void) => {
    const answer = Promise.withResolvers<boolean>();
    pendingAnswer = answer.promise;
    return answer.resolve;
  };
  const only = (): Run => {
    const [run, ...others] = runs;
    if (run === undefined || others.length > 0) throw new Error(`There are ${runs.length} runs.`);
    return run;
  };
  return { session, state, runs, only, holdStarts, answerLater };
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('the reconciler of a window', () => {
  test('starts after a yes, which is remembered, and switches the setting on', async () => {
    const { session, state, only } = setUp();
    await expect(session.enable(target)).resolves.toBe('go');
    expect(state).toMatchObject({ isEnabled: true, asked: 1, consents: [consentKey(target)] });
    expect(only().isStopped).toBe(false);
    expect(session.phase.kind).toBe('running');
  });

  test('does nothing after a no', async () => {
    const { session, state, runs } = setUp({ answer: false });
    await session.enable(target);
    expect(state).toMatchObject({ isEnabled: false, consents: [] });
    expect(runs).toEqual([]);
    expect(session.phase.kind).toBe('off');
  });

  test('resumes without a question what was agreed to', async () => {
    const { session, state, only } = setUp({ isEnabled: true, consents: [consentKey(target)] });
    await expect(session.resume(target)).resolves.toBe('go');
    expect(state.asked).toBe(0);
    expect(only().isStopped).toBe(false);
  });

  test('never resumes on the setting alone', async () => {
    const { session, runs } = setUp({ isEnabled: true });
    await expect(session.resume(target)).resolves.toBe('ask');
    expect(runs).toEqual([]);
  });

  test('never starts in an untrusted workspace, not even when asked to', async () => {
    const { session, state, runs } = setUp({ isTrusted: false, isEnabled: true, consents: [consentKey(target)] });
    await expect(session.enable(target)).resolves.toBe('untrusted');
    await expect(session.resume(target)).resolves.toBe('untrusted');
    expect(state.asked).toBe(0);
    expect(runs).toEqual([]);
  });

  test('stops the thread that comes up after it was given up', async () => {
    const { session, only, holdStarts } = setUp();
    const letStart = holdStarts();
    const starting = session.enable(target);
    await settled();
    await session.stop();
    letStart();
    await starting;
    expect(only().isStopped).toBe(true);
    expect(session.phase.kind).toBe('off');
  });

  test('has one thread, however often it is started', async () => {
    const { session, only, holdStarts } = setUp();
    const letStart = holdStarts();
    const first = session.enable(target);
    await settled();
    // As a window does when it is told that the setting was switched on.
    await Promise.all([session.enable(target), session.resume(target)]);
    letStart();
    await first;
    await session.enable(target);
    expect(only().isStopped).toBe(false);
  });

  test('starts anew for other clusters, and stops for those of before', async () => {
    const { session, runs } = setUp();
    await session.enable(target);
    await session.enable({ ...target, namespaces: ['other'] });
    expect(runs.map(({ isStopped }) => isStopped)).toEqual([true, false]);
  });

  test('asks once, however often it is asked for', async () => {
    const { session, state, only, answerLater } = setUp();
    const answer = answerLater();
    const first = session.enable(target);
    await expect(session.enable(target)).resolves.toBe('ask');
    answer(true);
    await first;
    expect(state.asked).toBe(1);
    expect(only().isStopped).toBe(false);
  });

  test('does not start on an answer that comes after all was given up', async () => {
    const { session, state, runs, answerLater } = setUp();
    const answer = answerLater();
    const asking = session.enable(target);
    await session.stop();
    answer(true);
    await asking;
    expect(runs).toEqual([]);
    expect(state).toMatchObject({ isEnabled: false, consents: [] });
    expect(session.phase.kind).toBe('off');
  });

  test('says so when the opt-in could not be written down, and does not run', async () => {
    const { session, state, runs } = setUp();
    state.isReadOnly = true;
    await expect(session.enable(target)).rejects.toThrow('read-only');
    expect(runs).toEqual([]);
    expect(session.phase).toMatchObject({ kind: 'failed', reason: 'read-only' });
  });

  test('asks again after it was disabled, even if the setting comes back by itself', async () => {
    const { session, state } = setUp();
    await session.enable(target);
    await session.disable();
    expect(state).toMatchObject({ isEnabled: false, consents: [] });
    state.isEnabled = true;
    await expect(session.resume(target)).resolves.toBe('ask');
  });

  test('shows what the thread reports, and nothing of a stopped one', async () => {
    const { session, only } = setUp();
    await session.enable(target);
    only().tell('leading default');
    expect(session.phase).toMatchObject({ kind: 'running', report: 'leading default' });
    await session.stop();
    only().tell('too late');
    expect(session.phase.kind).toBe('off');
  });

  test('says so when the thread ends by itself', async () => {
    const { session, only } = setUp();
    await session.enable(target);
    only().crash('out of memory');
    await settled();
    expect(session.phase).toMatchObject({ kind: 'failed', reason: 'out of memory' });
  });

  test('switches the setting off when it is disabled, and keeps it when the window closes', async () => {
    const { session, state, only } = setUp();
    await session.enable(target);
    session.dispose();
    expect(only().isStopped).toBe(true);
    expect(state.isEnabled).toBe(true);
    await session.disable();
    expect(state.isEnabled).toBe(false);
  });
});
