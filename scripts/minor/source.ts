/** Where in Kubernetes' source, and in ours, something is said. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A line of a source: `pkg/api/pod/util.go:120` and what it says. */
export interface SourceLine {
  readonly place: string;
  readonly text: string;
}

/** What decides about Jobs, CronJobs and pods in k8s.io/kubernetes. */
export const decidingFolders = [
  'pkg/api/job',
  'pkg/api/pod',
  'pkg/apis/batch',
  'pkg/apis/core/helper',
  'pkg/apis/core/v1',
  'pkg/apis/core/validation',
  'pkg/registry/batch',
] as const;

/** The lines of the Go or TypeScript files in `folders` below `root`; tests and generated files are left out. */
export function readSource(root: string, folders: readonly string[]): readonly SourceLine[] {
  const lines: SourceLine[] = [];
  for (const folder of folders) {
    for (const entry of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).sort()) {
      if (!/\.(go|ts)$/.test(entry) || /_test\.go$|zz_generated|\bfuzzer\b|\bgenerated\b/.test(entry)) continue;
      const file = path.posix.join(folder, entry.split(path.sep).join('/'));
      const texts = readFileSync(path.join(root, file), 'utf8').split('\n');
      for (const [index, text] of texts.entries()) lines.push({ place: `${file}:${index + 1}`, text: text.trim() });
    }
  }
  return lines;
}

/** The places of the lines that have a text; first those that `before`, an older source, doesn't have at all. */
export function placesOf(text: string, source: readonly SourceLine[], before: ReadonlySet<string>): readonly string[] {
  const found = source.filter((line) => line.text.includes(text));
  const isOld = (line: SourceLine): boolean => before.has(line.text);
  return [
    ...found.filter((line) => !isOld(line)).map(({ place }) => `${place} (new)`),
    ...found.filter(isOld).map(({ place }) => place),
  ];
}
