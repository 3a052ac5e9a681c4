import { afterAll, describe, expect, test } from 'vitest';
import { nullLog, systemClock, systemRandom } from '../../src/base/index.ts';
import { runDispatch } from '../../src/cli/dispatch.ts';
import { runStatus } from '../../src/cli/status.ts';
import { loadKubeconfig } from '../../src/kube/index.ts';
import { Outline, type OutlineNode, openModel } from '../../src/model/index.ts';
import { ScratchFolder } from '../kube/scratchFolder.ts';
import { type Command, runCommand } from './runCommand.ts';

/** A kubeconfig that can't be used names itself, the place in it and the remedy, wherever it is met. */

const folder = new ScratchFolder();
afterAll(() => folder[Symbol.dispose]());

interface Config {
  readonly cluster?: string;
  readonly user?: string;
  readonly context?: string;
}

/** Nothing answers at port 1: whatever is told comes from the kubeconfig alone. */
function config({ cluster = '', user = '{}', context = '{ cluster: c, user: u }' }: Config): string {
  return `clusters: [{ name: c, cluster: { server: "https://127.0.0.1:1"${cluster} } }]
users: [{ name: u, user: ${user} }]
contexts: [{ name: x, context: ${context} }]
`;
}

const pem = Buffer.from('-----BEGIN CERTIFICATE-----\n').toString('base64');

/** Of what is met when the context is used. */
const used: readonly (readonly [string, Config, RegExp, RegExp])[] = [
  [
    'a CA file that is missing',
    { cluster: ', certificate-authority: gone.crt' },
    /config, cluster "c": `certificate-authority` refers to \S+gone\.crt, which does not exist/,
    /Correct the path, or create the file\./,
  ],
  [
    'a client certificate that is missing',
    { user: '{ client-certificate: my.crt, client-key: my.key }' },
    /config, user "u": `client-certificate` refers to \S+my\.crt, which does not exist/,
    /Correct the path, or create the file\./,
  ],
  [
    'a client key that is missing',
    { user: `{ client-certificate-data: ${pem}, client-key: my.key }` },
    /config, user "u": `client-key` refers to \S+my\.key, which does not exist/,
    /Correct the path, or create the file\./,
  ],
  [
    'a token file that is missing',
    { user: '{ tokenFile: token }' },
    /config, user "u": `tokenFile` refers to \S+token, which does not exist/,
    /Correct the path, or create the file\./,
  ],
  [
    'a login program that is not installed',
    { user: '{ exec: { command: cloud-login, installHint: "Get it from cloud.test." } }' },
    /config, user "u": The login command cloud-login is not installed or not on the PATH/,
    /Get it from cloud\.test\./,
  ],
];

/** Of what keeps the context from being opened at all. */
const opened: readonly (readonly [string, string, RegExp])[] = [
  ['an empty one', '', /config: The kubeconfig file is empty\. Fill it/],
  [
    'one that is no YAML',
    'clusters: [',
    /config, line 1: The YAML can't be read: .*\. Correct the YAML at that line\./,
  ],
  ['one that is a text', 'hello', /config: The file is not a kubeconfig: .*\. Put in what 'kubectl config view --raw'/],
  ['one without contexts', 'contexts: []', /There is no context "x" in \S+config\. There are: none\. /],
  [
    'a context without a cluster',
    config({ context: '{ user: u }' }),
    /context "x", line 3: The context names no cluster\. Run: kubectl config set-context x --cluster=NAME/,
  ],
  [
    'a context whose cluster is not there',
    config({ context: '{ cluster: d }' }),
    /context "x": It refers to the cluster "d", which is not there or can't be used\. Add the cluster, or run: /,
  ],
  [
    'a context whose user is not there',
    config({ context: '{ cluster: c, user: v }' }),
    /context "x": It refers to the user "v", which is not there\. Add the user, or run: /,
  ],
];

/** What the command says of it, which must be all that it says, as of bad usage. */
async function complaintOf(command: Command, args: readonly string[], text: string): Promise<string> {
  folder.write('config', text);
  const all = ['--kubeconfig', 'config', '--management', 'x', ...args];
  const stdin = ['apiVersion: batch/v1\nkind: Job\nmetadata: { name: a }\n'];
  const { code, stdout, stderr } = await runCommand(command, all, { cwd: folder.path, stdin });
  expect([code, stdout]).toEqual([2, '']);
  return stderr;
}

const commands: readonly (readonly [string, Command, readonly string[]])[] = [
  ['status', runStatus, []],
  ['dispatch', runDispatch, ['-']],
];

describe.each(commands)('%s tells of', (_name, command, args) => {
  test.each(used)('%s', async (_case, parts, what, remedy) => {
    expect(await complaintOf(command, args, config(parts))).toMatch(new RegExp(`${what.source}.* ${remedy.source}$`));
  });
  test.each(opened)('%s', async (_case, text, words) => {
    expect(await complaintOf(command, args, text)).toMatch(words);
  });
});

/** The row of the management cluster once it has settled. */
async function rowOf(text: string): Promise<OutlineNode | undefined> {
  const paths = [folder.write('config', text)];
  const { value: kubeconfig } = await loadKubeconfig({ paths, env: {}, homeDir: '/', cwd: '/', clock: systemClock });
  const management = kubeconfig.open('x');
  const model = openModel({
    management,
    workers: [],
    namespaces: ['default'],
    controllerName: 'ours/x',
    clock: systemClock,
    random: systemRandom,
    log: nullLog,
  });
  try {
    const outline = new Outline(model);
    model.onChange((change) => outline.invalidate(change));
    await expect.poll(() => outline.roots()[0]?.description, { timeout: 20_000 }).not.toMatch(/^Connecting/);
    return outline.roots()[0];
  } finally {
    model.dispose();
    management.dispose();
    kubeconfig.dispose();
  }
}

describe('the tree tells of', () => {
  test.each(used)('%s', async (_case, parts, what, remedy) => {
    const row = await rowOf(config(parts));
    expect(row?.description).toMatch(/^Kubeconfig problem · /);
    expect(row?.tooltip[0]).toBe('Management cluster x');
    expect(row?.tooltip[1]).toMatch(what);
    expect(row?.tooltip[2]).toMatch(remedy);
    expect(row?.accessibilityLabel).toMatch(what);
    expect(row?.actions).toContain('retry');
  });
});
