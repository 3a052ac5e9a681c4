import { headerNameFaults, portNameFaults } from '../formats.ts';
import { rule } from '../rule.ts';
import { all, each, fields, printedAs } from '../structure.ts';
import type { PodContext } from './context.ts';
import { about, aboutEach, alwaysFormatted, missingMessage, notNegative, oneOf, required } from './ruleShapes.ts';
import type { GrpcAction, Handler, HttpGetAction, HttpHeader, Probe } from './types.ts';
import { union } from './union.ts';

/** Probes and what they and lifecycle hooks do. Source: Kubernetes 1.35, core validation, probes and handlers. */

const source = 'G11';

const commandRequired = rule<readonly string[]>({
  code: 'exec-command-required',
  type: 'Required',
  source,
  says: 'An exec handler has a command.',
  evenIfAbsent: true,
  refuses: (command = []) => command.length === 0 && missingMessage,
});

const portNumberOrName = rule<number | string>({
  code: 'handler-port-format',
  type: 'Invalid',
  source,
  says: 'A handler connects to a port from 1 to 65535 or to one by its name.',
  evenIfAbsent: true,
  refuses: (port = 0) => {
    if (typeof port === 'string') return aboutEach(port, portNameFaults(port));
    return (port < 1 || port > 65535) && about(port, 'must be between 1 and 65535, inclusive');
  },
});

const http2OverPlainText = rule<string, HttpGetAction>({
  code: 'http-protocol-scheme',
  type: 'Invalid',
  source,
  says: 'HTTP/2 is spoken without TLS.',
  since: '1.37',
  refuses: (protocol, { scheme }) =>
    protocol === 'HTTP2' && scheme !== 'HTTP' && about(protocol, 'is only supported with HTTP (H2C)'),
});

const http2WithoutHost = rule<string, HttpGetAction>({
  code: 'http-protocol-host',
  type: 'Invalid',
  source,
  says: 'HTTP/2 goes to the pod itself.',
  since: '1.37',
  refuses: (host, { protocol, scheme }) =>
    protocol === 'HTTP2' && scheme === 'HTTP' && host !== '' && about(host, 'must be empty when `protocol` is "HTTP2"'),
});

const httpGet = fields<HttpGetAction>({
  path: required({ code: 'http-path-required', source, says: 'An HTTP handler has a path.' }),
  port: portNumberOrName,
  scheme: oneOf({ code: 'http-scheme', source, says: 'An HTTP handler speaks HTTP or HTTPS.' }, ['HTTP', 'HTTPS']),
  httpHeaders: each<HttpHeader>(
    printedAs(
      '',
      fields<HttpHeader>({
        name: printedAs(
          '',
          alwaysFormatted(
            { code: 'http-header-name-format', source, says: 'The name of a header has letters, digits and dashes.' },
            headerNameFaults,
          ),
        ),
      }),
    ),
  ),
  protocol: [
    oneOf({ code: 'http-protocol', source, says: 'An HTTP handler speaks HTTP/1 or HTTP/2.', since: '1.37' }, [
      'HTTP1',
      'HTTP2',
    ]),
    http2OverPlainText,
  ],
  host: http2WithoutHost,
});

const grpc = fields<GrpcAction>({
  port: portNumberOrName,
  mode: oneOf({ code: 'grpc-mode', source, says: 'A gRPC probe connects in plain text or with TLS.', since: '1.37' }, [
    'Plaintext',
    'TLS',
  ]),
});

const sleepWithinGracePeriod = rule<number, unknown, PodContext>({
  code: 'sleep-seconds',
  type: 'Invalid',
  source,
  says: "A hook sleeps no longer than the pod's grace period.",
  evenIfAbsent: true,
  refuses: (seconds = 0, _sleep, { spec }) => {
    const grace = spec.terminationGracePeriodSeconds;
    if (grace === undefined || (seconds >= 0 && seconds <= grace)) return false;
    return about(seconds, `must be non-negative and less than terminationGracePeriodSeconds (${grace})`);
  },
});

/** What a probe or hook does: exactly one thing. */
export const handler = union<Handler, PodContext>(
  {
    exec: { judgedBy: fields<NonNullable<Handler['exec']>>({ command: commandRequired }) },
    httpGet: { judgedBy: httpGet },
    tcpSocket: { judgedBy: fields<NonNullable<Handler['tcpSocket']>>({ port: portNumberOrName }) },
    grpc: { judgedBy: grpc },
    sleep: {
      // The server complains about the action, not about its seconds.
      judgedBy: fields<NonNullable<Handler['sleep']>, PodContext>({ seconds: printedAs('', sleepWithinGracePeriod) }),
    },
  },
  {
    surplus: rule<unknown, Handler>({
      code: 'handler-single',
      type: 'Forbidden',
      source,
      says: 'A probe or hook does one thing.',
      refuses: () => 'may not specify more than 1 handler type',
    }),
    missing: rule<Handler>({
      code: 'handler-required',
      type: 'Required',
      source,
      says: 'A probe or hook does something.',
      refuses: () => 'must specify a handler type',
    }),
  },
);

const probeGracePeriod = rule<number>({
  code: 'probe-grace-period',
  type: 'Invalid',
  source,
  says: 'The grace period of a probe is more than zero.',
  refuses: (seconds) => seconds <= 0 && about(seconds, 'must be greater than 0'),
});

const anyProbe = all(
  handler,
  fields<Probe, PodContext>({
    initialDelaySeconds: notNegative({
      code: 'probe-initial-delay-negative',
      source,
      says: 'A delay is not negative.',
    }),
    timeoutSeconds: notNegative({ code: 'probe-timeout-negative', source, says: 'A timeout is not negative.' }),
    periodSeconds: notNegative({ code: 'probe-period-negative', source, says: 'A period is not negative.' }),
    successThreshold: notNegative({
      code: 'probe-success-threshold-negative',
      source,
      says: 'A threshold is not negative.',
    }),
    failureThreshold: notNegative({
      code: 'probe-failure-threshold-negative',
      source,
      says: 'A threshold is not negative.',
    }),
    terminationGracePeriodSeconds: probeGracePeriod,
  }),
);

/** A liveness or startup probe, which one success satisfies. */
export const deadlyProbe = all(
  anyProbe,
  fields<Probe, PodContext>({
    successThreshold: rule<number>({
      code: 'probe-one-success',
      type: 'Invalid',
      source,
      says: 'One success is enough for a liveness or startup probe.',
      refuses: (threshold) => threshold !== 1 && about(threshold, 'must be 1'),
    }),
  }),
);

/** A readiness probe, which ends nothing. */
export const readinessProbe = all(
  anyProbe,
  fields<Probe, PodContext>({
    terminationGracePeriodSeconds: rule<number>({
      code: 'readiness-without-grace-period',
      type: 'Invalid',
      source,
      says: 'A readiness probe has no grace period: it ends nothing.',
      refuses: (seconds) => about(seconds, 'must not be set for readinessProbes'),
    }),
  }),
);
