/** Prints what is left to do for a minor. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type KubernetesMinor, kubernetesMinors } from '../../src/admission/index.ts';
import { gateDefaults } from '../../src/admission/pod/gates.ts';
import { startOracle } from '../../test/conformance/fuzz/oracle.ts';
import { targetsOf } from '../../test/conformance/fuzz/shape.ts';
import { shapesFor } from '../../test/conformance/fuzz/shapes.ts';
import { goModuleFolder } from '../cluster/goBuild.ts';
import { isKubernetesMinor, releaseOf } from '../cluster/versions.ts';
import { run } from '../host/process.ts';
import { minorOf, readSchemaFiles } from '../schemas/files.ts';
import { gatesOf } from './gates.ts';
import { compare, type Disagreement, type Kind, requestText } from './rules.ts';
import { schemaChanges } from './schemaChanges.ts';
import { decidingFolders, placesOf, readSource, type SourceLine } from './source.ts';

const root = path.join(import.meta.dirname, '../..');
const report = (line: string): void => console.log(line);

interface Sources {
  readonly folder: string;
  readonly previousFolder: string;
  readonly theirs: readonly SourceLine[];
  /** The texts of the lines of the minor before. */
  readonly before: ReadonlySet<string>;
  readonly ours: readonly SourceLine[];
}

/** Prints the list, and returns true if nothing is on it. `cases` are those of one kind of generated ones. */
export async function printWork(
  text: string,
  { cases, seed }: { readonly cases: number; readonly seed: number },
): Promise<boolean> {
  if (!isKubernetesMinor(text)) throw new Error(`${text} is not in the list of minors in src/admission/verdict.ts`);
  const minor: KubernetesMinor = text;
  const previous = kubernetesMinors[kubernetesMinors.indexOf(minor) - 1];
  if (previous === undefined) throw new Error(`${minor} is the oldest minor: there is nothing to compare it with.`);
  const sources = await readSources(minor, previous);
  printHead(minor, previous, sources);
  printSchemaChanges(minor, previous);
  // A gate that is wrong shows in all that belongs to it: what would be said of that has to wait.
  const gates = await printGates(minor, previous, sources);
  if (gates > 0) return conclude(gates, minor, 'These come first: the rules are compared when they are right.');
  const rules = await printRules(minor, previous, sources, cases, seed);
  if (rules > 0) return conclude(rules, minor, 'Often several go away together.');
  const failures = await printFailures();
  if (failures > 0) return conclude(failures, minor, testAdvice);
  updateTexts(minor, previous);
  console.log(`
Nothing is left: the engine says what Kubernetes ${releaseOf(minor)} says. Look through 'git diff', describe what changed
for users in CHANGELOG.md, run 'npm test' and 'npm run test:cluster', and commit.`);
  return true;
}

function conclude(count: number, minor: string, advice: string): boolean {
  console.log(`\n${count} left. ${advice}
Work on the first ones, then run the same again: node scripts/run.mjs minor ${minor}   (--cases 3000 is quicker, and finds less)`);
  return false;
}

async function readSources(minor: KubernetesMinor, previous: KubernetesMinor): Promise<Sources> {
  const [folder, previousFolder] = await Promise.all(
    [minor, previous].map((each) => goModuleFolder(tmpdir(), `k8s.io/kubernetes@v${releaseOf(each)}`, report)),
  );
  if (folder === undefined || previousFolder === undefined) throw new Error('The source of Kubernetes is missing.');
  return {
    folder,
    previousFolder,
    theirs: readSource(folder, decidingFolders),
    before: new Set(readSource(previousFolder, decidingFolders).map((line) => line.text)),
    ours: readSource(root, ['src/admission']),
  };
}

