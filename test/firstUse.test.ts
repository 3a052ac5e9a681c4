import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { compiledAtOnce } from '../scripts/firstUse.ts';

/** A bundle in small: what it exports is all that it does. */
const program = `"use strict";exports.early=late(2);var twice=n=>n*2,both=[async(a,b)=>a+b,function(n){return n+seen}];
function late(n){function inner(m){return m+1}return inner(n*2)}var seen=5;
class Held{own=n=>twice(n);run(n){return this.own(n)+late(n)}get size(){return 3}}
async function later(n){return n+1}function*several(){yield 1;yield 2}
exports.held=new Held().run(4);exports.size=new Held().size;exports.sum=both[1](1);exports.names=[late.name,twice.name,later.name];
exports.list=[...several()];exports.text={run(n){return late(n)}}.run(1);`;

function placesOf(text: string, ...functions: readonly string[]): ReadonlySet<string> {
  return new Set(
    functions.map((part) => {
      const start = text.indexOf(part);
      if (start < 0) throw new Error(`There is no ${part}.`);
      return `${start}-${start + part.length}`;
    }),
  );
}

function exportsOf(text: string): unknown {
  const exports: Record<string, unknown> = {};
  runInNewContext(text, { exports });
  return JSON.parse(JSON.stringify(exports));
}

const late = 'function late(n){function inner(m){return m+1}return inner(n*2)}';

describe('a bundle that is compiled for its first use', () => {
  it('has the functions that are called in parentheses, and no others', () => {
    expect(compiledAtOnce('a(n=>n,m=>m);b(function(){})', placesOf('a(n=>n,m=>m);b(function(){})', 'm=>m'))).toBe(
      'a(n=>n,(m=>m));b(function(){})',
    );
    expect(compiledAtOnce('b(function(){})', placesOf('b(function(){})', 'function(){}'))).toBe('b((function(){}))');
  });

  it('has a declaration as a variable before all that could call it, behind the directive', () => {
    const compiled = compiledAtOnce(program, placesOf(program, late));
    expect(compiled.startsWith(`"use strict";var late=(${late});exports.early=`)).toBe(true);
    expect(exportsOf(compiled)).toEqual(exportsOf(program));
  });

  it('does the same when each function in it is called first', () => {
    const called = [
      late,
      'n=>n*2',
      'async(a,b)=>a+b',
      'function(n){return n+seen}',
      'function inner(m){return m+1}',
      'n=>twice(n)',
      'async function later(n){return n+1}',
      'function*several(){yield 1;yield 2}',
      // Of methods, the range without the name too.
      '(n){return this.own(n)+late(n)}',
      'run(n){return this.own(n)+late(n)}',
      '(n){return late(n)}',
      '(){return 3}',
    ];
    const compiled = compiledAtOnce(program, placesOf(program, ...called));
    expect(exportsOf(compiled)).toEqual(exportsOf(program));
    expect(compiled).toContain('twice=(n=>n*2),both=[(async(a,b)=>a+b),(function(n){return n+seen})]');
    expect(exportsOf(program)).toMatchObject({ early: 5, held: 17, sum: 6, list: [1, 2], text: 3 });
  });

  it('is left alone where nothing is called', () => {
    expect(compiledAtOnce(program, new Set())).toBe(program);
  });
});
