import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { kubernetesMinors, ruleCatalogue } from '../../src/admission/index.ts';
import { createManifestSession, pagesByCode, rules } from '../../src/manifest/index.ts';
import { codeOf, extensionId, openFile, openText, ours, setSetting, until, workspaceFile } from './support.ts';

/** Where a finding leads: to the page of its rule, to a setting or a comment that silences it. */

/** The repository's pages, which are published at the address that findings name. */
const folder = process.env['DELEGATED_JOBS_SUITE_PAGES'] ?? '';

/** Whether the address is that of a page and, if it has a fragment, of a place in it. */
function complaintAbout(address: string): string | undefined {
  const repository: string = vscode.extensions.getExtension(extensionId)?.packageJSON.repository.url;
  const start = `${repository.replace(/\.git$/, '')}/blob/main/docs/rules/`;
  if (!address.startsWith(start)) return `${address} does not stand below ${start}`;
  const [name = '', fragment] = address.slice(start.length).split('#');
  let page: string;
  try {
    page = readFileSync(join(folder, name), 'utf8');
  } catch {
    return `there is no page ${name}`;
  }
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => slugOf(text));
  const isThere = fragment === undefined || page.includes(`id="${fragment}"`) || headings.includes(fragment);
  return isThere ? undefined : `${name} has no place ${fragment}`;
}

/** The fragment that GitHub gives a heading. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** All YAML that the pages show, as one text. */
function allExamples(): string {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  const blocks = pages.flatMap((name) => [
    ...readFileSync(join(folder, name), 'utf8').matchAll(/^```yaml\n([\s\S]*?)```$/gm),
  ]);
  return blocks.map(([, text = '']) => text.trimEnd()).join('\n---\n');
}

describe('a finding', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  // Else the checks of the workspace that follow would find it.
  after(() => vscode.workspace.fs.delete(workspaceFile('legacy'), { recursive: true }));

  it('of any rule leads to a page, and to its place there', () => {
    const pageOf = pagesByCode();
    const codes = [...rules, ...ruleCatalogue()].map(({ code }) => code);
    assert.ok(codes.length > 100);
    assert.deepEqual(
      codes.flatMap((code) => complaintAbout(pageOf(code)) ?? []),
      [],
    );
  });

  it('carries the link in the editor, whatever the pages show as wrong', async () => {
    const content = allExamples();
    const version = kubernetesMinors.at(-1) ?? '1.37';
    const controllerName = 'delegated-jobs.dev/reconciler';
    const expected = createManifestSession().check(content, { version, controllerName }).findings;
    const document = await openText('yaml', content);
    // A long text is checked in many stretches.
    const found = await until('all findings', () => {
      const diagnostics = ours(document.uri);
      const seen = new Set(diagnostics.map(codeOf));
      return expected.every(({ code }) => seen.has(code)) && diagnostics;
    });
    const addresses = new Map(
      found.map(({ code }) =>
        typeof code === 'object' ? [String(code.value), code.target.toString(true)] : [String(code), ''],
      ),
    );
    assert.deepEqual(
      [...addresses.values()].flatMap((address) => complaintAbout(address) ?? []),
      [],
    );
    const pageOf = pagesByCode();
    for (const [code, address] of addresses) assert.equal(address, pageOf(code));
    // Some ask for more than a text: something stored, a cluster, another version.
    const missing = rules.map(({ code }) => code).filter((code) => !addresses.has(code));
    assert.ok(missing.length < rules.length / 4, `not seen: ${missing.join(', ')}`);
  });

  it('is silenced by the setting for the files that it names, at once', async () => {
    const document = await openWrongJob();
    await setSetting('ignore', { [rule]: ['elsewhere/**'], 'deadline-zero': ['**/*.yaml'] });
    await until('the second rule to go', () => codes(document).join() === rule);
    await setSetting('ignore', { [rule]: ['legacy/**'] });
    await until('the first rule to go', () => codes(document).join() === 'deadline-zero');
    await setSetting('ignore', undefined);
    await until('both to come back', () => codes(document).length === 2);
  });

  it('is silenced by a comment that its fix writes, and one that silences nothing is told of', async () => {
    const document = await openWrongJob();
    const finding = ours(document.uri).find((one) => codeOf(one) === rule);
    assert.ok(finding);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      finding.range,
    );
    const suppression = actions.find(({ title }) => title === `Ignore ${rule} on this line`);
    assert.ok(suppression?.edit, `no such fix among: ${actions.map(({ title }) => title).join(', ')}`);
    assert.ok(await vscode.workspace.applyEdit(suppression.edit));
    await until('the finding to go', () => codes(document).join() === 'deadline-zero');
    assert.match(document.getText(), new RegExp(`# delegated-jobs: ignore ${rule}$`, 'm'));

    const name = /managedBy: (\S+)/.exec(document.getText());
    assert.ok(name?.[1]);
    const start = document.positionAt(name.index + 'managedBy: '.length);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(
      document.uri,
      new vscode.Range(start, start.translate(0, name[1].length)),
      'delegated-jobs.dev/reconciler',
    );
    assert.ok(await vscode.workspace.applyEdit(edit));
    const unused = await until('the comment to be told of', () =>
      ours(document.uri).find((one) => codeOf(one) === 'unused-suppression'),
    );
    assert.equal(unused.severity, vscode.DiagnosticSeverity.Information);
  });
});

const rule = 'managed-by-unknown-controller';

const codes = ({ uri }: vscode.TextDocument): unknown[] => ours(uri).map(codeOf).sort();

/** A Job of a controller that nobody knows, over at its start. */
const wrongJob = `apiVersion: batch/v1
kind: Job
metadata:
  name: x
spec:
  managedBy: example.com/mine
  activeDeadlineSeconds: 0
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: busybox:1.37
`;

async function openWrongJob(): Promise<vscode.TextDocument> {
  await vscode.workspace.fs.writeFile(workspaceFile('legacy', 'mine.yaml'), new TextEncoder().encode(wrongJob));
  const document = await openFile('legacy', 'mine.yaml');
  await until('both findings', () => codes(document).join() === `deadline-zero,${rule}`);
  return document;
}
