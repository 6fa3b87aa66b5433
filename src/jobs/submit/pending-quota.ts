import type { Caller } from '../../domain/client.ts';
import { Problem } from '../../domain/problem.ts';
import type { Admission } from '../operations.ts';
import type { JobStore } from '../ports.ts';

/** Caps on waiting jobs. */
export interface PendingLimits {
  readonly pendingPerClient: number;
  readonly pendingInAll: number;
}

/** One line of waiting jobs: a client's, or that of all. */
interface Line {
  readonly cap: number;
  /** As counted in the store. */
  stored: number;
  countedAt: number;
  /** Became jobs since the count began, and perhaps are in it all the same. */
  since: number;
  /** Let in, and not yet known to be a job or not. */
  inFlight: number;
  /** The count that is under way, which all who need one wait for. */
  counting: Promise<void> | undefined;
}

/** A count serves for so long: jobs leave the line meanwhile. */
const FRESH_MS = 1000;
/** At the cap it is taken again sooner, so that a line that got shorter is noticed. */
const FRESH_AT_CAP_MS = 50;
/** Lines that are remembered; one forgotten is counted anew. */
const REMEMBERED = 10_000;

/**
 * Refuses submissions while too many jobs wait. Counting up to the cap takes milliseconds, so a count is kept
 * and what this process let in is added to it: one process never exceeds a cap; several may, by what they
 * let in within a second. `limits` undefined: no caps.
 */
export function pendingQuota(
  deps: { readonly jobs: Pick<JobStore, 'countPending'>; readonly now: () => Date },
  limits: PendingLimits | undefined,
): (caller: Pick<Caller, 'clientId'>) => Admission | Promise<Admission> {
  if (limits === undefined) return () => ({ release: () => {} });
  const lines = new Map<string | undefined, Line>();

  const lineOf = (clientId: string | undefined): Line => {
    const known = lines.get(clientId);
    if (known !== undefined) return known;
    const cap = clientId === undefined ? limits.pendingInAll : limits.pendingPerClient;
    const fresh: Line = {
      cap,
      stored: 0,
      countedAt: Number.NEGATIVE_INFINITY,
      since: 0,
      inFlight: 0,
      counting: undefined,
    };
    if (lines.size >= REMEMBERED) forgetOldest(lines);
    lines.set(clientId, fresh);
    return fresh;
  };
  const count = async (clientId: string | undefined, line: Line): Promise<void> => {
    // Only these are certainly in the count: what is stored while it runs is in it or not, and counted apart.
    const before = line.since;
    line.stored = await deps.jobs.countPending(clientId, line.cap);
    line.since -= before;
    line.countedAt = deps.now().getTime();
  };
  const recount = (clientId: string | undefined, line: Line): Promise<void> => {
    line.counting ??= count(clientId, line).finally(() => {
      line.counting = undefined;
    });
    return line.counting;
  };
  const isStale = (counted: Line): boolean =>
    deps.now().getTime() - counted.countedAt >= (isFull(counted) ? FRESH_AT_CAP_MS : FRESH_MS);

  const enter = (own: Line, all: Line): Admission => {
    if (isFull(own)) throw tooMany(`You have ${own.cap} jobs waiting, which is all that one client may have.`);
    if (isFull(all)) throw tooMany(`The service has ${all.cap} jobs waiting, which is all that it takes.`);
    own.inFlight += 1;
    all.inFlight += 1;
    return {
      release: (accepted) => {
        for (const line of [own, all]) {
          line.inFlight -= 1;
          if (accepted) line.since += 1;
        }
      },
    };
  };

  return ({ clientId }) => {
    const own = lineOf(clientId);
    const all = lineOf(undefined);
    if (!isStale(own) && !isStale(all)) return enter(own, all);
    const counts = [
      ...(isStale(own) ? [recount(clientId, own)] : []),
      ...(isStale(all) ? [recount(undefined, all)] : []),
    ];
    return Promise.all(counts).then(() => enter(own, all));
  };
}

const isFull = (counted: Line): boolean => counted.stored + counted.since + counted.inFlight >= counted.cap;

/** Never the line of all, which is the first; nor one that a request holds or waits for: it would have a second. */
function forgetOldest(lines: Map<string | undefined, Line>): void {
  for (const [clientId, counted] of lines)
    if (clientId !== undefined && counted.inFlight === 0 && counted.counting === undefined) {
      lines.delete(clientId);
      return;
    }
}

const tooMany = (what: string): Problem =>
  new Problem('TOO_MANY_PENDING', `${what} Submit again when some of them have run.`, { retryAfterSeconds: 5 });
