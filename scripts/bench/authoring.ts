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
import { type Figure, figure, single } from './measure.ts';
import { kubeconform } from './peerTools.ts';
import { runProgram } from './runProgram.ts';

/**
 * What checking costs while somebody types in a long file, and what it costs to check a folder. A keystroke makes a
 * number wrong or right again, so that each has other findings than the one before.
 */
const documents = 200;
const changedDocument = 100;
const keystrokes = 40;
const settings = { version: controlPlaneMinor, controllerName: 'delegated-jobs.dev/reconciler' } as const;

export async function benchAuthoring(): Promise<readonly Figure[]> {
  return [...benchKeystroke(), ...(await benchLanguageServer()), ...(await benchFolder())];
}

/** A Job on 50 lines. */
function manifest(name: string, parallelism: string): string {
  const container = (id: string): string => `        - name: ${id}
          image: registry.example/team/${id}:2026.1
          args: ["--shards=16", "--verbose"]
          env:
            - name: LOG_LEVEL
              value: info
            - name: POD
              valueFrom:
                fieldRef:
                  fieldPath: metadata.name
          resources:
            requests: {cpu: 500m, memory: 1Gi}
            limits: {cpu: "2", memory: 4Gi}
          volumeMounts:
            - name: data
              mountPath: /data
`;
  return `---
# Renders one batch.
apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
  labels:
    app: render
spec:
  parallelism: ${parallelism}
  completions: 16
  backoffLimit: 3
  template:
    spec:
      restartPolicy: Never
      containers:
${container('main')}${container('upload')}      volumes:
        - name: data
          emptyDir: {}
`;
}

function longFile(parallelism: string): string {
  return Array.from({ length: documents }, (_, index) =>
    manifest(`render-${index}`, index === changedDocument ? parallelism : '4'),
  ).join('');
}

const right = longFile('4');
const wrong = longFile('x');

function benchKeystroke(): readonly Figure[] {
  const session = createManifestSession();
  const check = (text: string, findings: number): void => {
    const found = session.check(text, settings).findings.length;
    if (found !== findings) throw new Error(`${found} findings where ${findings} are.`);
  };
  const ours: number[] = [];
  const ownReader: number[] = [];
  const plainParser: number[] = [];
  const piece = manifest('render', '4');
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

/** Our command line, a plain parse by the same YAML package, and kubeconform, each over the same folder. */
async function benchFolder(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'delegated-jobs-folder-'));
  try {
    const manifests = join(folder, 'manifests');
    mkdirSync(manifests);
    for (let index = 0; index < files; index++) {
      writeFileSync(join(manifests, `job-${index}.yaml`), manifest(`render-${index}`, '4'));
    }
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
    const ours = await best(() => runProgram(process.execPath, [cli, 'lint', manifests]));
    const parse = await best(() => runProgram(process.execPath, [plain, manifests]));
    const figures = [
      single(`lint of ${files} manifests`, 's', ours),
      single('  beside a plain parse of them', '×', ours / parse),
    ];
    try {
      const { program, args } = await kubeconform((line) => console.log(`  ${line}`));
      const theirs = await best(() => runProgram(program, [...args, manifests]));
      return [...figures, single('  beside kubeconform -strict', '×', ours / theirs)];
    } catch (error) {
      if (!(error instanceof GoMissingError)) throw error;
      console.log(`  Not compared with kubeconform: ${error.message}`);
      return figures;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Seconds of the least disturbed of three runs. */
async function best(work: () => Promise<{ readonly seconds: number }>): Promise<number> {
  const runs = [await work(), await work(), await work()];
  return Math.min(...runs.map(({ seconds }) => seconds));
}