function printHead(minor: KubernetesMinor, previous: KubernetesMinor, { folder, previousFolder }: Sources): void {
  console.log(`
The engine judges as Kubernetes does, for each minor from ${kubernetesMinors[0]} to ${minor}. A rule is a value beside the field that it
judges (src/admission/rule.ts explains; src/admission/pod has those of pods). What holds from ${minor} on says
since: '${minor}', what held through ${previous} says until: '${previous}'; elsewhere isAtLeast(version, '${minor}') asks.
Fields that no rule speaks of need nothing: the decoder, completion and hover read the schema.

Kubernetes' source is at ${folder}
What changed there: git diff --no-index ${previousFolder} ${folder} -- FOLDER, where FOLDER is one of
  ${decidingFolders.join(' ')}`);
}

function title(text: string, count: number | undefined): void {
  console.log(`\n── ${text}${count === undefined ? '' : `: ${count === 0 ? 'nothing' : `${count} to do`}`} ──`);
}

function printSchemaChanges(minor: KubernetesMinor, previous: KubernetesMinor): void {
  const files = readSchemaFiles();
  const [before, after] = [previous, minor].map((each) => files.find((file) => minorOf(file) === each));
  if (before === undefined || after === undefined) throw new Error('A schema is missing.');
  title(
    `The schema of ${minor} beside that of ${previous} (to know; Deployments and StatefulSets are compared nowhere below)`,
    undefined,
  );
  for (const { struct, field, kind, detail } of schemaChanges(before, after)) {
    console.log(`  ${kind.padEnd(7)} ${field === undefined ? struct : `${struct}.${field}`}: ${detail}`);
  }
}

/** Feature gates whose default the engine has wrong are to do; the other changed ones that matter here are to know. */
async function printGates(minor: KubernetesMinor, previous: KubernetesMinor, { theirs }: Sources): Promise<number> {
  const [now, before] = await Promise.all([gatesOf(minor, report), gatesOf(previous, report)]);
  const known = gateDefaults(minor);
  // A gate that is gone is on for good, or its field is gone as well.
  const wrong = [...known].filter(([gate, isOn]) => now.has(gate) && now.get(gate) !== isOn);
  title('Feature gates that the engine has wrong', wrong.length);
  for (const [gate] of wrong) {
    const remedy = now.get(gate) ? `'${minor}'` : "'never', or tell the two apart";
    console.log(
      `  ${gate} is ${onOff(now.get(gate))} in ${minor} (${onOff(before.get(gate))} in ${previous}): ${remedy} in src/admission/pod/gates.ts`,
    );
  }
  const changed = [...new Set([...now.keys(), ...before.keys()])].filter(
    (gate) => now.get(gate) !== before.get(gate) && !wrong.some(([one]) => one === gate),
  );
  for (const gate of changed.sort()) {
    const places = theirs
      .filter(({ text }) => new RegExp(`features\\.${gate}\\b`).test(text))
      .map(({ place }) => place);
    if (places.length === 0) continue;
    const state = known.has(gate) ? 'known' : 'not in gates.ts; it belongs there if the list below speaks of its field';
    console.log(
      `  to know: ${gate} ${onOff(before.get(gate))} → ${onOff(now.get(gate))} (${state}), ${places.slice(0, 2).join(', ')}`,
    );
  }
  return wrong.length;
}

function onOff(isOn: boolean | undefined): string {
  return isOn === undefined ? 'absent' : isOn ? 'on' : 'off';
}

const titles: Readonly<Record<Kind, string>> = {
  crash: 'The engine breaks',
  decoding: 'Decoding',
  rule: 'Rules',
  warning: 'Warnings',
  default: 'What is stored: defaults, and fields that are dropped',
};

