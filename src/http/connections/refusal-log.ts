import type { HttpDeps } from '../deps.ts';
import type { Refusal } from './connection-table.ts';

/** An attack would fill the log otherwise. */
const PAUSE_MS = 60_000;

/** Counts refusals, and logs their number by reason, at most once a minute. */
export function refusalLog(
  { logger, metrics }: Pick<HttpDeps, 'logger' | 'metrics'>,
  now: () => number = performance.now.bind(performance),
): (why: Refusal) => void {
  let counts: Partial<Record<Refusal, number>> = {};
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (why) => {
    metrics.countRefusal(why);
    counts[why] = (counts[why] ?? 0) + 1;
    if (now() - loggedAt < PAUSE_MS) return;
    logger.warn({ refused: counts }, 'connections or requests refused');
    loggedAt = now();
    counts = {};
  };
}
