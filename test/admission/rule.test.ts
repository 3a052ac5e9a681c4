import { describe, expect, it } from 'vitest';
import { below, renderPath, rootPath } from '../../src/admission/path.ts';
import { type Check, type Context, judgementFor, rule } from '../../src/admission/rule.ts';
import { all, always, each, fields, printedAs, within } from '../../src/admission/structure.ts';
import type { FieldError, KubernetesMinor } from '../../src/admission/verdict.ts';

interface Pet {
  readonly name?: string;
  readonly legs?: number;
  readonly friends?: readonly Pet[];
}

const facts = { type: 'Invalid', source: 'test', says: 'A rule of a test.' } as const;
const odd = rule<number, Pet>({ ...facts, code: 'odd', refuses: (legs) => legs % 2 === 1 && 'must be even' });
const named = rule<string, Pet>({
  ...facts,
  code: 'named',
  type: 'Required',
  evenIfAbsent: true,
  refuses: (name) => name === undefined && 'needs a name',
});

interface Run {
  readonly errors: readonly FieldError[];
  readonly failures: readonly string[];
}

function run<T>(check: Check<T>, value: T | undefined, version: KubernetesMinor = '1.35'): Run {
  const failures: string[] = [];
  const judgement = judgementFor(version, (code) => failures.push(code));
  const context: Context = { version, operation: 'create' };
  check.run(value, undefined, context, rootPath('pet'), judgement);
  return { errors: judgement.errors, failures };
}

/** Runs a check on a value at `pet` and compares what it complains about: `code field` with the place of the fault. */
function check<T>(subject: Check<T>, value: T | undefined, expected: readonly (readonly [string, string])[]): void {
  const { errors, failures } = run(subject, value);
  expect(errors.map(({ rule: code, field, at }) => [`${code} ${field}`, at.join('/')])).toEqual(expected);
  expect(failures).toEqual([]);
}

describe('fields', () => {
  const pet = fields<Pet>({ name: named, legs: odd });

  it('says nothing about a good value', () => check(pet, { name: 'Rex', legs: 4 }, []));
  it('complains at the field', () => check(pet, { name: 'Rex', legs: 3 }, [['odd pet.legs', 'pet/legs']]));
  it('asks for what is absent only where the rule wants it', () => check(pet, {}, [['named pet.name', 'pet/name']]));
  it('is silent about an absent object', () => check(pet, undefined, []));
  it('asks an absent object for its fields where it is always there', () =>
    check(always<Pet, unknown, Context>({}, pet), undefined, [['named pet.name', 'pet/name']]));
  it('goes into lists', () =>
    check(fields<Pet>({ friends: each<Pet>(pet) }), { friends: [{ name: 'A' }, { name: 'B', legs: 1 }] }, [
      ['odd pet.friends[1].legs', 'pet/friends/1/legs'],
    ]));
});

describe('places', () => {
  it('can be below the value', () => {
    const map = rule<Pet>({
      ...facts,
      code: 'map',
      refuses: () => ({ message: '', at: ['labels', { key: 'a.b/c' }, 2] }),
    });
    check(all(map), {}, [['map pet.labels[a.b/c][2]', 'pet/labels/a.b/c/2']]);
  });
  it('can lie deeper than the server prints', () => {
    const deep = rule<Pet>({ ...facts, code: 'deep', refuses: () => ({ message: '', at: ['x'], within: ['y', 0] }) });
    check(all(deep), {}, [['deep pet.x', 'pet/x/y/0']]);
  });
  it('can be printed under another name', () =>
    check(fields<Pet>({ legs: printedAs('.feet', odd) }), { legs: 1 }, [['odd pet.feet', 'pet/legs']]));
  it('can be left out of the print', () =>
    check(fields<Pet>({ friends: each<Pet>(printedAs('', fields<Pet>({ legs: odd }))) }), { friends: [{ legs: 1 }] }, [
      ['odd pet.friends.legs', 'pet/friends/0/legs'],
    ]));
  it('start at the top without a dot', () => expect(renderPath(below(below(undefined, 'spec'), 0))).toBe('spec[0]'));
});

describe('a rule', () => {
  it('holds from its first to its last version', () => {
    const bounded = rule<Pet>({ ...facts, code: 'bounded', since: '1.35', until: '1.36', refuses: () => 'no' });
    const countIn = (version: KubernetesMinor) => run(all(bounded), {}, version).errors.length;
    expect([countIn('1.34'), countIn('1.35'), countIn('1.36'), countIn('1.37')]).toEqual([0, 1, 1, 0]);
  });
  it('may answer with several complaints', () => {
    const several = rule<Pet>({ ...facts, code: 'several', refuses: () => ['one', { message: 'two', at: ['legs'] }] });
    expect(run(all(several), {}).errors.map(({ message }) => message)).toEqual(['one', 'two']);
  });
  it('that throws is reported and silences nobody', () => {
    const broken = rule<number, Pet>({
      ...facts,
      code: 'broken',
      refuses: () => {
        throw new Error('a fault of ours');
      },
    });
    const { errors, failures } = run(fields<Pet>({ legs: [broken, odd] }), { legs: 3 });
    expect(failures).toEqual(['broken']);
    expect(errors.map((error) => error.rule)).toEqual(['odd']);
  });
  it('whose context cannot be derived is reported and silences nobody', () => {
    const broken = within<Pet, unknown, Context, Context>(
      'derived',
      () => {
        throw new Error('a fault of ours');
      },
      fields<Pet>({ legs: odd }),
    );
    const { errors, failures } = run(all<Pet, unknown, Context>(broken, fields<Pet>({ name: named })), { legs: 3 });
    expect(failures).toEqual(['derived']);
    expect(errors.map((error) => error.rule)).toEqual(['named']);
  });
});
