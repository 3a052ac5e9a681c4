import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { kubernetesMinors, nearestMinor, newestMinor } from '../admission/index.ts';
import { describeError } from '../base/index.ts';
import { defaultControllerName } from '../contributions.ts';
import {
  applyFixes,
  compatibleFixes,
  createManifestSession,
  type Finding,
  type Fix,
  type LiveMode,
  type ManifestCheck,
  type ManifestSession,
  type ManifestSettings,
  preferredFixes,
} from '../manifest/index.ts';
import { type CommandIo, UsageError } from './io.ts';
import { type LintInput, lintInputs, PatchFiles } from './lint/files.ts';
import { type FileFindings, type LintFormat, lintFormats, render, type Unreadable } from './lint/formats.ts';
import { type LiveObjects, readLive } from './lint/live.ts';

const help = `Usage: delegated-jobs lint [OPTION]… FILE…|FOLDER…|-

Says offline what the API server would say of Jobs and CronJobs, and where a delegated
workload would sit idle although it was accepted. Folders are searched for *.yaml, *.yml
and *.json; - reads standard input.

  --kubernetes VERSION   judge as this minor does (${kubernetesMinors.join(', ')}); default ${newestMinor}
  --controller-name NAME a further name that may stand in managedBy; may be repeated
  --ignore NAME          say nothing of this rule; may be repeated
  --live OLD             judge as kubectl apply on the stored object in OLD
  --replace              with --live: as a PUT, what FILE leaves out is gone
  --subresource status   with --live: as a PUT to /status
  --format FORMAT        text (default), json or sarif
  --fix                  apply the fixes that are safe to apply unasked; says which on standard error
  --help                 this text

A comment on a finding's line silences it: # delegated-jobs: ignore NAME
Templates (Helm, Jinja), encrypted files and patches are left alone.

Exit codes: 0 no errors, 1 errors found, 2 bad usage or unreadable input.
`;

interface LintOptions {
  readonly names: readonly string[];
  readonly settings: ManifestSettings;
  readonly format: LintFormat;
  readonly isFixing: boolean;
  readonly live?: { readonly name: string; readonly mode: LiveMode };
}

/** `delegated-jobs lint`: see `help`. */
export async function runLint(args: readonly string[], io: CommandIo): Promise<number> {
  const options = readOptions(args, io);
  if (options === 'help') {
    await io.stdout(help);
    return 0;
  }
  const { names, settings, format, isFixing, live: liveOption } = options;
  const live =
    liveOption === undefined ? undefined : await readLive(liveOption.name, liveOption.mode, io.cwd, settings);
  const patches = new PatchFiles();
  const files: FileFindings[] = [];
  const unreadable: Unreadable[] = [];
  const report = (problem: Unreadable): void => {
    const { name, range, message } = problem;
    const place = range === undefined ? '' : `:${range.start.line + 1}:${range.start.column + 1}`;
    io.stderr(`delegated-jobs lint: ${name}${place}: ${message}`);
    unreadable.push(problem);
  };
  for await (const input of lintInputs(names, io.cwd, io.stdin)) {
    io.signal.throwIfAborted();
    if (input.kind === 'unreadable') {
      report(input);
      continue;
    }
    const isPartial = input.path !== undefined && (await patches.has(input.path));
    const fileSettings = { ...settings, isPartial, readsOtherKinds: input.isNamed };
    const outcome = checkText(input.text, fileSettings, live, isFixing, io);
    if (outcome.text !== input.text && input.path !== undefined) {
      await write(input.path, input.name, outcome.text);
      for (const fix of outcome.fixed) io.stderr(`delegated-jobs lint: ${input.name}: fixed: ${fix}`);
    }
    files.push({
      name: input.name,
      ...(input.path !== undefined && { path: input.path }),
      text: outcome.text,
      findings: outcome.check.findings,
    });
    for (const problem of unreadableIn(input, outcome.check)) report(problem);
  }
  await io.stdout(render(format, { files, unreadable, cwd: io.cwd }));
  if (unreadable.length > 0) return 2;
  return files.some(({ findings }) => findings.some(({ severity }) => severity === 'error')) ? 1 : 0;
}