async function printRules(
  minor: KubernetesMinor,
  previous: KubernetesMinor,
  sources: Sources,
  cases: number,
  seed: number,
): Promise<number> {
  const shapes = await shapesFor(minor);
  const olderShapes = await shapesFor(previous);
  const placesIn = (all: typeof shapes): readonly string[] =>
    Object.values(all).flatMap((shape) => targetsOf(shape).map(({ steps }) => steps.join('.')));
  const known = new Set(placesIn(olderShapes));
  const focus = new Set(placesIn(shapes).filter((place) => !known.has(place)));
  const [oracle, older] = await Promise.all([startOracle(minor, report), startOracle(previous, report)]);
  console.log(`\nComparing with ${minor} (seed ${seed}) …`);
  const input = { minor, shapes, oracle, previous: older, cases, seed, focus, shrunkFaults: 60 };
  const { cases: compared, disagreements } = await compare(input);
  await Promise.all([oracle.close(), older.close()]);
  let number = 0;
  for (const kind of ['crash', 'decoding', 'rule', 'warning', 'default'] as const) {
    const ofKind = disagreements.filter((each) => each.kind === kind);
    title(titles[kind], ofKind.length);
    for (const each of ofKind) printDisagreement(++number, each, minor, previous, sources);
  }
  console.log(`\n${compared} cases compared.`);
  return number;
}

function printDisagreement(
  number: number,
  { kind, line, count, smallest, server, isTaken, isNew, rules }: Disagreement,
  minor: KubernetesMinor,
  previous: KubernetesMinor,
  { theirs, before, ours }: Sources,
): void {
  const isMissing = line.startsWith('missing') || line.startsWith('warning missing');
  const says =
    server === undefined ? (isTaken ? 'takes it' : 'says nothing there') : `says: ${server.field}: ${server.message}`;
  const whose = isNew ? `unlike ${previous}` : `as ${previous} does, so that the engine may be wrong about both`;
  console.log(`\n${number}. ${line}   (${count} cases)`);
  console.log(`   ${requestText(smallest)}`);
  console.log(`   ${minor} ${says}   (${whose})`);
  const places = placesFor(kind, line, server?.message, theirs, before);
  if (places.length > 0) console.log(`   Kubernetes: ${places.slice(0, 4).join(', ')}`);
  const codes = [...new Set(rules)].map((code) => {
    const place = placeOfRule(code, ours);
    return place === undefined ? code : `${code} (${place})`;
  });
  if (codes.length > 0) console.log(`   ours: ${codes.join(', ')}`);
  console.log(`   ${remedyFor(kind, isMissing, minor, previous)}`);
}

