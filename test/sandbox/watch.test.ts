import { describe, expect, it } from 'vitest';
import { definitions } from '../../src/sandbox/resources.ts';
import { basicStrategies } from '../../src/sandbox/strategies.ts';
import type { Strategy } from '../../src/sandbox/strategy.ts';
import { startWatch, type WatchRequest } from '../../src/sandbox/watch.ts';
import { Rig } from './rig.ts';

const maps = definitions.configMaps;

interface Line {
  readonly type: string;
  readonly object: {
    readonly metadata: { readonly name?: string; readonly resourceVersion?: string; readonly annotations?: object };
    readonly code?: number;
  };
}

/** A watch of config maps, as its client reads it. */
class Watching {
  readonly lines: Line[] = [];
  isOver = false;
  readonly stop: () => void;

  constructor(rig: Rig, request: WatchRequest) {
    const watch = startWatch({
      store: rig.cluster.store,
      clock: rig.clock,
      type: maps,
      strategy: basicStrategies().get(maps) as Strategy,
      request: { namespace: 'default', ...request },
      sink: {
        send: (line) => this.lines.push(JSON.parse(line)),
        end: () => {
          this.isOver = true;
        },
      },
    });
    this.stop = () => watch.dispose();
  }

  get told(): readonly string[] {
    return this.lines.map(({ type, object }) =>
      type === 'BOOKMARK' || type === 'ERROR' ? type : `${type} ${object.metadata.name}`,
    );
  }
}

function put(rig: Rig, name: string, labels: Readonly<Record<string, string>> = {}): string {
  const { api } = rig.cluster;
  const body = { metadata: { name, labels } };
  const isThere = rig.find(maps, name) !== undefined;
  const { object } = isThere ? api.update(maps, 'default', name, body) : api.create(maps, 'default', body);
  return object.metadata.resourceVersion;
}

describe('a watch', () => {
  it('without a resourceVersion begins with all that is there', () => {
    const rig = new Rig();
    put(rig, 'a');
    put(rig, 'b');
    const watching = new Watching(rig, {});
    put(rig, 'c');
    expect(watching.told).toEqual(['ADDED a', 'ADDED b', 'ADDED c']);
  });

  it('resumes after the resourceVersion that it names', () => {
    const rig = new Rig();
    const since = put(rig, 'a');
    put(rig, 'b');
    const watching = new Watching(rig, { resourceVersion: since });
    put(rig, 'a', { x: 'y' });
    rig.cluster.api.delete(maps, 'default', 'a');
    expect(watching.told).toEqual(['ADDED b', 'MODIFIED a', 'DELETED a']);
  });

  it('shows under a deletion the resourceVersion of the deletion', () => {
    const rig = new Rig();
    const since = put(rig, 'a');
    const watching = new Watching(rig, { resourceVersion: since });
    rig.cluster.api.delete(maps, 'default', 'a');
    expect(Number(watching.lines[0]?.object.metadata.resourceVersion)).toBeGreaterThan(Number(since));
  });

  it('shows what enters its selection as added and what leaves it as deleted', () => {
    const rig = new Rig();
    const since = put(rig, 'a');
    const watching = new Watching(rig, { resourceVersion: since, labelSelector: 'x=y' });
    put(rig, 'a', { x: 'y' });
    put(rig, 'a', { x: 'y', z: '1' });
    put(rig, 'a', { x: 'n' });
    put(rig, 'a', { x: 'm' });
    expect(watching.told).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
  });

  it('that is too old is told so in its stream, and ends', () => {
    const rig = new Rig();
    const since = put(rig, 'a');
    put(rig, 'b');
    rig.cluster.store.compact();
    const watching = new Watching(rig, { resourceVersion: since });
    expect(watching).toMatchObject({ isOver: true, lines: [{ type: 'ERROR', object: { code: 410 } }] });
  });

  it('from the future waits for it', () => {
    const rig = new Rig();
    const watching = new Watching(rig, { resourceVersion: '999999' });
    expect(watching).toMatchObject({ isOver: false, lines: [] });
  });

  it('gets a bookmark each minute if it wants any', () => {
    const rig = new Rig();
    const since = put(rig, 'a');
    const plain = new Watching(rig, { resourceVersion: since });
    const marked = new Watching(rig, { resourceVersion: since, allowBookmarks: true });
    rig.clock.advance(125_000);
    expect(marked.told).toEqual(['BOOKMARK', 'BOOKMARK']);
    expect(marked.lines[1]?.object.metadata.resourceVersion).toBe(String(rig.cluster.store.resourceVersion));
    expect(plain.told).toEqual([]);
  });

  it('marks the end of the initial events', () => {
    const rig = new Rig();
    put(rig, 'a');
    const watching = new Watching(rig, { sendInitialEvents: true, allowBookmarks: true });
    expect(watching.told).toEqual(['ADDED a', 'BOOKMARK']);
    expect(watching.lines[1]?.object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
  });

  it('ends after its time, with a bookmark to resume from', () => {
    const rig = new Rig();
    const watching = new Watching(rig, { resourceVersion: put(rig, 'a'), timeoutSeconds: 30, allowBookmarks: true });
    rig.clock.advance(29_000);
    expect(watching.isOver).toBe(false);
    rig.clock.advance(1000);
    put(rig, 'b');
    expect(watching).toMatchObject({ isOver: true, told: ['BOOKMARK'] });
  });

  it('is silent once it is disposed', () => {
    const rig = new Rig();
    const resourceVersion = put(rig, 'b');
    const before = rig.clock.pending;
    const watching = new Watching(rig, { resourceVersion, timeoutSeconds: 60, allowBookmarks: true });
    watching.stop();
    put(rig, 'a');
    expect(watching.told).toEqual([]);
    expect(rig.clock.pending).toBe(before);
  });
});
