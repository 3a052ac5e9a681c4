import { join } from 'node:path';
import { findChromium } from './host/browser.ts';
import { walkThroughStart } from './host/newcomer.ts';

/**
 * Walks through `npm start` as a newcomer would and keeps the pictures: `node scripts/run.mjs pictures [FOLDER]`, by
 * default into media/pictures, where the README shows them.
 */
const folder = process.argv[2] ?? join(import.meta.dirname, '..', 'media', 'pictures');
await walkThroughStart(await findChromium((line) => console.error(line)), folder);
