import { describe, expect, test } from 'vitest';
import { classifyAnswer, classifyNetworkError, classifyWatchError } from '../../src/kube/classify.ts';
import type { KubeErrorKind } from '../../src/kube/errors.ts';
import { statusBody } from './fakeServer.ts';

const jobRequest = 'GET /apis/batch/v1/namespaces/a/jobs/b';

function check(
  expected: KubeErrorKind,
  code: number,
  reason: string,
  message: string,
  more: { details?: object; request?: string } = {},
): void {
  const facts = { contextName: 'c', request: more.request ?? jobRequest };
  const body = JSON.stringify(statusBody(code, reason, message, more.details));
  const error = classifyAnswer(facts, { status: code, body });
  expect({ kind: error.kind, status: error.status, message: error.message }).toEqual({
    kind: expected,
    status: code,
    message,
  });
  // The same Status inside a watch means the same.
  expect(classifyWatchError(facts, statusBody(code, reason, message, more.details)).kind).toBe(expected);
}

describe('an answer with a Status', () => {
  const rows: readonly (readonly [string, Parameters<typeof check>])[] = [
    ['401', ['unauthorized', 401, 'Unauthorized', 'Unauthorized']],
    [
      '403 by RBAC',
      [
        'forbidden',
        403,
        'Forbidden',
        'jobs.batch is forbidden: User "u" cannot list resource "jobs" in API group "batch"',
      ],
    ],
    ['403 for a path', ['forbidden', 403, 'Forbidden', 'forbidden: User "u" cannot get path "/version"']],
    [
      '403 by quota',
      [
        'quota-exceeded',
        403,
        'Forbidden',
        'jobs.batch "b" is forbidden: exceeded quota: q, requested: count/jobs.batch=1',
      ],
    ],
    [
      '403 because a quota wants limits',
      ['quota-exceeded', 403, 'Forbidden', 'pods "b" is forbidden: failed quota: q: must specify limits.cpu'],
    ],
    [
      '403 by Pod Security',
      ['admission-denied', 403, 'Forbidden', 'pods "b" is forbidden: violates PodSecurity "restricted:latest"'],
    ],
    [
      '403 by a policy',
      [
        'admission-denied',
        403,
        'Forbidden',
        `jobs.batch "b" is forbidden: ValidatingAdmissionPolicy 'p' denied request: no`,
      ],
    ],
    ['403 by a webhook', ['admission-denied', 403, 'Forbidden', 'admission webhook "w" denied the request: no']],
    ['400 by a webhook', ['admission-denied', 400, 'BadRequest', 'admission webhook "w" denied the request: no']],
    ['422 by a webhook', ['admission-denied', 422, 'Invalid', 'admission webhook "w" denied the request: no']],
    [
      '403 in a namespace that goes away',
      [
        'namespace-missing',
        403,
        'Forbidden',
        'jobs.batch "b" is forbidden: unable to create new content in namespace a because it is being terminated',
        { details: { causes: [{ reason: 'NamespaceTerminating', field: 'metadata.namespace', message: 'x' }] } },
      ],
    ],
    [
      '404 on the object',
      ['not-found', 404, 'NotFound', 'jobs.batch "b" not found', { details: { name: 'b', kind: 'jobs' } }],
    ],
    [
      '404 on its namespace',
      [
        'namespace-missing',
        404,
        'NotFound',
        'namespaces "a" not found',
        { details: { name: 'a', kind: 'namespaces' } },
      ],
    ],
    [
      '404 on a namespace that was asked for',
      [
        'not-found',
        404,
        'NotFound',
        'namespaces "a" not found',
        { details: { name: 'a', kind: 'namespaces' }, request: 'GET /api/v1/namespaces/a' },
      ],
    ],
    ['404 on the type', ['not-served', 404, 'NotFound', 'the server could not find the requested resource']],
    ['409 on create', ['already-exists', 409, 'AlreadyExists', 'jobs.batch "b" already exists']],
    [
      '409 on update',
      ['conflict', 409, 'Conflict', 'Operation cannot be fulfilled on jobs.batch "b": the object has been modified'],
    ],
    [
      '409 on a UID precondition',
      ['conflict', 409, 'Conflict', 'Precondition failed: UID in precondition: x, UID in object meta: y'],
    ],
    ['410', ['gone', 410, 'Expired', 'too old resource version: 1 (2)']],
    ['413', ['too-large', 413, 'RequestEntityTooLarge', 'limit is 3145728']],
    ['a request that etcd finds too large', ['too-large', 500, 'InternalError', 'etcdserver: request is too large']],
    ['422', ['invalid', 422, 'Invalid', 'Job.batch "b" is invalid: spec: Required value']],
    ['429', ['too-many-requests', 429, 'TooManyRequests', 'please try again later']],
    ['400', ['bad-request', 400, 'BadRequest', 'the object provided is unrecognized']],
    ['415', ['bad-request', 415, 'UnsupportedMediaType', 'the body of the request was in an unknown format']],
    ['500', ['server-error', 500, 'InternalError', 'failed calling webhook "w"']],
    ['503', ['server-error', 503, 'ServiceUnavailable', 'apiserver is shutting down']],
    ['504', ['server-error', 504, 'Timeout', 'Timeout: request did not complete']],
  ];
  test.each(rows)('%s', (_name, args) => check(...args));

  test('keeps the causes and the pause it asks for', () => {
    const body = statusBody(422, 'Invalid', 'm', {
      retryAfterSeconds: 3,
      causes: [{ reason: 'FieldValueRequired', field: 'spec', message: 'Required value' }],
    });
    const error = classifyAnswer(
      { contextName: 'c', request: jobRequest },
      { status: 422, body: JSON.stringify(body) },
    );
    expect(error.causes).toEqual([{ reason: 'FieldValueRequired', field: 'spec', message: 'Required value' }]);
    expect(error.retryAfterMs).toBe(3000);
  });
});

