import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { run } from './process.ts';

/** Where browsers of the Chromium family usually stand; `CHROME_PATH` goes before all of them. */
const candidates: readonly string[] = [
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'].map(
    (name) => `/usr/bin/${name}`,
  ),
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  join(process.env['PROGRAMFILES'] ?? 'C:\\Program Files', 'Google', 'Chrome', 'Application', 'chrome.exe'),
];

/** The path of a Chromium, installed with apt where that is possible; else rejects with the command that installs one. */
export async function findChromium(report: (line: string) => void): Promise<string> {
  const named = process.env['CHROME_PATH'];
  if (named && !existsSync(named)) throw new Error(`CHROME_PATH names ${named}, which does not exist.`);
  const found = named ?? candidates.find((path) => existsSync(path));
  if (found) return found;
  const isDebian = existsSync('/etc/debian_version');
  const command = isDebian
    ? 'sudo apt-get install -y chromium'
    : 'install Google Chrome or Chromium, or name one in CHROME_PATH';
  if (isDebian && process.getuid?.() === 0) {
    report('Installing Chromium with apt …');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq'], { env });
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core'], { env });
    if (existsSync('/usr/bin/chromium')) return '/usr/bin/chromium';
  }
  throw new Error(`The suite inside VS Code needs a Chromium, and there is none. To get one: ${command}`);
}

export async function launchChromium(executablePath: string): Promise<Browser> {
  return await chromium.launch({
    executablePath,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync', '--force-device-scale-factor=1'],
    ],
  });
}
