import { expect, test } from 'vitest';
import { type OptInMemory, optInMemory } from '../../src/session/optInMemory.ts';

function setUp() {
  const kept = { isEnabled: false, consents: [] as readonly string[] };
  const lasting: OptInMemory = {
    isEnabled: () => kept.isEnabled,
    setEnabled: async (isEnabled) => {
      kept.isEnabled = isEnabled;
    },
    consents: () => kept.consents,
    setConsents: async (consents) => {
      kept.consents = consents;
    },
  };
  const window = { isPassing: false };
  return { memory: optInMemory(lasting, () => window.isPassing), kept, window };
}

test('an opt-in is kept with the workspace', async () => {
  const { memory, kept } = setUp();
  await memory.setEnabled(true);
  await memory.setConsents(['yes']);
  expect(kept).toEqual({ isEnabled: true, consents: ['yes'] });
});

test('an opt-in for clusters that vanish with the window leaves nothing behind, and gains nothing from before', async () => {
  const { memory, kept, window } = setUp();
  kept.isEnabled = true;
  kept.consents = ['before'];
  window.isPassing = true;
  expect([memory.isEnabled(), memory.consents()]).toEqual([false, []]);
  await memory.setEnabled(true);
  await memory.setConsents(['yes']);
  expect([memory.isEnabled(), memory.consents()]).toEqual([true, ['yes']]);
  window.isPassing = false;
  expect([memory.isEnabled(), memory.consents()]).toEqual([true, ['before']]);
  expect(kept).toEqual({ isEnabled: true, consents: ['before'] });
});
