import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { compileForFirstUse } from './firstUse.ts';
import { bundledPackages, noticesFor } from './thirdPartyNotices.ts';

/**
 * Bundles the product into dist/: `extension.cjs` (small: what activation needs), one file a part that is loaded when it
 * is first needed (src/parts), the two worker threads, and `cli.cjs`; beside them `ThirdPartyNotices.txt`, the licences
 * of the libraries that the bundles hold. `node scripts/build.ts [--dev]`; --dev keeps names and writes source maps.
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

/** Folders that several bundles use: each is a bundle of its own, so that the package holds it once. */
const sharedFolders = ['admission', 'kube', 'manifest'] as const;

/** The import of a shared folder's entry file, from any other folder, becomes that of its bundle. */
const sharedApart: Plugin = {
  name: 'shared-apart',
  setup(context) {
    context.onResolve({ filter: /\/index\.ts$/ }, ({ path, resolveDir, kind }) => {
      const folder = sharedFolders.find((name) => join(resolveDir, path) === join(root, 'src', name, 'index.ts'));
      if (folder === undefined || kind === 'entry-point') return null;
      return { path: `./${folder}.cjs`, external: true, sideEffects: false };
    });
  },
};

function bundles(): Record<string, string> {
  const parts = readdirSync(join(root, 'src/parts')).filter((file) => file.endsWith('.ts'));
  return {
    extension: 'src/extension.ts',
    reconciler: 'src/reconcilerThread.ts',
    sandbox: 'src/sandboxThread.ts',
    clientNode: 'src/kube/clientNode.ts',
    ...Object.fromEntries(sharedFolders.map((folder) => [folder, `src/${folder}/index.ts`])),
    ...Object.fromEntries(parts.map((file) => [basename(file, '.ts'), `src/parts/${file}`])),
  };
}

/** Resolves with what was written and how large it is. */
export async function buildProduct(options: { readonly dev?: boolean } = {}): Promise<Metafile['outputs']> {
  const outdir = join(root, 'dist');
  rmSync(outdir, { recursive: true, force: true });
  const base = { ...common(options.dev ?? false), outdir, metafile: true } as const;
  const [product, commandLine] = await Promise.all([
    build({ ...base, entryPoints: bundles(), plugins: [partsApart, sharedApart] }),
    // The command line is one file; what few need, the Kubernetes library, it loads from beside it.
    build({ ...base, entryPoints: { cli: 'src/cli.ts' }, plugins: [partsApart] }),
  ]);
  if (!options.dev) compileForFirstUse(outdir);
  const outputs = { ...product.metafile.outputs, ...commandLine.metafile.outputs };
  writeFileSync(join(outdir, 'ThirdPartyNotices.txt'), noticesFor(root, bundledPackages(outputs)));
  return outputs;
}

/** Bundles one file for a Node that has no loader of ours (the suite inside VS Code, a benchmark's child). */
export async function buildFile(entry: string, outfile: string): Promise<void> {
  // What stands in node_modules stays there: a test runner is no part of the product.
  await build({
    ...common(true),
    packages: 'external',
    entryPoints: [join(root, entry)],
    outfile: join(root, outfile),
  });
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
    // The whole licences stand in ThirdPartyNotices.txt.
    legalComments: 'none',
    logLevel: 'warning',
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const outputs = await buildProduct({ dev: process.argv.includes('--dev') });
  for (const [file, { bytes }] of Object.entries(outputs))
    console.log(`${file.padEnd(24)} ${Math.round(bytes / 1000)} kB`);
}