describe('an answer without a Status comes from something else', () => {
  const rows: readonly (readonly [string, number, string, KubeErrorKind])[] = [
    ['a 404 page never means that the object is gone', 404, '<html>Not Found</html>', 'bad-answer'],
    ['a 404 of the API server for an unknown group', 404, '404 page not found\n', 'not-served'],
    ['a redirect to a login page', 302, '', 'bad-answer'],
    ['a proxy without a backend', 502, '<html>Bad Gateway</html>', 'server-error'],
    ['a firewall', 403, '<html>Forbidden</html>', 'forbidden'],
    ['a rate limiter', 429, 'slow down', 'too-many-requests'],
    ['plain http on a TLS port', 400, 'Client sent an HTTP request to an HTTPS server.\n', 'bad-answer'],
    ['JSON of another API', 404, '{"error":"not found"}', 'bad-answer'],
  ];
  test.each(rows)('%s', (_name, code, body, kind) => {
    expect(classifyAnswer({ contextName: 'c', request: jobRequest }, { status: code, body }).kind).toBe(kind);
  });

  test('its text is shown without markup and with the Retry-After header', () => {
    const error = classifyAnswer(
      { contextName: 'c', request: jobRequest },
      { status: 503, body: '<h1>No\n backend</h1>', retryAfter: '7' },
    );
    expect([error.message, error.retryAfterMs]).toEqual(['HTTP 503: No backend', 7000]);
  });
});

test('a pause that is out of all reason is cut to ten minutes', () => {
  const answer = { status: 429, body: '', retryAfter: '99999999999' };
  expect(classifyAnswer({ contextName: 'c', request: jobRequest }, answer).retryAfterMs).toBe(600_000);
});

describe('a network error', () => {
  const rows: readonly (readonly [string, KubeErrorKind])[] = [
    ['ECONNREFUSED', 'unreachable'],
    ['ECONNRESET', 'unreachable'],
    ['ENOTFOUND', 'unreachable'],
    ['EAI_AGAIN', 'unreachable'],
    ['ETIMEDOUT', 'timeout'],
    ['CERT_HAS_EXPIRED', 'certificate'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'credentials'],
    ['ERR_OSSL_PEM_NO_START_LINE', 'kubeconfig'],
    ['HPE_INVALID_CONSTANT', 'bad-answer'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'unreachable'],
  ];
  test.each(rows)('%s', (code, kind) => {
    const error = Object.assign(new Error('text'), { code });
    expect(classifyNetworkError({ contextName: 'c', request: jobRequest }, error)).toMatchObject({
      kind,
      reason: code,
    });
  });

  test('of several addresses is the first one', () => {
    const inner = Object.assign(new Error('connect ECONNREFUSED ::1:1'), { code: 'ECONNREFUSED' });
    const error = classifyNetworkError({ contextName: 'c', request: jobRequest }, new AggregateError([inner]));
    expect([error.kind, error.message]).toEqual(['unreachable', 'connect ECONNREFUSED ::1:1']);
  });
});
