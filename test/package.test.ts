import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { complaintAbout } from '../scripts/package.ts';
import { bundledPackages, noticesFor } from '../scripts/thirdPartyNotices.ts';

/** What the package holds, and under which licences. */

const root = join(import.meta.dirname, '..');
const good = [
  ...['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'media/icon.png', 'media/snippets/jobs.json'],
  ...['dist/extension.cjs', 'dist/cli.cjs', 'dist/kube.cjs', 'dist/ThirdPartyNotices.txt'],
];

describe('The package', () => {
  test('holds the bundles, what a user reads and the licences', () => {
    expect(complaintAbout(good)).toBeUndefined();
  });

  test.each(['src/extension.ts', 'dist/kube.cjs.map', 'media/pictures/hover.png', '.env', 'node_modules/yaml/LICENSE'])(
    'holds no %s',
    (file) => expect(complaintAbout([...good, file])).toContain(`must not: ${file}`),
  );

  test.each(['dist/ThirdPartyNotices.txt', 'LICENSE', 'dist/cli.cjs'])('is not made without %s', (file) => {
    expect(complaintAbout(good.filter((one) => one !== file))).toContain(`must hold: ${file}`);
  });
});

describe('The licences of bundled libraries', () => {
  const folder = mkdtempSync(join(tmpdir(), 'notices-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function library(name: string, license: string, files: Readonly<Record<string, string>>): string {
    const path = join('node_modules', name);
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path, 'package.json'), JSON.stringify({ name, version: '1.2.3', license }));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, path, file), text);
    return path;
  }

  test('are those of the packages whose code is in a bundle, the innermost of nested ones', () => {
    const input = { bytesInOutput: 1 };
    const inputs = {
      'src/extension.ts': input,
      'node_modules/yaml/dist/index.js': input,
      'node_modules/@kubernetes/client-node/dist/index.js': input,
      'node_modules/socks-proxy-agent/node_modules/agent-base/dist/index.js': input,
      'node_modules/yaml/dist/cst.js': input,
    };
    const output = { bytes: 1, inputs, imports: [], exports: [] };
    expect(bundledPackages({ 'dist/kube.cjs': output, 'dist/cli.cjs': output })).toEqual([
      'node_modules/@kubernetes/client-node',
      'node_modules/socks-proxy-agent/node_modules/agent-base',
      'node_modules/yaml',
    ]);
  });

  test('are told in full, with the notice that a library asks to hand on', () => {
    const told = noticesFor(folder, [library('a', 'Apache-2.0', { LICENSE: 'The terms.', NOTICE: 'Made by A.' })]);
    expect(told).toContain('a 1.2.3 (Apache-2.0)\n\nThe terms.\n\nMade by A.\n');
  });

  test('are those of the library that is installed', () => {
    const told = noticesFor(root, ['node_modules/yaml']);
    expect(told).toContain(readFileSync(join(root, 'node_modules/yaml/LICENSE'), 'utf8').trim());
  });

  test('stop the build where one is not permissive', () => {
    const path = library('b', 'GPL-3.0-only', { LICENSE: 'Other terms.' });
    expect(() => noticesFor(folder, [path])).toThrow(/the licence "GPL-3.0-only" of b is not among those accepted/);
  });

  test('stop the build where a library brings no text', () => {
    expect(() => noticesFor(folder, [library('c', 'MIT', { 'index.js': '' })])).toThrow(/c brings no licence text/);
  });
});
