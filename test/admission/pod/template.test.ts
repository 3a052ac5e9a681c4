import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyDefaults, judge, kubernetesMinors } from '../../../src/admission/index.ts';
import { defaultPodTemplate, type PodTemplate, withoutGatedFields } from '../../../src/admission/pod/index.ts';
import type { JsonObject } from '../../../src/base/index.ts';
import { drawFrom } from '../../conformance/fuzz/draw.ts';
import { oddTemplateRequest } from './odd/templates.ts';

function templateWith(spec: PodTemplate['spec']): PodTemplate {
  return { spec: { containers: [{ name: 'main', image: 'busybox:1' }], ...spec } };
}

/** Jobs and CronJobs with templates that break rules. */
const oddRequests = fc.nat().map((seed) => oddTemplateRequest(`${seed}`, drawFrom(seed)));

/** The object with the value in the place of one of its parts, counted from any number. */
function withValueAt(object: JsonObject, at: number, value: unknown): JsonObject {
  const copy = structuredClone(object);
  const places: (readonly [holder: object, key: string])[] = [];
  const collect = (holder: unknown): void => {
    if (typeof holder !== 'object' || holder === null) return;
    for (const [key, inner] of Object.entries(holder)) {
      places.push([holder, key]);
      collect(inner);
    }
  };
  collect(copy['spec']);
  const [holder, key] = places[at % places.length] ?? [copy, 'spec'];
  Reflect.set(holder, key, value);
  return copy;
}

describe('fields whose feature gate is off', () => {
  const hooked = templateWith({ containers: [{ name: 'main', image: 'a:1', lifecycle: { stopSignal: 'SIGINT' } }] });
  const restarting = templateWith({ containers: [{ name: 'main', image: 'a:1', restartPolicy: 'Always' }] });
  const mounted = templateWith({
    containers: [{ name: 'main', image: 'a:1', volumeMounts: [{ name: 'tools', mountPath: '/tools' }] }],
    volumes: [{ name: 'tools', image: { reference: 'tools:1' } }],
  });
  const plain = templateWith({ hostname: 'a' });

  it('go, and an object left empty with them', () => {
    expect(withoutGatedFields(hooked, undefined, '1.37').spec?.containers).toEqual([{ name: 'main', image: 'a:1' }]);
  });
  it('stay in a template that is stored with them', () => {
    expect(withoutGatedFields(hooked, hooked, '1.37')).toEqual(hooked);
  });
  it('stay once the gate is on', () => {
    expect(withoutGatedFields(restarting, undefined, '1.35')).toBe(restarting);
  });
  it('go before that', () => {
    expect(withoutGatedFields(restarting, undefined, '1.34').spec?.containers?.[0]).not.toHaveProperty('restartPolicy');
  });
  it('go with the mounts of a volume that goes', () => {
    const { spec } = withoutGatedFields(mounted, undefined, '1.34');
    expect([spec?.volumes, spec?.containers?.[0]?.volumeMounts]).toEqual([[], []]);
  });
  it.each(kubernetesMinors)('cost no copy where there are none, in %s', (minor) => {
    expect(withoutGatedFields(plain, undefined, minor)).toBe(plain);
  });
});

describe('completing a template', () => {
  const plain = templateWith({ volumes: [{ name: 'data', emptyDir: {} }] });

  it.each(kubernetesMinors)('fills in what the server fills in, in %s', (minor) => {
    const { spec } = defaultPodTemplate(plain, minor);
    expect([spec?.restartPolicy, spec?.dnsPolicy, spec?.containers?.[0]?.imagePullPolicy]).toEqual([
      'Always',
      'ClusterFirst',
      'IfNotPresent',
    ]);
  });
  it('costs no copy where all is filled in', () => {
    const complete = defaultPodTemplate(plain, '1.35');
    expect(defaultPodTemplate(complete, '1.35')).toBe(complete);
  });
  it('leaves alone what it was given', () => {
    const before = structuredClone(plain);
    defaultPodTemplate(plain, '1.35');
    expect(plain).toEqual(before);
  });
  it.each(kubernetesMinors)('is done once and for all, in %s', (version) => {
    fc.assert(
      fc.property(oddRequests, ({ object }) => {
        const complete = applyDefaults(object, { version });
        expect(applyDefaults(complete, { version })).toEqual(complete);
      }),
    );
  });
});

describe('a template with any value at any place', () => {
  it('is judged without a rule that throws', () => {
    fc.assert(
      fc.property(
        oddRequests,
        fc.nat(),
        fc.jsonValue(),
        fc.constantFrom(...kubernetesMinors),
        (request, at, value, version) => {
          const failures: unknown[] = [];
          const onRuleFailure = (...failure: unknown[]): number => failures.push(failure);
          const object = withValueAt(request.object, at, value);
          judge({ ...request, object }, { version, isBeyondDecoding: true, onRuleFailure });
          expect(failures).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });
});
