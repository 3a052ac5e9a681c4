import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findChromium, launchChromium } from './host/browser.ts';
import { picturesInto, walkAsNewcomer } from './host/newcomer.ts';
import { end } from './host/process.ts';

/**
 * Walks through `npm start` in VS Code as a newcomer would and keeps the pictures: `node scripts/run.mjs pictures [FOLDER]`,
 * by default into media/pictures, where the README shows them.
 */
const root = join(import.meta.dirname, '..');
const folder = process.argv[2] ?? join(root, 'media', 'pictures');
mkdirSync(folder, { recursive: true });
const start = spawn(process.execPath, [join(root, 'scripts/start.ts'), '--browser'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const address = await addressFrom(start.stdout);
  const browser = await launchChromium(await findChromium((line) => console.error(line)));
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 720 } });
    await page.goto(address);
    try {
      await walkAsNewcomer(page, { picture: picturesInto(page, folder) });
    } catch (error) {
      await page.screenshot({ path: join(folder, 'where-it-stopped.png') });
      throw error;
    }
  } finally {
    await browser.close();
  }
} finally {
  await end(start, 15_000);
}

async function addressFrom(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const address = /^\s*(http:\/\/127\.0\.0\.1\S+)/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error('npm start ended without an address.');
}
