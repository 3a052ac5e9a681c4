import type { Clock } from '../base/index.ts';

/** A moment on both clocks of this machine. */
export interface Moment {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

export function momentOf(clock: Clock): Moment {
  return { wallMs: clock.now(), monotonicMs: clock.monotonicMs() };
}

/**
 * Milliseconds since `moment`, by whichever clock says more: the monotonic one stands still while a laptop sleeps, the
 * wall clock may be set back (F4).
 */
export function elapsedMs(clock: Clock, moment: Moment): number {
  return Math.max(clock.monotonicMs() - moment.monotonicMs, clock.now() - moment.wallMs);
}
