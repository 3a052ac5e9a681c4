/**
 * The string formats that Kubernetes uses everywhere. Each function answers with what is wrong, in the server's manner:
 * an empty list for a good value. Source: Kubernetes 1.35, apimachinery string validation.
 */

const fine: readonly string[] = [];

const label = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const dnsLabel = new RegExp(`^${label}$`);
const dnsSubdomain = new RegExp(`^${label}(?:\\.${label})*$`);
const qualifiedPart = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const httpPath = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;
const configMapKey = /^[-._a-zA-Z0-9]+$/;
const printableButEquals = /^[ -<>-~]*$/;
const headerName = /^[-A-Za-z0-9]+$/;

const maxLabelLength = 63;
const maxSubdomainLength = 253;

/** Length in UTF-8 bytes, which is how Go counts: one character of a name may be up to four. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // A surrogate pair is two units and four bytes; all else above ASCII is one unit and two or three bytes.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}

/** The message for a text of more than `length` characters. */
export function tooLongMessage(length: number): string {
  return `must be no more than ${length} characters`;
}

function tooLongOrNot(text: string, length: number): readonly string[] {
  return text.length > length && byteLength(text) > length ? [tooLongMessage(length)] : fine;
}

/** An RFC 1123 label: what a pod's hostname or a namespace must be. */
export function dnsLabelFaults(text: string): readonly string[] {
  const faults = tooLongOrNot(text, maxLabelLength);
  if (dnsLabel.test(text)) return faults;
  if (dnsSubdomain.test(text)) return [...faults, 'must not contain dots'];
  return [
    ...faults,
    `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
  ];
}

/** An RFC 1123 subdomain: what the name of most objects must be. */
export function dnsSubdomainFaults(text: string): readonly string[] {
  const faults = tooLongOrNot(text, maxSubdomainLength);
  if (dnsSubdomain.test(text)) return faults;
  return [
    ...faults,
    `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
  ];
}

/** A prefix for generated names: as a subdomain, but the dash before the random part may stand at its end. */
export function generateNameFaults(text: string): readonly string[] {
  return dnsSubdomainFaults(withoutDash(text));
}

/** The same where names are labels. */
export function generatedLabelFaults(text: string): readonly string[] {
  return dnsLabelFaults(withoutDash(text));
}

/** As the server does it, the character before the dash goes with it. */
function withoutDash(text: string): string {
  return text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text;
}

/** In lower case as Go has it: the dotted capital I becomes one plain letter, which a key may hold. */
export function lowerCase(text: string): string {
  return text.replaceAll('\u0130', 'i').toLowerCase();
}

/** What can't begin a segment of a URL's path. */
export function pathPrefixFaults(text: string): readonly string[] {
  const faults: string[] = [];
  if (text.includes('/')) faults.push("may not contain '/'");
  if (text.includes('%')) faults.push("may not contain '%'");
  return faults;
}

/** `prefix/name`, the prefix optional: the key of a label or annotation, a condition type, a finalizer. */
export function qualifiedNameFaults(text: string): readonly string[] {
  if (text.length <= maxLabelLength && qualifiedPart.test(text)) return fine;
  const slash = text.indexOf('/');
  if (slash !== text.lastIndexOf('/')) {
    return [
      `a qualified name ${qualifiedPartMessage} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const faults: string[] = [];
  if (slash === 0) faults.push('prefix part must be non-empty');
  else if (slash > 0) for (const fault of dnsSubdomainFaults(text.slice(0, slash))) faults.push(`prefix part ${fault}`);
  const name = text.slice(slash + 1);
  if (name === '') faults.push('name part must be non-empty');
  else for (const fault of tooLongOrNot(name, maxLabelLength)) faults.push(`name part ${fault}`);
  if (!qualifiedPart.test(name)) faults.push(`name part ${qualifiedPartMessage}`);
  return faults;
}

const qualifiedPartMessage = `must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`;

/** The value of a label; empty is fine. */
export function labelValueFaults(text: string): readonly string[] {
  const faults = tooLongOrNot(text, maxLabelLength);
  if (text === '' || qualifiedPart.test(text)) return faults;
  return [
    ...faults,
    `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
  ];
}

/** `host/path`, the host a subdomain and the path of URL characters; an empty text is somebody else's question. */
export function domainPrefixedPathFaults(text: string): readonly string[] {
  const slash = text.indexOf('/');
  if (slash < 1 || slash === text.length - 1) return ['must be a domain-prefixed path (such as "acme.io/foo")'];
  const faults = dnsSubdomainFaults(text.slice(0, slash));
  if (httpPath.test(text.slice(slash + 1))) return faults;
  return [...faults, `Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')`];
}

/** The key of a ConfigMap or Secret. */
export function configMapKeyFaults(text: string): readonly string[] {
  const faults = [...tooLongOrNot(text, maxSubdomainLength)];
  if (!configMapKey.test(text)) {
    faults.push(
      `a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
    );
  }
  faults.push(...parentFolderFaults(text));
  return faults;
}

/** The name of an environment variable, in the manner that holds by default since 1.32. */
export function relaxedEnvironmentNameFaults(text: string): readonly string[] {
  if (text === '') return ['environment variable name must be non-empty'];
  if (printableButEquals.test(text)) return fine;
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

/** The name of a port: up to 15 of lower case letters, digits and single dashes, one letter at least. */
export function portNameFaults(text: string): readonly string[] {
  const faults = [...tooLongOrNot(text, 15)];
  if (!/^[-a-z0-9]+$/.test(text)) {
    faults.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(text)) faults.push('must contain at least one letter (a-z)');
  if (text.includes('--')) faults.push('must not contain consecutive hyphens');
  if (text.startsWith('-') || text.endsWith('-')) faults.push('must not begin or end with a hyphen');
  return faults;
}

/** The name of an HTTP header. */
export function headerNameFaults(text: string): readonly string[] {
  if (headerName.test(text)) return fine;
  return [
    `a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')`,
  ];
}

function parentFolderFaults(text: string): readonly string[] {
  if (text === '.') return ["must not be '.'"];
  if (text === '..') return ["must not be '..'"];
  return text.startsWith('..') ? ["must not start with '..'"] : fine;
}

/** The message for a value that isn't among the supported ones. */
export function unsupportedMessage(value: string, supported: readonly string[]): string {
  return `${JSON.stringify(value)}: supported values: ${supported.map((one) => JSON.stringify(one)).join(', ')}`;
}

/** The message for a missing value that must be one of some. */
export function validValuesMessage(supported: readonly string[]): string {
  return `valid values: ${supported.map((one) => JSON.stringify(one)).join(', ')}`;
}

/** The message for a list with more than `most` items. */
export function tooManyMessage(actual: number, most: number): string {
  return `${actual}: must have at most ${most} items`;
}

/** The message for a value that may not change. */
export const immutableMessage = 'field is immutable';

/** The message for a number below zero. */
export const negativeMessage = 'must be greater than or equal to 0';
