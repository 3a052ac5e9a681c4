import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseDocument } from 'yaml';
import { judge } from '../../src/admission/index.ts';
import { createManifestSession, plainValueOf, readYaml } from '../../src/manifest/index.ts';
import { GoMissingError } from '../cluster/goBuild.ts';
import { controlPlaneMinor } from '../cluster/versions.ts';
import { schemaFolder } from '../schemas/files.ts';
import { startLanguageServer } from './languageServer.ts';
import { documentText, severalJobs } from './manifests.ts';
import { type Figure, figure, single } from './measure.ts';
import { kubeconform } from './peerTools.ts';
import { runProgram } from './runProgram.ts';

/**
 * What checking costs while somebody types in a long file, and what it costs to check a folder. A keystroke makes a
 * number wrong or right again, so that each has other findings than the one before.
 */
const documents = 200;
const keystrokes = 40;
const settings = { version: controlPlaneMinor, controllerName: 'delegated-jobs.dev/reconciler' } as const;

export async function benchAuthoring(): Promise<readonly Figure[]> {
  return [...benchKeystroke(), ...(await benchLanguageServer()), ...(await benchFolder())];
}

const right = severalJobs(documents, '4');
const wrong = severalJobs(documents, 'x');

function benchKeystroke(): readonly Figure[] {
  const session = createManifestSession();
  const check = (text: string, findings: number): void => {
    const found = session.check(text, settings).findings.length;
    if (found !== findings) throw new Error(`${found} findings where ${findings} are.`);
  };
  const ours: number[] = [];
  const ownReader: number[] = [];
  const plainParser: number[] = [];
  const piece = documentText('render', '4');
  for (let keystroke = -10; keystroke < keystrokes; keystroke++) {
    const isRight = keystroke % 2 === 0;
    const whole = spent(() => check(isRight ? right : wrong, isRight ? 0 : 1));
    const own = spent(() => {
      const { root } = readYaml(piece);
      if (root !== undefined) judge({ operation: 'create', object: plainValueOf(root) }, settings);
    });
    const plain = spent(() => judge({ operation: 'create', object: parseDocument(piece).toJS() }, settings));
    if (keystroke < 0) continue;
    ours.push(whole);
    ownReader.push(own);
    plainParser.push(plain);
  }
  return [
    figure(`keystroke → findings, ${right.split('\n').length - 1} lines, ${documents} documents`, 'ms', ours),
    figure('  beside a bare parse of the changed document and its verdict', '×', ratios(ours, plainParser), '≤ 1.3 ×'),
    figure('  the same with our own reader for a parser', '×', ratios(ours, ownReader)),
  ];
}

