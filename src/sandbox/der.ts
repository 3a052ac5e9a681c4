/**
 * Just enough DER (ITU-T X.690) to write an X.509 certificate: Node can read and sign one, but not build it.
 * Every function returns a complete element, tag and length included.
 */
export type Der = Buffer;

function element(tag: number, content: Buffer): Der {
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

/** A SEQUENCE, in the order given. */
export function sequence(...items: readonly Der[]): Der {
  return element(0x30, Buffer.concat(items));
}

/** A SET of one element; more would have to be sorted. */
export function setOf(item: Der): Der {
  return element(0x31, item);
}

/** A non-negative integer, big-endian. */
export function integer(bytes: Buffer): Der {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const digits = bytes.subarray(start);
  // A leading bit of one would make it negative.
  const isSigned = ((digits[0] ?? 0) & 0x80) !== 0;
  return element(0x02, isSigned ? Buffer.concat([Buffer.from([0]), digits]) : digits);
}

/** DER knows one byte for true, 0xff. */
export function boolean(value: boolean): Der {
  return element(0x01, Buffer.from([value ? 0xff : 0]));
}

/** `1.2.840.10045.4.3.2` */
export function objectIdentifier(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const groups = [arc & 0x7f];
    for (let more = Math.floor(arc / 128); more > 0; more = Math.floor(more / 128))
      groups.unshift((more & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return element(0x06, Buffer.from(bytes));
}

/** Text of a name. */
export function utf8String(text: string): Der {
  return element(0x0c, Buffer.from(text, 'utf8'));
}

/** Bytes that aren't looked into; extensions are wrapped in one. */
export function octetString(content: Buffer): Der {
  return element(0x04, content);
}

/** Whole bytes, unless the last `unusedBits` bits are left out. */
export function bitString(content: Buffer, unusedBits = 0): Der {
  return element(0x03, Buffer.concat([Buffer.from([unusedBits]), content]));
}

/** UTCTime up to 2049, GeneralizedTime from 2050 on, as RFC 5280 demands. */
export function time(epochMs: number): Der {
  const digits = new Date(epochMs).toISOString().replaceAll(/[-:T]|\.\d+/gu, '');
  const isEarly = Number(digits.slice(0, 4)) < 2050;
  return isEarly ? element(0x17, Buffer.from(digits.slice(2))) : element(0x18, Buffer.from(digits));
}

/** A context-specific element that wraps others. */
export function explicit(number: number, content: Buffer): Der {
  return element(0xa0 | number, content);
}

/** A context-specific element that stands in place of a plain one. */
export function implicit(number: number, content: Buffer): Der {
  return element(0x80 | number, content);
}
