import { describe, expect, test } from 'vitest';
import { describePurpose, explainKubeError, KubeError, type KubeErrorKind } from '../../src/kube/index.ts';

describe('the purpose of a request', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['GET /apis/batch/v1/jobs', 'list the jobs in all namespaces'],
    ['GET /apis/batch/v1/namespaces/a/jobs', 'list the jobs in namespace "a"'],
    ['GET /apis/batch/v1/namespaces/a/jobs?watch=true', 'watch the jobs in namespace "a"'],
    ['GET /apis/batch/v1/namespaces/a/jobs/b', 'read job "b" in namespace "a"'],
    ['GET /api/v1/namespaces/kube-system', 'read namespace "kube-system"'],
    ['POST /apis/batch/v1/namespaces/a/jobs', 'create a job in namespace "a"'],
    ['PUT /apis/batch/v1/namespaces/a/jobs/b/status', 'write the status of job "b" in namespace "a"'],
    ['PATCH /apis/batch/v1/namespaces/a/jobs/b', 'change job "b" in namespace "a"'],
    ['DELETE /apis/batch/v1/namespaces/a/jobs/b', 'delete job "b" in namespace "a"'],
    ['GET /api/v1/namespaces/a/pods/b/log', 'read the log of pod "b" in namespace "a"'],
    ['PUT /apis/coordination.k8s.io/v1/namespaces/a/leases/b', 'write lease "b" in namespace "a"'],
    ['POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews', 'ask what this login may do'],
    ['GET /version', 'ask for its version'],
    ['log in as user "u" of file', 'log in as user "u" of file'],
  ];
  test.each(rows)('%s', (request, purpose) => expect(describePurpose(request)).toBe(purpose));
});

const kinds: Readonly<Record<KubeErrorKind, true>> = {
  unauthorized: true,
  forbidden: true,
  'quota-exceeded': true,
  'admission-denied': true,
  'not-found': true,
  'not-served': true,
  'namespace-missing': true,
  'already-exists': true,
  conflict: true,
  gone: true,
  invalid: true,
  'bad-request': true,
  'too-large': true,
  'too-many-requests': true,
  'server-error': true,
  timeout: true,
  unreachable: true,
  certificate: true,
  kubeconfig: true,
  credentials: true,
  'bad-answer': true,
};

describe('an explanation', () => {
  test.each(Object.keys(kinds))('of %s names the cluster, the purpose and a remedy', (kind) => {
    const details = { kind: kind as KubeErrorKind, contextName: 'prod', request: 'GET /apis/batch/v1/jobs' };
    const { what, remedy } = explainKubeError(new KubeError('text', details));
    expect(what).toMatch(/\(cluster prod, while trying to list the jobs in all namespaces\)$/);
    expect(remedy).toMatch(/\.$/);
  });

  const unreachable: readonly (readonly [string, RegExp])[] = [
    ['ECONNREFUSED', /Nothing answers.*Start the cluster/s],
    ['ENOTFOUND', /can't be resolved.*VPN/s],
    ['EHOSTUNREACH', /no way to its address/],
    ['ECONNRESET', /connection broke/],
  ];
  test.each(unreachable)('of %s tells it from the others', (reason, words) => {
    const details = { kind: 'unreachable' as const, contextName: 'prod', request: 'GET /version', reason };
    const { what, remedy } = explainKubeError(new KubeError('text', details));
    expect(`${what} ${remedy}`).toMatch(words);
  });

  test('of a kubeconfig that can not be used says once what to do, and nothing of a request', () => {
    const details = { kind: 'kubeconfig', contextName: 'prod', request: 'open', remedy: 'Create the file.' } as const;
    expect(explainKubeError(new KubeError('/home/me/config: There is no such file.', details))).toEqual({
      what: '/home/me/config: There is no such file',
      remedy: 'Create the file.',
    });
  });

  test('of a login that failed takes the remedy of whoever knows it', () => {
    const details = { kind: 'credentials', contextName: 'prod', request: 'log in as u', remedy: 'Log in.' } as const;
    expect(explainKubeError(new KubeError('It failed.', details))).toEqual({
      what: 'It failed (cluster prod, while trying to log in as u)',
      remedy: 'Log in.',
    });
  });

  test('of an untrusted certificate gives no advice for people who start Node by hand', () => {
    const details = { kind: 'certificate', contextName: 'prod', request: 'GET /version' } as const;
    const text = 'unable to verify the first certificate; if the root CA is installed locally, try --use-system-ca';
    expect(explainKubeError(new KubeError(text, details)).what).not.toContain('--use-system-ca');
  });

  test('of what is no error of a cluster', () => {
    expect(explainKubeError(new TypeError('x is undefined')).what).toBe('Unexpected error: x is undefined');
  });
});
