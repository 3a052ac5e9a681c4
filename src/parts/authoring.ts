import { type Clock, systemClock } from '../base/index.ts';
import {
  type ChosenSettings,
  createManifestSession,
  type Lens,
  lensesOf,
  type ManifestCheck,
  manifestSettings,
  patchFilesOf,
  toYaml,
  withoutEchoes,
} from '../manifest/index.ts';

/** The authoring engine, a bundle of its own: loaded when the first manifest is seen. */

/** For how long documents are begun in one go: a frame has 16 ms, and others want the event loop as well. */
const stretchMs = 8;

export function createSession(
  onRuleFailure: (code: string, error: unknown) => void,
  clock: Pick<Clock, 'monotonicMs'> = systemClock,
): {
  check(text: string, settings: ChosenSettings): ManifestCheck;
} {
  const session = createManifestSession({ onRuleFailure });
  /** Taken by a huge text in each stretch, whatever is looked at: as much again for looking keeps the whole short. */
  let besideMs = 0;
  return {
    check(text, settings) {
      const end = clock.monotonicMs() + Math.max(stretchMs, besideMs);
      const check = session.check(text, { ...manifestSettings(settings), isTimeUp: () => clock.monotonicMs() >= end });
      besideMs = clock.monotonicMs() - end;
      return check;
    },
  };
}

export function lenses(check: ManifestCheck, settings: ChosenSettings): readonly Lens[] {
  return lensesOf(check, settings);
}

export { patchFilesOf, toYaml, withoutEchoes };
