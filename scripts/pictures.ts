import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from './host/browser.ts';
import { walkThroughStart } from './host/newcomer.ts';

/**
 * Walks through `npm start` as a newcomer would, and replaces the pictures that the README shows (media/pictures) by
 * those of the walk: `node scripts/run.mjs pictures`. All of the walk's stay in build/pictures.
 */
const root = join(import.meta.dirname, '..');
const taken = join(root, 'build', 'pictures');
const shown = join(root, 'media', 'pictures');
await walkThroughStart(await findChromium((line) => console.error(line)), taken);
for (const name of readdirSync(shown)) copyFileSync(join(taken, name), join(shown, name));
