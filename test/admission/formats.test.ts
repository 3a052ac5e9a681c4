import { describe, expect, it } from 'vitest';
import {
  byteLength,
  configMapKeyFaults,
  dnsLabelFaults,
  dnsSubdomainFaults,
  domainPrefixedPathFaults,
  generateNameFaults,
  labelValueFaults,
  portNameFaults,
  qualifiedNameFaults,
  relaxedEnvironmentNameFaults,
} from '../../src/admission/formats.ts';

type Format = (text: string) => readonly string[];

function check(format: Format, text: string, faults: number): void {
  expect(format(text), JSON.stringify(text)).toHaveLength(faults);
}

const a = (length: number): string => 'a'.repeat(length);

const rows: readonly (readonly [name: string, format: Format, text: string, faults: number])[] = [
  ['a label', dnsLabelFaults, 'my-name-1', 0],
  ['a label of 63 characters', dnsLabelFaults, a(63), 0],
  ['a label of 64 characters', dnsLabelFaults, a(64), 1],
  ['a label with a dot', dnsLabelFaults, 'a.b', 1],
  ['a label in capitals', dnsLabelFaults, 'A', 1],
  ['a label that ends in a dash', dnsLabelFaults, 'a-', 1],
  ['an empty label', dnsLabelFaults, '', 1],
  ['a label with a line break', dnsLabelFaults, 'a\n', 1],
  ['a subdomain', dnsSubdomainFaults, 'a.b-c.d', 0],
  ['a subdomain with an empty part', dnsSubdomainFaults, 'a..b', 1],
  ['a subdomain of 254 characters with a capital', dnsSubdomainFaults, `A${a(253)}`, 2],
  ['a prefix with a dash at its end', generateNameFaults, 'nightly-', 0],
  ['a prefix that is a dash', generateNameFaults, '-', 1],
  ['a prefix with a dot before its dash', generateNameFaults, 'a.-', 0],
  ['a plain key', qualifiedNameFaults, 'App_1.x', 0],
  ['a key with a prefix', qualifiedNameFaults, 'example.com/App', 0],
  ['a key with two slashes', qualifiedNameFaults, 'a/b/c', 1],
  ['a key without a prefix before its slash', qualifiedNameFaults, '/App', 1],
  ['a key without a name', qualifiedNameFaults, 'example.com/', 2],
  ['an empty key', qualifiedNameFaults, '', 2],
  ['a key with a prefix in capitals', qualifiedNameFaults, 'Example.com/App', 1],
  ['an empty value', labelValueFaults, '', 0],
  ['a value with a blank', labelValueFaults, 'a b', 1],
  ['a value of 64 characters', labelValueFaults, a(64), 1],
  ['a controller', domainPrefixedPathFaults, 'kueue.x-k8s.io/multikueue', 0],
  ['a controller with more slashes and signs', domainPrefixedPathFaults, "a/b/c~%!$&'()*+,;=:", 0],
  ['a controller without a slash', domainPrefixedPathFaults, 'multikueue', 1],
  ['a controller without a host', domainPrefixedPathFaults, '/multikueue', 1],
  ['a controller without a path', domainPrefixedPathFaults, 'kueue.x-k8s.io/', 1],
  ['a controller with two faults', domainPrefixedPathFaults, 'Kueue/a b', 2],
  ['a file name', configMapKeyFaults, 'a_B.c-1', 0],
  ['a file name that leads up', configMapKeyFaults, '..', 1],
  ['a variable that is relaxed', relaxedEnvironmentNameFaults, '1 A!', 0],
  ['a variable with an equals sign', relaxedEnvironmentNameFaults, 'A=B', 1],
  ['a variable beyond ASCII', relaxedEnvironmentNameFaults, 'Ä', 1],
  ['a port', portNameFaults, 'http-2', 0],
  ['a port without a letter', portNameFaults, '80', 1],
  ['a port with two dashes', portNameFaults, 'a--b', 1],
];

describe('formats', () => {
  it.each(rows)('%s', (_name, format, text, faults) => check(format, text, faults));
});

describe('byteLength', () => {
  it.each(['', 'abc', 'äß', '€', '😀', 'a😀€ä'])('counts %j as UTF-8 does', (text) =>
    expect(byteLength(text)).toBe(new TextEncoder().encode(text).length),
  );
});
