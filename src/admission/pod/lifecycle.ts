import { unsupportedMessage } from '../formats.ts';
import { rule } from '../rule.ts';
import { fields } from '../structure.ts';
import type { PodContext } from './context.ts';
import { handler } from './probe.ts';
import type { Lifecycle } from './types.ts';

/** Lifecycle hooks and stop signals. Source: Kubernetes 1.35, core validation, lifecycle. */

const names =
  'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT SEGV STKFLT STOP SYS TERM TRAP TSTP ' +
  'TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ RTMIN RTMAX';

/** Real-time signals are counted up from the lowest and down from the highest, to the middle. */
const realTime = [
  ...Array.from({ length: 15 }, (_, index) => `SIGRTMIN+${index + 1}`),
  ...Array.from({ length: 14 }, (_, index) => `SIGRTMAX-${index + 1}`),
];

const signals: ReadonlyMap<string, readonly string[]> = new Map([
  ['linux', [...names.split(' ').map((name) => `SIG${name}`), ...realTime].sort()],
  ['windows', ['SIGKILL', 'SIGTERM']],
]);

const stopSignalNeedsOs = rule<string, unknown, PodContext>({
  code: 'stop-signal-needs-os',
  type: 'Forbidden',
  source: 'G11',
  says: 'A stop signal needs spec.os.name: signals differ.',
  refuses: (_signal, _lifecycle, { spec }) =>
    spec.os === undefined && 'may not be set for containers with empty `spec.os.name`',
});

const stopSignalKnown = rule<string, unknown, PodContext>({
  code: 'stop-signal-known',
  type: 'NotSupported',
  source: 'G11',
  says: "The stop signal is one of the pod's operating system.",
  refuses: (signal, _lifecycle, { spec }) => {
    const known = signals.get(spec.os?.name ?? '');
    return known !== undefined && !known.includes(signal) && unsupportedMessage(signal, known);
  },
});

/** What a container does after it starts and before it stops. */
export const lifecycle = fields<Lifecycle, PodContext>({
  postStart: handler,
  preStop: handler,
  stopSignal: [stopSignalNeedsOs, stopSignalKnown],
});
