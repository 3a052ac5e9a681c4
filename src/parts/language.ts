import type { Pieces } from '../base/index.ts';
import { type Completion, completionsAt, type Hover, hoverAt, namesUsed } from '../language/index.ts';
import { type ChosenSettings, type ManifestCheck, manifestSettings } from '../manifest/index.ts';

/** What helps while a manifest is written, a bundle of its own: loaded at the first completion or hover. */

export function complete(
  text: string,
  offset: number,
  settings: ChosenSettings,
  others: readonly ManifestCheck[],
): Pieces<readonly Completion[]> {
  const used = namesUsed(others);
  const knownControllers = [...settings.knownControllers, ...used.controllers];
  const stored = Object.values(settings.clusterQueues?.byNamespace ?? {}).flatMap((queues) =>
    queues.map(({ name }) => name),
  );
  const knownQueues = [...new Set([...stored, ...used.queues])];
  return completionsAt(text, offset, { ...manifestSettings(settings), knownControllers, knownQueues });
}

export function hover(text: string, offset: number, settings: ChosenSettings): Pieces<Hover | undefined> {
  return hoverAt(text, offset, manifestSettings(settings));
}
