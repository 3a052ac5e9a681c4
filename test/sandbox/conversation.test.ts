import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { converse, type Exchange } from './conversation.ts';

/** What a real kube-apiserver 1.35.4 answered, question by question; test/cluster records it anew and compares. */
const real: readonly Exchange[] = JSON.parse(
  gunzipSync(readFileSync('test/fixtures/sandbox/conversation.json.gz')).toString(),
);

describe('the API', () => {
  let answers: readonly Exchange[] = [];

  beforeAll(async () => {
    const sandbox = await startSandbox({ workers: 0, version: '1.35' });
    try {
      const [cluster] = sandbox.clusters;
      if (cluster === undefined) throw new Error('there is no cluster');
      const { url, token } = cluster;
      answers = await converse({ url, token, guestToken: cluster.addUser('guest', []), ca: sandbox.caCertificate });
    } finally {
      await sandbox.stop();
    }
  });

  it('is asked all that the real one was asked', () => {
    expect(answers.map(({ title, request }) => ({ title, request }))).toEqual(
      real.map(({ title, request }) => ({ title, request })),
    );
  });

  it.each(real.map((exchange, i) => [exchange.title, exchange.request, i, exchange] as const))(
    'answers as the real one did: %s (%s)',
    (_title, _request, i, exchange) => {
      expect(answers[i]).toEqual(exchange);
    },
  );
});
