import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeProtobuf } from '../../src/sandbox/protobuf/decode.ts';
import { protobufType } from '../../src/sandbox/protobuf/types.ts';
import { ApiError } from '../../src/sandbox/status.ts';

const decode = (hex: string): unknown => decodeProtobuf(Buffer.from(hex.replaceAll(/\s/gu, ''), 'hex'), protobufType);

/** What kubectl 1.32 sent. */
const sent = {
  /** `kubectl create job fast --image=busybox -- echo hi` */
  job: `6b3873000a0f0a0862617463682f763112034a6f621288010a140a046661737412001a0022002a003200380042001266
        32640a100a0012001a0022002a00320038004200125012 2d0a046661737412 0762757379626f781a046563686f1a0268
        692a0042006a00720080010088010090 0100a201001a054e6576657232004200
        4a005200580060006800 82 0100 8a0100 9a0100 c20100 1a08 2000 2800 3000 3a00 1a00 2200`,
  /** `kubectl create ns demo` */
  namespace: `6b3873000a0f0a0276311209 4e616d657370616365121c0a140a0464656d6f12001a0022002a0032003800420012001a
              020a001a002200`,
  /** `kubectl create cm a --from-literal=x=y` */
  configMap:
    '6b3873000a0f0a0276311209436f6e6669674d6170121b0a110a016112001a0022002a003200380042001206 0a01781201791a002200',
} as const;

describe('a request in protobuf', () => {
  function check(hex: string, expected: object): void {
    expect(decode(hex)).toEqual(expected);
  }

  it('to create a Job', () => {
    check(sent.job, {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'fast' },
      spec: {
        template: {
          spec: { containers: [{ name: 'fast', image: 'busybox', command: ['echo', 'hi'] }], restartPolicy: 'Never' },
        },
      },
    });
  });

  it('to create a namespace', () => {
    check(sent.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'demo' } });
  });

  it('to create a config map', () => {
    check(sent.configMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { x: 'y' } });
  });

  const envelope = (kind: string, raw: string): string => {
    const type = Buffer.concat([Buffer.from([0x12, kind.length]), Buffer.from(kind)]);
    const body = Buffer.from(raw, 'hex');
    return Buffer.concat([
      Buffer.from('6b387300', 'hex'),
      Buffer.from([0x0a, type.length]),
      type,
      Buffer.from([0x12, body.length]),
      body,
    ]).toString('hex');
  };

  it('keeps a pointer to zero and drops a plain zero', () => {
    // spec: parallelism 0, suspend false, completionMode ''
    check(envelope('Job', '12060800 5000 4a00'.replaceAll(' ', '')), {
      apiVersion: '',
      kind: 'Job',
      spec: { parallelism: 0, suspend: false },
    });
  });

  it('reads negative numbers', () => {
    check(envelope('Job', '120b08ffffffffffffffffff01'), { apiVersion: '', kind: 'Job', spec: { parallelism: -1 } });
  });

  it.each([
    ['of an unknown kind', envelope('Deployment', '')],
    ['with a field that nobody knows here', envelope('Job', '12035a0101')],
    ['that ends too early', sent.namespace.slice(0, -20)],
    ['without its magic number', '00000000'],
    ['of another wire type', envelope('Job', '0d00000000')],
  ])('%s is refused', (_, hex) => {
    expect(() => decode(hex)).toThrow(/the sandbox reads no protobuf but that of simple objects/u);
  });

  it('is read or refused, whatever it is', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          decode(envelope('Job', Buffer.from(bytes).toString('hex')));
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
        }
      }),
    );
  });
});
