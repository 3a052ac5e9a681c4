import { beginStretch, type Clock, systemClock } from '../base/index.ts';
import {
  type ChosenSettings,
  createManifestSession,
  fixesAt,
  fixesForAll,
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
  return {
    check: (text, settings) =>
      session.check(text, { ...manifestSettings(settings), isTimeUp: beginStretch(stretchMs, clock) }),
  };
}

export function lenses(check: ManifestCheck, settings: ChosenSettings): readonly Lens[] {
  return lensesOf(check, settings);
}

export { fixesAt, fixesForAll, patchFilesOf, toYaml, withoutEchoes };
