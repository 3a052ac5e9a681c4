import { parseArgs } from 'node:util';
import { kubernetesMinors, nearestMinor, newestMinor } from '../admission/index.ts';
import { describeError, isAbort } from '../base/index.ts';
import { defaultControllerName } from '../contributions.ts';
import type { LiveMode, ManifestSettings } from '../manifest/index.ts';
import { type CommandIo, UsageError } from './io.ts';
import { type CheckOptions, FileChecker, type FileReport } from './lint/checkFile.ts';
import { type LintTarget, lintTargets } from './lint/files.ts';
import { createReport, type LintFormat, lintFormats } from './lint/formats.ts';
import { checkInOrder } from './lint/inOrder.ts';
import { readLive } from './lint/live.ts';
import type { Unreadable } from './lint/report.ts';
import type { LintThreadTask } from './lint/thread.ts';
import { printable } from './printable.ts';

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
Templates (Helm, Jinja), encrypted files and patches are left alone, as are values with
\${NAME} or $NAME in them.

Exit codes: 0 no errors, 1 errors found, 2 bad usage or unreadable input,
130 stopped by a signal before all was checked.
`;

/** As shells say of a program that was interrupted: half an answer must not pass for "no errors". */
const interrupted = 130;

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
  try {
    return await lintAll(options, io);
  } catch (error) {
    if (io.signal.aborted && isAbort(error)) return interrupted;
    throw error;
  }
}

async function lintAll({ names, settings, format, isFixing, live }: LintOptions, io: CommandIo): Promise<number> {
  const checking: CheckOptions = {
    settings,
    format,
    cwd: io.cwd,
    ...(live !== undefined && { live: await readLive(live.name, live.mode, io.cwd, settings) }),
  };
  const checker = new FileChecker(checking);
  const task: LintThreadTask = { kind: 'lint', options: checking };
  const { threads } = io;
  const crew = threads && { atMost: threads.atMost, start: () => threads.start(task) };
  const report = createReport(format, io.cwd);
  /** Files that were rewritten: a thread that read one by another name meanwhile may have met half of it. */
  const rewritten = new Set<string>();
  const inOrder = (target: LintTarget, seen: FileReport): FileReport => {
    if (!isFixing || seen.id === undefined || !(seen.isFixable || rewritten.has(seen.id))) return seen;
    rewritten.add(seen.id);
    return checker.fix(target);
  };
  let files = 0;
  let hasErrors = false;
  let isUnreadable = false;
  for await (const { targets, reports } of checkInOrder(
    lintTargets(names, io.cwd, io.stdin, io.signal),
    checker,
    crew,
    io.signal,
  )) {
    let output = '';
    for (const [index, target] of targets.entries()) {
      const seen = reports[index];
      if (seen === undefined) continue;
      const { findings, messages, unreadable } = inOrder(target, seen);
      for (const message of messages) io.stderr(printable(`delegated-jobs lint: ${message}`));
      if (findings !== undefined) files++;
      for (const finding of findings ?? []) {
        if (finding.severity === 'error') hasErrors = true;
        output += report.add(finding);
      }
      for (const problem of unreadable) {
        isUnreadable = true;
        io.stderr(printable(`delegated-jobs lint: ${lineOf(problem)}`));
        report.miss(problem);
      }
    }
    if (output !== '') await io.stdout(output);
  }
  await io.stdout(report.end(files));
  if (isUnreadable) return 2;
  return hasErrors ? 1 : 0;
}

function lineOf({ name, range, message }: Unreadable): string {
  const place = range === undefined ? '' : `:${range.start.line + 1}:${range.start.column + 1}`;
  return `${name}${place}: ${message}`;
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
