import { z } from 'zod';
import { batchStateSchema } from './batch.ts';
import { jobSchema } from './job.ts';
import { jobId } from './job-id.ts';
import type { Shape } from './shape.ts';

const id = z.string().optional();

/** The events of a stream by their types. In the stream, `data` is JSON; `id` is absent if the stream has none for it. */
export const liveEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.enum(['snapshot', 'created', 'status', 'ended', 'expired', 'phase', 'progress']),
    id,
    data: jobSchema,
  }),
  z.object({ type: z.literal('deleted'), id, data: z.object({ jobId }) }),
  z.object({ type: z.literal('batch'), id, data: batchStateSchema }),
  z.object({ type: z.enum(['reset', 'ready']), id, data: z.object({}) }),
]);

export type LiveEventView = Shape<typeof liveEventSchema>;

/** The text of a server-sent event, without its id. JSON has no line breaks, so it takes one `data` line. */
export const liveEventText = ({ type, data }: Pick<LiveEventView, 'type' | 'data'>): string =>
  `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

/** The time after which a client connects again, as a line of a stream. */
export const retryText = (ms: number): string => `retry: ${ms}\n\n`;

/** A comment, which clients ignore. */
export const HEARTBEAT_TEXT = ':\n\n';

/** Reads the `Last-Event-ID` of a request. Undefined without one; `NaN` if it is not one of ours. */
export function parseLastEventId(header: string | undefined): number | undefined {
  if (header === undefined || header === '') return undefined;
  return /^\d{1,15}$/.test(header) ? Number(header) : Number.NaN;
}
