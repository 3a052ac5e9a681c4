import { readFileSync, writeFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type AnyNode, parse } from 'acorn';
import { full } from 'acorn-walk';
import MagicString from 'magic-string';
import { stringify } from 'yaml';
import type * as manifest from '../src/manifest/index.ts';
import { richJob } from './bench/richJob.ts';

/**
 * Shortens what the authoring engine takes to load and to judge for the first time, by a tenth. V8 skips a function when
 * it loads a file, for which it has to read it all the same, and reads it again when it is first called; but one in parentheses it
 * compiles at once, with what stands around it. So those go into parentheses that a first look at a Job calls. Called by build.ts.
 */

/** The bundles that are loaded for a first look. */
const bundles = ['admission', 'manifest'] as const;

/** Rewrites the bundles in a folder. Rejects where one can't be loaded, or finds a fault in the Job that is looked at. */
export async function compileForFirstUse(folder: string): Promise<void> {
  for (const [file, calls] of await firstCalls(folder)) {
    writeFileSync(file, compiledAtOnce(readFileSync(file, 'utf8'), calls));
  }
}

/** Where functions stand in a text, as `START-END`: offsets in UTF-16 units, the end beyond the last. */
type Places = ReadonlySet<string>;

/** For each bundle, the functions that a first look calls. */
async function firstCalls(folder: string): Promise<ReadonlyMap<string, Places>> {
  const files = bundles.map((name) => join(folder, `${name}.cjs`));
  const load = createRequire(join(folder, 'extension.cjs'));
  // Loaded anew, with whatever is loaded alone.
  for (const file of files) delete load.cache[file];
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    const { createManifestSession }: typeof manifest = load('./manifest.cjs');
    const { findings } = createManifestSession().check(stringify(richJob('usual')), { version: '1.37' });
    const [fault] = findings.filter(({ severity }) => severity === 'error');
    if (fault !== undefined) throw new Error(`A first look finds a fault where none is: ${fault.message}`);
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return new Map(files.map((file) => [file, placesOf(result.find(({ url }) => url.endsWith(file)))]));
  } finally {
    session.disconnect();
  }
}

function placesOf(coverage: Profiler.ScriptCoverage | undefined): Places {
  const ranges = coverage?.functions.flatMap((each) => each.ranges.slice(0, 1)) ?? [];
  return new Set(ranges.filter(({ count }) => count > 0).map((range) => placeOf(range.startOffset, range.endOffset)));
}

function placeOf(start: number, end: number): string {
  return `${start}-${end}`;
}

/**
 * The same program with those functions in parentheses. A declaration can't be: at the top of the file it becomes a
 * variable, and goes before everything else so that it is there as early as a declaration is; elsewhere it is left alone, as are methods.
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
