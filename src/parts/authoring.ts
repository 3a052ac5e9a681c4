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

/** Documents of a long file that are looked at in one go, so that typing never waits for all of them. */
const documentsAtOnce = 200;

export function createSession(onRuleFailure: (code: string, error: unknown) => void): {
  check(text: string, settings: ChosenSettings): ManifestCheck;
} {
  const session = createManifestSession({ onRuleFailure });
  return {
    check: (text, settings) =>
      session.check(text, { ...manifestSettings(settings), newDocumentsLimit: documentsAtOnce }),
  };
}

export function lenses(check: ManifestCheck, settings: ChosenSettings): readonly Lens[] {
  return lensesOf(check, settings);
}

export { patchFilesOf, toYaml, withoutEchoes };
