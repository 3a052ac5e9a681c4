import type { Draw } from './draw.ts';

/** Pieces from which texts for a field are thrown together: what its parser looks for, and what trips it. */
const piecesByField: Readonly<Record<string, readonly string[]>> = {
  schedule: [
    '*',
    '0',
    '5',
    '59',
    '60',
    '1-5',
    '5-1',
    '/2',
    '/0',
    ',',
    ' ',
    ' ',
    ' * * *',
    '?',
    'mon',
    'JAN',
    '@daily',
    '@every ',
    '1h',
    '7',
    '31',
    '-',
    'TZ=UTC ',
  ],
  timeZone: ['Europe', '/', 'Berlin', 'UTC', 'Etc', 'GMT', '+1', '-1', '..', ' ', 'utc', 'America', 'New_York'],
  completedIndexes: ['0', '1', '2', '3', '9', '10', ',', '-', '00', ' ', 'a', '999999999', '2147483648'],
  fieldPath: [
    'metadata',
    '.',
    'labels',
    'annotations',
    "['",
    "']",
    'a',
    '/',
    'b',
    'name',
    'spec',
    'nodeName',
    '[',
    ']',
    "'",
    'status',
    'podIP',
  ],
  ip: [
    '10',
    '.',
    '0',
    '1',
    '255',
    '256',
    ':',
    '::',
    ':0',
    'ffff',
    'FE80',
    '00001',
    '::ffff:',
    '%eth0',
    '/24',
    '01',
    ' ',
  ],
  runAsUserName: ['DOMAIN', '\\', 'user', ' ', '.', '/', 'a', '"', '*'],
  name: ['a', 'b', '-', '.', '_', '1', 'A', '/', 'x'.repeat(30)],
  path: ['a', '/', '..', '.', ':', '\\', '//', '$(A)', ' '],
  resource: ['limits', 'requests', '.', 'cpu', 'memory', 'hugepages-', '2Mi', 'ephemeral-storage', 'x'],
  value: ['a', '1', ' ', '-', '_', '.', 'A', 'é', '$', '(', ')', '\n', '"', '0'],
};
const quantityPieces = [
  '1',
  '0',
  '5',
  '.',
  '-',
  '+',
  'e',
  'E',
  '3',
  'k',
  'K',
  'Ki',
  'M',
  'Mi',
  'm',
  'n',
  'u',
  'G',
  'Ei',
  'E6',
  ' ',
  '99999999999999999999',
];
const timePieces = ['2026', '-', '03', '-01', 'T', '08:00:00', 'Z', '+01:00', '.5', ' ', 't', 'z', '24', '60'];
const dates = [
  '0000-01-01',
  '9999-12-31',
  '2024-02-29',
  '2026-02-29',
  '2026-06-31',
  '2026-13-01',
  '2026-1-1',
  '1969-12-31',
  '0001-01-01',
];
const clocks = [
  '00:00:00',
  '23:59:59',
  '24:00:00',
  '8:00:00',
  '23:59:60',
  '08:00',
  '08:00:00.',
  '08:00:00,123456789012',
];
const zones = ['Z', 'z', '', '+00:00', '-00:00', '+24:00', '-23:60', '+25:00', '+0100', '+01', ' Z'];
const aliases: Readonly<Record<string, string>> = {
  failedIndexes: 'completedIndexes',
  succeededIndexes: 'completedIndexes',
  hostIP: 'ip',
  nameservers: 'ip',
  mountPath: 'path',
  subPath: 'path',
  subPathExpr: 'path',
  localhostProfile: 'path',
  values: 'value',
  key: 'name',
  managedBy: 'name',
  topologyKey: 'name',
};

/** A text of a few pieces that fit the field in kind, if hardly ever in order. */
export function noiseFor(field: string, draw: Draw): string {
  return thrown(piecesByField[aliases[field] ?? field] ?? piecesByField['name'] ?? [], draw);
}

export function quantityNoise(draw: Draw): string {
  return draw.chance(0.5) ? thrown(quantityPieces, draw) : longAmount(draw);
}

const suffixes = [
  '',
  'n',
  'u',
  'm',
  'k',
  'M',
  'G',
  'T',
  'P',
  'E',
  'Ki',
  'Mi',
  'Gi',
  'Ti',
  'Pi',
  'Ei',
  'e-3',
  'e1',
  'e15',
];

/** An amount about as large as 64 bits count, in whole units or in thousandths. */
function longAmount(draw: Draw): string {
  const count = 1 + draw.below(25);
  const digits = [
    '9'.repeat(count),
    `1${'0'.repeat(count)}`,
    '9223372036854775807'.slice(0, count),
    Array.from({ length: count }, () => draw.below(10)).join(''),
  ];
  const fraction = draw.chance(0.3) ? `.${draw.pick(digits).slice(0, 12)}` : '';
  return `${draw.pick(digits)}${fraction}${draw.pick(suffixes)}`;
}

export function timeNoise(draw: Draw): string {
  const roll = draw.below(3);
  if (roll === 0) return thrown(timePieces, draw);
  if (roll === 1)
    return `${draw.pick(dates)}${draw.pick(['T', 'T', 'T', 't', ' '])}${draw.pick(clocks)}${draw.pick(zones)}`;
  return `2026-03-01T08:00:00${thrown(['.5', 'Z', '+01:00', '-00:00', ' '], draw)}`;
}

function thrown(pieces: readonly string[], draw: Draw): string {
  return Array.from({ length: 1 + draw.below(5) }, () => draw.pick(pieces)).join('');
}
