/** What is kept of an opt-in between windows: the workspace's setting, and this machine's answers. */
export interface OptInMemory {
  readonly isEnabled: () => boolean;
  readonly setEnabled: (isEnabled: boolean) => Promise<void>;
  readonly consents: () => readonly string[];
  readonly setConsents: (consents: readonly string[]) => Promise<void>;
}

/**
 * Keeps an opt-in for good, or for this window alone while `isPassing`: clusters that vanish with the window shall leave
 * nothing in a workspace's settings, and where there is no workspace the setting would be everybody's.
 */
export function optInMemory(lasting: OptInMemory, isPassing: () => boolean): OptInMemory {
  let isEnabled = false;
  let consents: readonly string[] = [];
  const passing: OptInMemory = {
    isEnabled: () => isEnabled,
    setEnabled: async (value) => {
      isEnabled = value;
    },
    consents: () => consents,
    setConsents: async (value) => {
      consents = value;
    },
  };
  const chosen = (): OptInMemory => (isPassing() ? passing : lasting);
  return {
    isEnabled: () => chosen().isEnabled(),
    setEnabled: (value) => chosen().setEnabled(value),
    consents: () => chosen().consents(),
    setConsents: (value) => chosen().setConsents(value),
  };
}
