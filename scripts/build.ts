import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';

/**
 * Bundles the product into dist/: `extension.cjs` (small: what activation needs), one file a part that is loaded when it
 * is first needed (src/parts), the two worker threads, and `cli.cjs`. `node scripts/build.ts [--dev]`; --dev keeps
 * names and writes source maps.
 */

const root = join(import.meta.dirname, '..');

/**
 * A dynamic import of `parts/NAME.ts` stays an import at run time, of the bundle `NAME.cjs` beside the importer. So does
 * the one file that imports the Kubernetes library, or each bundle would carry its 1.4 MB.
 */
const partsApart: Plugin = {
  name: 'parts-apart',
  setup(context) {
    context.onResolve({ filter: /\/(parts\/\w+|clientNode)\.ts$/ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path: `./${basename(path, '.ts')}.cjs`, external: true } : null,
    );
  },
};

export const extensionBundle = 'dist/extension.cjs';

function bundles(): Record<string, string> {
  const parts = readdirSync(join(root, 'src/parts')).filter((file) => file.endsWith('.ts'));
  return {
    extension: 'src/extension.ts',
    cli: 'src/cli.ts',
    reconciler: 'src/reconcilerThread.ts',
    sandbox: 'src/sandboxThread.ts',
    clientNode: 'src/kube/clientNode.ts',
    ...Object.fromEntries(parts.map((file) => [basename(file, '.ts'), `src/parts/${file}`])),
  };
}

export async function buildProduct(options: { readonly dev?: boolean } = {}): Promise<Metafile> {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const result = await build({
    ...common(options.dev ?? false),
    entryPoints: bundles(),
    outdir: join(root, 'dist'),
    plugins: [partsApart],
    metafile: true,
  });
  return result.metafile;
}

/** Bundles one file for a Node that has no loader of ours (the suite inside VS Code, a benchmark's child). */
export async function buildFile(entry: string, outfile: string): Promise<void> {
  await build({ ...common(true), entryPoints: [join(root, entry)], outfile: join(root, outfile) });
}

function common(dev: boolean): BuildOptions {
  return {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    // The Node of the oldest VS Code that package.json names.
    target: 'node22',
    outExtension: { '.js': '.cjs' },
    external: ['vscode'],
    minify: !dev,
    sourcemap: dev ? 'inline' : false,
    legalComments: 'none',
    logLevel: 'warning',
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const metafile = await buildProduct({ dev: process.argv.includes('--dev') });
  for (const [file, { bytes }] of Object.entries(metafile.outputs))
    console.log(`${file.padEnd(24)} ${Math.round(bytes / 1000)} kB`);
}
