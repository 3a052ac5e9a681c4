import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decoderTable } from '../../../scripts/schemas/decoderTable.ts';
import { minorOf, readSchemaFiles } from '../../../scripts/schemas/files.ts';
import { kubernetesMinors } from '../../../src/admission/index.ts';

describe("the decoder's table", () => {
  it('is that of the schema files', () => {
    const generated = new URL('../../../src/admission/decode/generated/structs.ts', import.meta.url);
    const remedy = 'out of date: run node scripts/schemas/decoderTable.ts';
    expect(readFileSync(generated, 'utf8') === decoderTable(readSchemaFiles()), remedy).toBe(true);
  });
});

describe('the schema files', () => {
  it('are there for every minor that is judged', () => {
    expect(readSchemaFiles().map(minorOf)).toEqual(kubernetesMinors);
  });

  it('refer to nothing that they lack', () => {
    for (const { title, $defs } of readSchemaFiles()) {
      const references = JSON.stringify($defs).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g);
      const missing = [...references].map(([, name = '']) => name).filter((name) => !Object.hasOwn($defs, name));
      expect(missing, title).toEqual([]);
    }
  });
});
