import type { QueueHistory } from '@telecine/client';
import { SPANS, type Span } from './history-span.ts';

/** With fewer points that have jobs, a plot shows no more than a number would. */
const MIN_POINTS = 4;

type Point = QueueHistory['points'][number];

interface Points {
  readonly points: readonly Pick<Point, 'accepted' | 'completed' | 'failed' | 'cancelled'>[];
}

const pointsWithJobs = ({ points }: Points): number =>
  points.filter(({ accepted, completed, failed, cancelled }) => accepted + completed + failed + cancelled > 0).length;

/**
 * The span that a history opens with: the shortest one whose plots have a shape, or else the shortest one with any job. `read`: reads the
 * history of a span.
 */
export async function firstSpan(read: (span: Span) => Promise<Points>): Promise<Span> {
  let withJobs: Span | undefined;
  for (const span of SPANS) {
    const count = pointsWithJobs(await read(span));
    if (count >= MIN_POINTS) return span;
    if (count > 0) withJobs ??= span;
  }
  return withJobs ?? 'hour';
}
