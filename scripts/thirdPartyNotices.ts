import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/**
 * The licences of the libraries that the bundles hold, for the package: most of them ask for their text wherever their
 * code goes. Called by build.ts; reads node_modules and writes nothing.
 */

/** Licences under which a library may be put into the product: permissive ones, by their SPDX identifiers. */
const accepted: ReadonlySet<string> = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Unlicense',
]);

/** Folders of the packages whose code went into a bundle, sorted, such as `node_modules/yaml`. */
export function bundledPackages(outputs: Metafile['outputs']): readonly string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
  // The greedy start takes the innermost folder of a package within a package.
  const folders = inputs.map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

/** Throws where a package has no licence text or one that is not accepted: the build must not go on without it. */
export function noticesFor(root: string, folders: readonly string[]): string {
  const notices = folders.map((folder) => {
    const { name, version, license } = readPackage(join(root, folder));
    if (!accepted.has(license))
      throw new Error(
        `${folder}: the licence "${license}" of ${name} is not among those accepted in scripts/thirdPartyNotices.ts. Use another library, or add the licence there if it permits being bundled.`,
      );
    const files = readdirSync(join(root, folder)).filter((file) => /^(un)?licen[cs]e|^notice|^copying/i.test(file));
    if (files.length === 0) throw new Error(`${folder}: ${name} brings no licence text, which the package must carry.`);
    const texts = files.sort().map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
    return [`${name} ${version} (${license})`, ...texts].join('\n\n');
  });
  return `${['This extension contains code of the following libraries.', ...notices].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

interface PackageFacts {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

function readPackage(folder: string): PackageFacts {
  const file: Record<string, unknown> = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { name: String(file['name']), version: String(file['version']), license: String(file['license']) };
}
