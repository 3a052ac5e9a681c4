import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileValidators } from '../../../scripts/schemas/compile.ts';
import { minorOf, readSchemaFiles } from '../../../scripts/schemas/files.ts';
import { minors } from '../../../src/admission/decode/generated/validators.js';
import { kubernetesMinors } from '../../../src/admission/index.ts';

const generated = new URL('../../../src/admission/decode/generated/', import.meta.url);

describe('the generated validators', () => {
  it('are those of the schema files', () => {
    const { code, declarations } = compileValidators(readSchemaFiles());
    const remedy = 'out of date: run node scripts/schemas/compile.ts';
    expect(readFileSync(new URL('validators.js', generated), 'utf8') === code, remedy).toBe(true);
    expect(readFileSync(new URL('validators.d.ts', generated), 'utf8'), remedy).toBe(declarations);
  });

  it('know every minor that is judged', () => {
    expect(minors).toEqual(kubernetesMinors);
    expect(readSchemaFiles().map(minorOf)).toEqual(kubernetesMinors);
  });
});

describe('the schema files', () => {
  it('refer to nothing that they lack', () => {
    for (const { title, $defs } of readSchemaFiles()) {
      const references = JSON.stringify($defs).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g);
      const missing = [...references].map(([, name = '']) => name).filter((name) => !Object.hasOwn($defs, name));
      expect(missing, title).toEqual([]);
    }
  });
});
