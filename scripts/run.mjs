/**
 * Runs one of the repo's programs on a fresh clone: `node scripts/run.mjs NAME [ARGUMENT…]` is `scripts/NAME.ts` on the
 * Node that package.json pins, with everything installed that package-lock.json names. This file itself must start on any
 * Node from 20 on and needs nothing installed, so that `npm start` and `npm test` are enough after `git clone`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const windows = process.platform === 'win32';
const pinnedNode = join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');

function fail(message) {
  console.error(message);
  process.exit(2);
}

function npm(...args) {
  const result = spawnSync(windows ? 'npm.cmd' : 'npm', args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: windows,
  });
  if (result.error) fail(`npm can't be started (${result.error.message}). It comes with Node.js: https://nodejs.org`);
  if (result.status !== 0)
    fail(`'npm ${args.join(' ')}' failed. Is the package registry reachable? Once it is, run the same command again.`);
}

/** Installs what the lock file names, once per content of the lock file. */
function install() {
  const modules = join(root, 'node_modules');
  // Behind a link stands another clone's folder, which 'npm ci' would empty: it is taken as it is.
  if (existsSync(modules) && lstatSync(modules).isSymbolicLink()) return;
  const stampFile = join(modules, '.installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const have = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '';
  if (have === wanted && existsSync(pinnedNode)) return;
  console.error('Installing the packages that package-lock.json names …');
  // Without scripts: the native add-ons that some packages would compile are not used here. `node` alone needs its own,
  // which puts the binary of this platform in its place.
  npm('ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
  npm('rebuild', 'node', '--loglevel=error');
  if (!existsSync(pinnedNode))
    fail(`The package 'node' brought no ${pinnedNode}. Run 'npm rebuild node' and look at what it says.`);
  writeFileSync(stampFile, wanted);
}

const [name, ...args] = process.argv.slice(2);
if (Number(process.versions.node.split('.')[0]) < 20)
  fail(`Node.js 20 or newer is needed; this is ${process.version}.`);
const script = join(root, 'scripts', `${name}.ts`);
if (!name || !existsSync(script)) fail(`There is no scripts/${name}.ts.`);
install();
const child = spawn(pinnedNode, ['--disable-warning=ExperimentalWarning', script, ...args], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    PATH: [dirname(pinnedNode), join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
  },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1)));
