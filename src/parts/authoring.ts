import { createManifestSession, type ManifestSession } from '../manifest/index.ts';

/** The authoring engine, a bundle of its own: loaded when the first manifest is seen. */
export function createSession(onRuleFailure: (code: string, error: unknown) => void): ManifestSession {
  return createManifestSession({ onRuleFailure });
}
