import { describe, expect, test } from 'vitest';
import { podContainers } from '../../src/session/index.ts';

const pod = (spec: object, annotations: object = {}): object => ({ metadata: { annotations }, spec });
const named = (...names: readonly string[]): object[] => names.map((name) => ({ name }));

describe('containers whose logs can be read', () => {
  const rows: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['the only one', pod({ containers: named('main') }), ['main']],
    [
      'init containers behind the others',
      pod({ initContainers: named('setup'), containers: named('main', 'side') }),
      ['main', 'side', 'setup'],
    ],
    [
      'the default first',
      pod({ containers: named('side', 'main') }, { 'kubectl.kubernetes.io/default-container': 'main' }),
      ['main', 'side'],
    ],
    [
      'a default that is not there',
      pod({ containers: named('a', 'b') }, { 'kubectl.kubernetes.io/default-container': 'c' }),
      ['a', 'b'],
    ],
    ['nothing that can be read', { spec: { containers: [null, 3, {}] } }, []],
    ['no pod', undefined, []],
  ];
  test.each(rows)('%s', (_name, value, expected) => expect(podContainers(value)).toEqual(expected));
});
