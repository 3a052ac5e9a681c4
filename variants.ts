import { build } from 'esbuild';
const base = { absWorkingDir: import.meta.dirname, bundle: true, platform: 'node', format: 'cjs', target: 'node22', legalComments: 'none', entryPoints: ['src/admission/index.ts'] } as const;
await build({ ...base, minify: true, outfile: '/tmp/team/cold/min.cjs' });
await build({ ...base, minifyWhitespace: true, minifyIdentifiers: true, outfile: '/tmp/team/cold/nosyn.cjs' });
await build({ ...base, outfile: '/tmp/team/cold/plain.cjs' });
const r = await build({ ...base, minify: true, outfile: '/tmp/team/cold/x.cjs', metafile: true, write: false });
const o = Object.values(r.metafile.outputs)[0]!;
console.log(Object.entries(o.inputs).map(([k, v]) => [v.bytesInOutput, k] as const).sort((a, b) => b[0] - a[0]).slice(0, 60).map((x) => x.join(' ')).join('\n'));