/** Elapsed here: the clock is finer than the processor's, and nothing waits. */
function spent(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function ratios(ones: readonly number[], others: readonly number[]): readonly number[] {
  return ones.map((one, index) => one / (others[index] ?? Number.NaN));
}

async function benchLanguageServer(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'delegated-jobs-authoring-'));
  try {
    const schema = join(folder, 'job.json');
    const { $defs } = JSON.parse(readFileSync(join(schemaFolder, `kubernetes-${controlPlaneMinor}.json`), 'utf8'));
    writeFileSync(schema, JSON.stringify({ $ref: '#/$defs/Job', $defs }));
    const session = createManifestSession();
    const server = await startLanguageServer(right, pathToFileURL(schema).href, (line) => console.log(`  ${line}`));
    try {
      const elapsed: number[] = [];
      const costs: number[] = [];
      const costRatios: number[] = [];
      for (let keystroke = -3; keystroke < 20; keystroke++) {
        const isRight = keystroke % 2 === 0;
        const before = await server.spentMs();
        const start = performance.now();
        const answered = server.diagnostics(isRight ? 0 : 1);
        server.change(isRight ? right : wrong);
        await answered;
        const took = performance.now() - start;
        const cost = (await server.spentMs()) - before;
        const ours = spent(() => session.check(isRight ? right : wrong, settings));
        if (keystroke < 0) continue;
        elapsed.push(took);
        costs.push(cost);
        costRatios.push(cost / ours);
      }
      return [
        figure(`yaml-language-server ${server.version}: keystroke → diagnostics`, 'ms', elapsed),
        figure('  its processor time', 'ms', costs),
        figure('  its processor time beside our time', '×', costRatios, '≥ 20 ×'),
      ];
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const files = 5000;

/** Our command line, a plain parse by the same YAML package, and kubeconform, each over the same folder; and its memory. */
async function benchFolder(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'delegated-jobs-folder-'));
  try {
    const manifests = folderOf(join(folder, 'manifests'), files);
    const plain = join(folder, 'plain.mjs');
    const yaml = pathToFileURL(join(import.meta.dirname, '../../node_modules/yaml/dist/index.js')).href;
    writeFileSync(
      plain,
      `import { readdirSync, readFileSync } from 'node:fs';
       import { parseAllDocuments } from '${yaml}';
       for (const name of readdirSync(process.argv[2])) {
         for (const document of parseAllDocuments(readFileSync(process.argv[2] + '/' + name, 'utf8'))) document.toJS();
       }`,
    );
    const cli = join(import.meta.dirname, '../../dist/cli.cjs');
    const ours = (): Promise<Run> => runProgram(process.execPath, [cli, 'lint', manifests]);
    const [lint = [], parse = []] = await inTurns([ours, () => runProgram(process.execPath, [plain, manifests])]);
    const figures = [
      figure(`lint of ${files} manifests`, 's', lint),
      figure('  beside a plain parse of them', '×', ratios(lint, parse)),
      ...(await benchMemory(folder, cli, manifests)),
    ];
    try {
      const { program, args } = await kubeconform((line) => console.log(`  ${line}`));
      const [again = [], theirs = []] = await inTurns([ours, () => runProgram(program, [...args, manifests])]);
      return [
        ...figures,
        figure('kubeconform -strict of them', 's', theirs),
        figure('  lint beside it', '×', ratios(again, theirs), '≤ 1 ×'),
      ];
    } catch (error) {
      if (!(error instanceof GoMissingError)) throw error;
      console.log(`  Not compared with kubeconform: ${error.message}`);
      return figures;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function folderOf(path: string, count: number): string {
  mkdirSync(path);
  for (let index = 0; index < count; index++) {
    writeFileSync(join(path, `job-${index}.yaml`), documentText(`render-${index}`, '4'));
  }
  return path;
}

/** The most memory that a run over the folder had, and one over a folder of four times as many files. */
async function benchMemory(folder: string, cli: string, manifests: string): Promise<readonly Figure[]> {
  const many = folderOf(join(folder, 'many'), 4 * files);
  const note = join(folder, 'note.cjs');
  const noted = join(folder, 'kilobytes');
  const write = `require('node:fs').writeFileSync(${JSON.stringify(noted)}, String(process.resourceUsage().maxRSS))`;
  writeFileSync(note, `process.on('exit', () => ${write});`);
  const megabytes = async (path: string): Promise<number> => {
    await runProgram(process.execPath, ['--require', note, cli, 'lint', path]);
    return Number(readFileSync(noted, 'utf8')) / 1000;
  };
  const few = await megabytes(manifests);
  const more = await megabytes(many);
  return [
    single(`  its memory at most, ${files} files`, 'MB', few),
    single(`  the same for ${4 * files} files`, '×', more / few, '≤ 1.2 ×'),
  ];
}

type Run = { readonly seconds: number };

/** Seconds of several programs, one after the other in each round, so that what else the machine does meets all of them. */
async function inTurns(programs: readonly (() => Promise<Run>)[]): Promise<readonly (readonly number[])[]> {
  const seconds: number[][] = programs.map(() => []);
  for (let round = 0; round < 9; round++) {
    for (const [index, run] of programs.entries()) seconds[index]?.push((await run()).seconds);
  }
  return seconds;
}
