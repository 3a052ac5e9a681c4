import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatIp, ipFaults, parseIp } from '../../../src/admission/pod/ip.ts';

type Outcome = 'fine' | 'fine until strict' | 'refused';

function check(text: string, outcome: Outcome): void {
  const [loose, strict] = [ipFaults(text, false).length === 0, ipFaults(text, true).length === 0];
  expect(strict ? 'fine' : loose ? 'fine until strict' : 'refused').toBe(outcome);
}

const rows: readonly (readonly [name: string, text: string, outcome: Outcome])[] = [
  ['four numbers', '10.9.8.7', 'fine'],
  ['eight groups', '2001:db8:0:0:0:0:0:1', 'fine'],
  ['zeros left out', '2001:db8::1', 'fine'],
  ['nothing but zeros', '::', 'fine'],
  ['a dotted end', '64:ff9b::10.0.0.1', 'fine'],
  ['leading zeros', '010.0.0.1', 'fine until strict'],
  ['IPv4 inside IPv6', '::ffff:10.0.0.1', 'fine until strict'],
  ['three numbers', '10.0.1', 'refused'],
  ['a number above 255', '10.0.0.256', 'refused'],
  ['nine groups', '1:2:3:4:5:6:7:8:9', 'refused'],
  ['zeros left out twice', '1::2::3', 'refused'],
  ['a zone', 'fe80::1%eth0', 'refused'],
  ['a network', '10.0.0.0/8', 'refused'],
  ['a name', 'localhost', 'refused'],
  ['nothing', '', 'refused'],
];

describe('an IP address', () => {
  it.each(rows)('%s', (_name, text, outcome) => check(text, outcome));

  it('is read back from its standard form', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const ip = parseIp(text);
        const standard = ip && formatIp(ip);
        return standard !== undefined && JSON.stringify(parseIp(standard)?.parts) === JSON.stringify(ip?.parts);
      }),
    );
  });

  it.each([
    ['2001:0db8:0:0:0:0:0:0001', '2001:db8::1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
  ])('%s is written %s', (text, standard) => {
    const ip = parseIp(text);
    expect(ip && formatIp(ip)).toBe(standard);
  });
});
