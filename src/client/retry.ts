import type { ClientError } from './client-error.ts';

/** How long a call is tried again, in seconds of waiting in all. */
export interface Patience {
  /** While the service says that it is busy (429, 503). */
  readonly busySeconds: number;
  /** While it cannot be reached. */
  readonly lostSeconds: number;
}

/** One call so far. */
export interface Tried {
  /** Failed tries, from 1. */
  readonly tries: number;
  readonly waitedSeconds: number;
  /** Sending it twice is the same as sending it once: then it is also repeated when its reply was lost. */
  readonly repeatable: boolean;
}

export const PATIENCE: Patience = { busySeconds: 30, lostSeconds: 3 };

const FIRST_SECONDS = 0.2;
const MOST_SECONDS = 5;

/** Refused before anything was done, so any call may be sent again. */
const BUSY: ReadonlySet<number | undefined> = new Set([429, 503]);
/** A proxy's word for a service that did not answer: what became of the call is not known. */
const LOST: ReadonlySet<number | undefined> = new Set([502, 504]);

/** Seconds to wait before the next try; undefined: there is none. */
export function pauseBefore(fault: ClientError, tried: Tried, patience: Patience): number | undefined {
  const { tries, waitedSeconds, repeatable } = tried;
  const pause = Math.min(FIRST_SECONDS * 2 ** (tries - 1), MOST_SECONDS);
  const within = (seconds: number, most: number): number | undefined =>
    waitedSeconds + seconds <= most ? seconds : undefined;
  if (BUSY.has(fault.status)) return within(fault.retryAfterSeconds ?? pause, patience.busySeconds);
  const lost = fault.kind === 'unreachable' || LOST.has(fault.status);
  return lost && (repeatable || neverSent(fault)) ? within(pause, patience.lostSeconds) : undefined;
}

/** The connection was refused, so nothing was sent over it. */
function neverSent({ cause }: ClientError): boolean {
  const inner = cause instanceof Error && cause.cause !== undefined ? cause.cause : cause;
  return inner instanceof Error && 'code' in inner && inner.code === 'ECONNREFUSED';
}
