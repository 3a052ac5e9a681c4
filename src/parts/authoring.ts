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

/** For how long a text is looked at in one go: a frame has 16 ms, and others want the event loop as well. */
const stretchMs = 8;

export function createSession(
  onRuleFailure: (code: string, error: unknown) => void,
  clock: Pick<Clock, 'monotonicMs'> = systemClock,
): {
  check(text: string, settings: ChosenSettings): ManifestCheck;
} {
  const session = createManifestSession({ onRuleFailure });
  /** Taken by a long text in each stretch, whatever is looked at: as much again for looking keeps the whole short. */
  let besideMs = 0;
  return {
    check(text, settings) {
      const startMs = clock.monotonicMs();
      const lookingMs = Math.max(stretchMs - besideMs, besideMs);
      let firstMs: number | undefined;
      let lastMs = startMs;
      const isTimeUp = (): boolean => {
        lastMs = clock.monotonicMs();
        firstMs ??= lastMs;
        return lastMs - firstMs >= lookingMs;
      };
      const check = session.check(text, { ...manifestSettings(settings), isTimeUp });
      besideMs = clock.monotonicMs() - startMs - (lastMs - (firstMs ?? lastMs));
      return check;
    },
  };
}

export function lenses(check: ManifestCheck, settings: ChosenSettings): readonly Lens[] {
  return lensesOf(check, settings);
}

export { patchFilesOf, toYaml, withoutEchoes };