/** Where Kubernetes says it: by the words of its message, else by the name of the field, if that isn't everywhere. */
function placesFor(
  kind: Kind,
  line: string,
  message: string | undefined,
  theirs: readonly SourceLine[],
  before: ReadonlySet<string>,
): readonly string[] {
  const words =
    message?.replace(/^.*(Invalid value: (\{.*\}|\[.*\]|"[^"]*"|[^:]*)): /, '').replace(/^\w+( value)?: /, '') ?? '';
  // What stands in quotes or numbers may be put in at run time.
  const [spoken = ''] = words.split(/["\d]/).toSorted((a, b) => b.length - a.length);
  const bySpoken = spoken.trim().length > 15 ? placesOf(spoken.trim(), theirs, before) : [];
  const field = fieldOf(kind, line);
  const byField = field === undefined ? [] : placesOf(`"${field}"`, theirs, before);
  const some = (places: readonly string[]): readonly string[] =>
    places.length > 12 ? places.filter((each) => each.endsWith('(new)')) : places;
  return [...new Set([...some(bySpoken), ...some(byField)])];
}

/** Some codes are made of a part that several share, and of an ending. */
function placeOfRule(code: string, ours: readonly SourceLine[]): string | undefined {
  for (let part = code; part !== ''; part = part.slice(0, Math.max(0, part.lastIndexOf('-')))) {
    const found = ours.find(({ text }) => text.includes(`'${part}'`));
    if (found !== undefined) return found.place;
  }
  return undefined;
}

/** The last field of a path. */
function fieldOf(kind: Kind, line: string): string | undefined {
  const subject =
    kind === 'rule' || kind === 'decoding' ? /^\w+: (\S+)/.exec(line)?.[1] : /^stored: (\S+)/.exec(line)?.[1];
  return subject
    ?.replaceAll(/\[[^\]]*\]/g, '')
    .split('.')
    .at(-1);
}

function remedyFor(kind: Kind, isMissing: boolean, minor: string, previous: string): string {
  switch (kind) {
    case 'crash':
      return 'To do: a rule must bear whatever it is given. Its name stands in the message.';
    case 'decoding':
      return "To do: src/admission/decode holds the decoder's own rules; its table is generated from the schema.";
    case 'rule':
      return isMissing
        ? `To do: a rule with since: '${minor}' that refuses this, or one of ours to be widened.`
        : `To do: the rule ends here: until: '${previous}'; or it holds under a condition only.`;
    case 'warning':
      return 'To do: src/admission/warnings.ts and src/admission/pod/*arnings.ts say what is warned of.';
    case 'default':
      return 'To do: src/admission/defaults.ts and pod/defaults.ts fill in, pod/gates.ts and pod/gatedFields.ts drop what belongs to a gate that is off.';
  }
}

interface TestRun {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const testAdvice = `A test says what it wants. The words for a field are in src/language/words; the pages of
the rules are written by UPDATE_GOLDEN=1 npx vitest run test/manifest/docs.test.ts; a case for each rule of pod templates
is recorded by node test/admission/pod/record.ts --write, once test/admission/pod/odd makes values that break it.`;

/** The tests that walk through the minors. */
const concerned = ['test/admission', 'test/language', 'test/manifest', 'test/contributions.test.ts'];

/** The unit tests know what a minor must have besides: words for its fields, pages for its rules, cases for them. */
async function printFailures(): Promise<number> {
  console.log(`\nThe rules agree. Running the unit tests of ${concerned.join(', ')} …`);
  const output = path.join(root, 'build', 'minor.json');
  mkdirSync(path.dirname(output), { recursive: true });
  writeFileSync(output, '');
  const args = ['run', '--reporter=json', `--outputFile=${output}`, ...concerned];
  const failure = await run('vitest', args, { cwd: root }).then(
    () => undefined,
    (error: unknown) => error,
  );
  const text = readFileSync(output, 'utf8');
  if (text === '') throw failure;
  const { testResults }: TestRun = JSON.parse(text);
  const failed = testResults.flatMap(({ name, message, status, assertionResults }) => {
    const file = path.relative(root, name);
    const ones = assertionResults.filter((each) => each.status === 'failed');
    if (ones.length === 0) return status === 'failed' ? [`${file}: ${message}`] : [];
    return ones.map(
      ({ fullName, failureMessages }) => `${file}: ${fullName}\n     ${withoutStack(failureMessages[0] ?? '')}`,
    );
  });
  title('Unit tests that fail', failed.length);
  for (const [index, each] of failed.entries()) console.log(`\n${index + 1}. ${each}`);
  return failed.length;
}

/** What a test says, and at which of its lines. */
function withoutStack(text: string): string {
  const said = text.split('\n').filter((line) => !/^\s+at /.test(line) || line.includes(path.join(root, 'test')));
  return said.slice(0, 8).join('\n     ');
}

/** Sentences that name the known minors, or the releases that stand for them, are true of one more now. */
function updateTexts(minor: KubernetesMinor, previous: KubernetesMinor): void {
  if (minor !== kubernetesMinors.at(-1)) return;
  const releases = kubernetesMinors.map(releaseOf);
  const [oldRange, range] = [`${kubernetesMinors[0]} to ${previous}`, `${kubernetesMinors[0]} to ${minor}`];
  const files = execFileSync('git', ['ls-files', '*.ts', '*.md', '*.json'], { cwd: root, encoding: 'utf8' }).split(
    '\n',
  );
  for (const file of files.filter((name) => name !== '' && !name.startsWith('schemas/kubernetes-'))) {
    const before = readFileSync(path.join(root, file), 'utf8');
    const after = before.replaceAll(oldRange, range).replaceAll(listText(releases.slice(0, -1)), listText(releases));
    if (after === before) continue;
    writeFileSync(path.join(root, file), after);
    console.log(`wrote ${file}: it speaks of ${range} now`);
  }
}

function listText(items: readonly string[]): string {
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
