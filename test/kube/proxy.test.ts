import { expect, test } from 'vitest';
import { proxyFromEnvironment } from '../../src/kube/proxy.ts';

const proxy = 'http://proxy:3128';

const rows: readonly (readonly [string, string, Record<string, string>, string | undefined])[] = [
  ['https by HTTPS_PROXY', 'https://c:6443', { HTTPS_PROXY: proxy }, proxy],
  ['https by https_proxy', 'https://c:6443', { https_proxy: proxy }, proxy],
  ['http by HTTP_PROXY', 'http://c:8080', { HTTP_PROXY: proxy }, proxy],
  ['https not by HTTP_PROXY', 'https://c', { HTTP_PROXY: proxy }, undefined],
  ['no scheme means http', 'https://c', { HTTPS_PROXY: 'proxy:3128' }, proxy],
  ['loopback never', 'https://127.0.0.1:6443', { HTTPS_PROXY: proxy }, undefined],
  ['IPv6 loopback never', 'https://[::1]:6443', { HTTPS_PROXY: proxy }, undefined],
  ['localhost never', 'https://localhost:6443', { HTTPS_PROXY: proxy }, undefined],
  ['an exception for all', 'https://c', { HTTPS_PROXY: proxy, NO_PROXY: '*' }, undefined],
  ['an exception for the host', 'https://c', { HTTPS_PROXY: proxy, NO_PROXY: 'a, C ,b' }, undefined],
  ['an exception for the domain', 'https://api.c.test', { HTTPS_PROXY: proxy, NO_PROXY: 'c.test' }, undefined],
  ['a leading dot excepts names below alone', 'https://c.test', { HTTPS_PROXY: proxy, NO_PROXY: '.c.test' }, proxy],
  ['a name that merely ends alike', 'https://abc.test', { HTTPS_PROXY: proxy, NO_PROXY: 'bc.test' }, proxy],
  ['an exception with the port', 'https://c:6443', { HTTPS_PROXY: proxy, NO_PROXY: 'c:6443' }, undefined],
  ['an exception with another port', 'https://c:6443', { HTTPS_PROXY: proxy, NO_PROXY: 'c:443' }, proxy],
  ['an exception for a network', 'https://10.1.2.3:6443', { HTTPS_PROXY: proxy, NO_PROXY: '10.1.0.0/16' }, undefined],
  ['another network', 'https://10.2.2.3:6443', { HTTPS_PROXY: proxy, NO_PROXY: '10.1.0.0/16' }, proxy],
];

test.each(rows)('%s', (_name, server, env, expected) => {
  expect(proxyFromEnvironment(new URL(server), env)).toBe(expected);
});
