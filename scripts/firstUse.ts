import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type AnyNode, parse } from 'acorn';
import { full } from 'acorn-walk';
import MagicString from 'magic-string';
import { stringify } from 'yaml';
import { richJob } from './bench/richJob.ts';

/**
 * Shortens what the authoring engine takes to load and to look at a Job for the first time, by a tenth. V8 reads a function
 * when it loads a file, only to skip it, and again when it is first called; but one in parentheses it compiles at once, with
 * what stands around it. So those go into parentheses that a first look at a Job calls. Called by build.ts.
 */

interface FirstLook {
  /** What is loaded for it. */
  readonly bundles: readonly string[];
  /** For Node, in the folder of the bundles; the Job comes through standard input. It fails if it finds a fault. */
  readonly args: readonly string[];
}

const check = `
  const { newestMinor } = require('./admission.cjs');
  const { createManifestSession } = require('./manifest.cjs');
  const text = require('node:fs').readFileSync(0, 'utf8');
  const { findings } = createManifestSession().check(text, { version: newestMinor });
  process.exitCode = findings.some(({ severity }) => severity === 'error') ? 1 : 0;`;

const firstLooks: readonly FirstLook[] = [
  { bundles: ['admission.cjs', 'manifest.cjs'], args: ['--eval', check] },
  { bundles: ['cli.cjs'], args: ['cli.cjs', 'lint', '-'] },
];

/** Rewrites the bundles in a folder. Throws where a first look fails. */
export function compileForFirstUse(folder: string): void {
  for (const { bundles, args } of firstLooks) {
    const coverage = coverageOf(folder, args);
    for (const bundle of bundles) {
      const file = join(folder, bundle);
      const functions = placesOf(coverage.find(({ url }) => url === pathToFileURL(file).href));
      writeFileSync(file, compiledAtOnce(readFileSync(file, 'utf8'), functions));
    }
  }
}

/** What of each script is called. */
function coverageOf(folder: string, args: readonly string[]): readonly Profiler.ScriptCoverage[] {
  const written = mkdtempSync(join(tmpdir(), 'delegated-jobs-calls-'));
  try {
    const env = { ...process.env, NODE_V8_COVERAGE: written };
    execFileSync(process.execPath, args, { cwd: folder, env, input: stringify(richJob('usual')) });
    return readdirSync(written).flatMap((file) => {
      const { result }: Profiler.TakePreciseCoverageReturnType = JSON.parse(readFileSync(join(written, file), 'utf8'));
      return result;
    });
  } finally {
    rmSync(written, { recursive: true, force: true });
  }
}

/** Where functions stand in a text, as `START-END`: offsets in UTF-16 units, the end beyond the last. */
type Places = ReadonlySet<string>;

function placesOf(coverage: Profiler.ScriptCoverage | undefined): Places {
  // The first range of a function is all of it.
  const ranges = coverage?.functions.flatMap((each) => each.ranges.slice(0, 1)) ?? [];
  return new Set(ranges.filter(({ count }) => count > 0).map((range) => placeOf(range.startOffset, range.endOffset)));
}

function placeOf(start: number, end: number): string {
  return `${start}-${end}`;
}

/**
 * The same program with those functions in parentheses. A declaration can't be: at the top of the file it becomes a
 * variable, and goes before everything else so that it is there as early as a declaration is; elsewhere it is left alone,
 * as are methods.
 */
export function compiledAtOnce(program: string, functions: Places): string {
  const tree = parse(program, { ecmaVersion: 'latest', sourceType: 'script', allowReturnOutsideFunction: true });
  const text = new MagicString(program);
  const [first] = tree.body;
  const top = first?.type === 'ExpressionStatement' && first.directive !== undefined ? first.end : 0;
  const isCalled = ({ start, end }: AnyNode): boolean => functions.has(placeOf(start, end));
  full(tree, (node: AnyNode) => {
    // A method's function begins with its parameters.
    const isExpression = node.type === 'FunctionExpression' && program.startsWith('function', node.start);
    if ((isExpression || node.type === 'ArrowFunctionExpression') && isCalled(node))
      text.appendRight(node.start, '(').appendLeft(node.end, ')');
  });
  for (const node of tree.body) {
    if (node.type !== 'FunctionDeclaration' || !isCalled(node)) continue;
    text.appendRight(node.start, `var ${node.id.name}=(`).appendLeft(node.end, ');').move(node.start, node.end, top);
  }
  return text.toString();
}
