import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ListReader, type ListRequest } from '../../src/sandbox/reads.ts';
import { definitions } from '../../src/sandbox/resources.ts';
import { ApiError } from '../../src/sandbox/status.ts';
import { ObjectStore } from '../../src/sandbox/store.ts';
import { basicStrategies } from '../../src/sandbox/strategies.ts';
import type { Strategy } from '../../src/sandbox/strategy.ts';
import { ManualClock } from './manualClock.ts';

const maps = definitions.configMaps;
const strategy = basicStrategies().get(maps) as Strategy;

class Shelf {
  readonly clock = new ManualClock();
  readonly store = new ObjectStore({
    historyLimit: 100,
    onError: (error) => {
      throw error;
    },
  });
  readonly reader = new ListReader(this.store, this.clock);

  put(name: string, labels: Readonly<Record<string, string>> = {}): void {
    const metadata = { name, namespace: 'default', uid: name, resourceVersion: '', creationTimestamp: '', labels };
    this.store.put(maps, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  }

  remove(name: string): void {
    const found = this.store.get(maps, 'default', name);
    if (found !== undefined) this.store.remove(maps, found);
  }

  names(request: ListRequest): readonly string[] {
    return this.reader.list(maps, strategy, request).items.map(({ metadata }) => metadata.name);
  }

  /** All pages, with `between` called after each. */
  pages(
    limit: number,
    request: ListRequest = {},
    between: () => void = () => undefined,
  ): readonly (readonly string[])[] {
    const pages: string[][] = [];
    for (let token: string | undefined = ''; token !== undefined; ) {
      const page = this.reader.list(maps, strategy, {
        ...request,
        limit,
        ...(token === '' ? {} : { continueToken: token }),
      });
      pages.push(page.items.map(({ metadata }) => metadata.name));
      token = page.continueToken;
      between();
    }
    return pages;
  }
}

function refusal(action: () => unknown): ApiError {
  try {
    action();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

describe('a list in pages', () => {
  it('has all objects, once, in order, whatever the limit', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.stringMatching(/^[a-z]{1,4}$/u), { maxLength: 20 }),
        fc.integer({ min: 1, max: 25 }),
        (names, limit) => {
          const shelf = new Shelf();
          for (const name of names) shelf.put(name);
          const pages = shelf.pages(limit);
          expect(pages.flat()).toEqual(names.toSorted());
          expect(pages.every((page) => page.length <= limit)).toBe(true);
        },
      ),
    );
  });

  it('shows the moment of its first page, whatever happens meanwhile', () => {
    const shelf = new Shelf();
    for (const name of ['a', 'b', 'c', 'd']) shelf.put(name);
    const pages = shelf.pages(2, {}, () => {
      shelf.put('bb');
      shelf.remove('d');
    });
    expect(pages).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('counts what remains, unless a selector hides it', () => {
    const shelf = new Shelf();
    for (const name of ['a', 'b', 'c']) shelf.put(name, { x: 'y' });
    expect(shelf.reader.list(maps, strategy, { limit: 1 })).toMatchObject({ remainingItemCount: 2 });
    expect(shelf.reader.list(maps, strategy, { limit: 1, labelSelector: 'x=y' })).not.toHaveProperty(
      'remainingItemCount',
    );
  });

  it('selects within its pages', () => {
    const shelf = new Shelf();
    for (const name of ['a', 'b', 'c', 'd', 'e']) shelf.put(name, { odd: String(name.charCodeAt(0) % 2) });
    expect(shelf.pages(2, { labelSelector: 'odd=1' }).flat()).toEqual(['a', 'c', 'e']);
  });

  it('expires, and then goes on without consistency if asked', () => {
    const shelf = new Shelf();
    for (const name of ['a', 'b', 'c']) shelf.put(name);
    const token = shelf.reader.list(maps, strategy, { limit: 1 }).continueToken ?? '';
    shelf.put('bb');
    shelf.clock.advance(6 * 60_000);
    const error = refusal(() => shelf.names({ limit: 1, continueToken: token }));
    expect(error).toMatchObject({ code: 410, body: { reason: 'Expired' } });
    const { metadata } = error.body as { readonly metadata: { readonly continue: string } };
    expect(shelf.names({ continueToken: metadata.continue })).toEqual(['b', 'bb', 'c']);
  });

  it('refuses a token that it did not write', () => {
    expect(refusal(() => new Shelf().names({ continueToken: 'xyz' }))).toMatchObject({ code: 400 });
  });

  it('refuses to be older than the client has seen', () => {
    expect(refusal(() => new Shelf().names({ resourceVersion: '99' }))).toMatchObject({
      code: 504,
      retryAfterSeconds: 1,
    });
  });
});
