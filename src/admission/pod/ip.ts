/**
 * IP addresses as Kubernetes reads them: leading zeros in IPv4 are read as decimal, and IPv4 inside IPv6 is accepted,
 * until strict validation refuses both. Source: Kubernetes 1.36, apimachinery, IP validation.
 */
export interface IpAddress {
  /** Eight groups of 16 bits for IPv6; four octets for IPv4, also where it was written inside IPv6. */
  readonly parts: readonly number[];
  readonly isIPv6: boolean;
  readonly hasLeadingZeros: boolean;
  readonly isMapped: boolean;
}

/** Reads an address; undefined if it is none, or has a zone. */
export function parseIp(text: string): IpAddress | undefined {
  if (!text.includes(':')) {
    const octets = octetsOf(text);
    return octets && { parts: octets, isIPv6: false, hasLeadingZeros: hasLeadingZeros(text), isMapped: false };
  }
  const groups = groupsOf(text);
  if (groups === undefined) return undefined;
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  const [high = 0, low = 0] = groups.slice(6);
  const parts = isMapped ? [high >> 8, high & 255, low >> 8, low & 255] : groups;
  return { parts, isIPv6: !isMapped, hasLeadingZeros: text.split(':').some(isPadded), isMapped };
}

function octetsOf(text: string): number[] | undefined {
  const texts = text.split('.');
  if (texts.length !== 4 || !texts.every((octet) => /^\d+$/.test(octet))) return undefined;
  const octets = texts.map(Number);
  return octets.every((octet) => octet <= 255) ? octets : undefined;
}

function hasLeadingZeros(dotted: string): boolean {
  return dotted.split('.').some((octet) => octet.length > 1 && octet.startsWith('0'));
}

/** A group of more than four digits, or a dotted tail with leading zeros. */
function isPadded(group: string): boolean {
  return group.includes('.') ? hasLeadingZeros(group) : group.length > 4;
}

function groupsOf(text: string): number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const before = numbersOf(head ?? [], tail === undefined);
  const after = numbersOf(tail ?? [], true);
  if (before === undefined || after === undefined) return undefined;
  const missing = 8 - before.length - after.length;
  // `::` stands for one group of zeros at least.
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  return [...before, ...new Array<number>(Math.max(missing, 0)).fill(0), ...after];
}

/** Groups of a half; only the last one of the whole text may be in dotted form. */
function numbersOf(texts: readonly string[], isLast: boolean): number[] | undefined {
  const numbers: number[] = [];
  for (const [index, text] of texts.entries()) {
    if (text.includes('.')) {
      const octets = isLast && index === texts.length - 1 ? octetsOf(text) : undefined;
      if (octets === undefined) return undefined;
      const [a = 0, b = 0, c = 0, d = 0] = octets;
      numbers.push((a << 8) | b, (c << 8) | d);
    } else if (/^0*[0-9a-fA-F]{1,4}$/.test(text)) numbers.push(Number.parseInt(text, 16));
    else return undefined;
  }
  return numbers;
}

/** What is wrong with an address; `isStrict` also refuses the forms that other software reads differently. */
export function ipFaults(text: string, isStrict: boolean): readonly string[] {
  const ip = parseIp(text);
  if (ip === undefined) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  if (isStrict && ip.hasLeadingZeros) return ['must not have leading 0s'];
  return isStrict && ip.isMapped ? ['must not be an IPv4-mapped IPv6 address'] : [];
}

/** The address in the form of RFC 5952: lower case, the longest run of zeros shortened. */
export function formatIp(ip: IpAddress): string {
  if (!ip.isIPv6) return ip.parts.join('.');
  let start = -1;
  let length = 1;
  for (let index = 0; index < ip.parts.length; index++) {
    let end = index;
    while (ip.parts[end] === 0) end++;
    if (end - index > length) {
      start = index;
      length = end - index;
    }
  }
  const texts = ip.parts.map((part) => part.toString(16));
  if (start < 0) return texts.join(':');
  return `${texts.slice(0, start).join(':')}::${texts.slice(start + length).join(':')}`;
}