function readOptions(args: readonly string[], io: CommandIo): LintOptions | 'help' {
  const { values, positionals } = parse(args);
  if (values.help === true) return 'help';
  const format = lintFormats.find((name) => name === (values.format ?? 'text'));
  if (format === undefined) throw new UsageError(`--format ${values.format}: it takes ${lintFormats.join(', ')}.`);
  if (positionals.length === 0) throw new UsageError('Name files or folders to check, or - for standard input.');
  const isFixing = values.fix === true;
  if (isFixing && positionals.includes('-')) throw new UsageError('--fix rewrites files: it does not go with -.');
  if (values.subresource !== undefined && values.subresource !== 'status') {
    throw new UsageError(`--subresource ${values.subresource}: it takes status.`);
  }
  const isChange = values.replace === true || values.subresource !== undefined;
  if (isChange && values.live === undefined) {
    throw new UsageError('--replace and --subresource judge a change: name what is stored with --live OLD.');
  }
  const mode = values.subresource === 'status' ? 'status' : values.replace === true ? 'replace' : 'apply';
  return {
    names: positionals,
    settings: {
      ...versionOf(values.kubernetes, io),
      controllerName: defaultControllerName,
      knownControllers: values['controller-name'] ?? [],
      // Said once, on standard error.
      ignoredRules: [...(values.ignore ?? []), 'kubernetes-version-unlisted'],
    },
    format,
    isFixing,
    ...(values.live !== undefined && { live: { name: values.live, mode } }),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        kubernetes: { type: 'string' },
        'controller-name': { type: 'string', multiple: true },
        ignore: { type: 'string', multiple: true },
        live: { type: 'string' },
        replace: { type: 'boolean' },
        subresource: { type: 'string' },
        format: { type: 'string' },
        fix: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(`${describeError(error)} See --help.`);
  }
}

/** The minor to judge by; another one that is named is replaced by its nearest, and that is said. */
function versionOf(version: string | undefined, io: CommandIo): Pick<ManifestSettings, 'version' | 'unlistedVersion'> {
  if (version === undefined) return { version: newestMinor };
  const minor = nearestMinor(version);
  if (minor === undefined) {
    throw new UsageError(`--kubernetes ${version}: it takes a version such as ${newestMinor}.`);
  }
  const unlistedVersion = /^v?(1\.\d+)/.exec(version)?.[1];
  if (unlistedVersion === minor) return { version: minor };
  io.stderr(`delegated-jobs lint: Kubernetes ${version} is not known here; judging as ${minor} does.`);
  return { version: minor, unlistedVersion };
}

interface Outcome {
  readonly text: string;
  /** What was done, a line each. */
  readonly fixed: readonly string[];
  readonly check: ManifestCheck;
}

/** One fix may bring up the next finding; an endless row of them would be a fault of ours. */
const maxFixRounds = 10;

function checkText(
  text: string,
  settings: ManifestSettings,
  live: LiveObjects | undefined,
  isFixing: boolean,
  io: CommandIo,
): Outcome {
  const session: ManifestSession = createManifestSession({
    ...(live !== undefined && { requestFor: live.requestFor }),
    onRuleFailure: (code, error) => io.stderr(`delegated-jobs lint: the rule ${code} failed: ${describeError(error)}`),
  });
  let current = text;
  let check = session.check(current, settings);
  const done: string[] = [];
  for (let round = 0; isFixing && round < maxFixRounds; round++) {
    const fixes = compatibleFixes(preferredFixes(check.findings));
    const fixed = applyFixes(current, fixes);
    if (fixed === current) break;
    const { findings } = check;
    for (const fix of fixes) done.push(wordsFor(fix, findings));
    current = fixed;
    check = session.check(current, settings);
  }
  return { text: current, fixed: done, check };
}

/** `spec.managedBy: Use 'x' (managed-by-near-miss)`. */
function wordsFor(fix: Fix, findings: readonly Finding[]): string {
  const finding = findings.find(({ fixes }) => fixes.includes(fix));
  if (finding === undefined) return fix.title;
  const { field, code } = finding;
  return `${field === undefined ? '' : `${field}: `}${fix.title} (${code})`;
}

async function write(path: string, name: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, 'utf8');
  } catch (error) {
    throw new UsageError(`${name}: the fixed text could not be written: ${describeError(error)}.`);
  }
}

/** In a folder, only manifests of ours are asked to be readable; a file that was named always is. */
function unreadableIn(input: LintInput & { kind: 'text' }, check: ManifestCheck): readonly Unreadable[] {
  const { name, path } = input;
  return check.documents.flatMap(({ index, problem }) => {
    const isAsked = input.isNamed || check.findings.some(({ document }) => document === index);
    if (problem === undefined || !isAsked) return [];
    const message = `${problem.message} Correct the text there: kubectl would refuse it too.`;
    return [{ name, ...(path !== undefined && { path }), range: problem.range, message }];
  });
}
