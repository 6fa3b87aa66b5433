import { z } from 'zod';
import { batchStateSchema } from './batch.ts';
import { jobSchema } from './job.ts';
import { jobId, watchId } from './job-id.ts';
import type { Shape } from './shape.ts';

const id = z.string().optional();

/** The events of a stream by type. In the stream, `data` is JSON. `id` is absent for events without an id. */
export const liveEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.enum(['snapshot', 'created', 'status', 'ended', 'expired', 'phase', 'progress']),
    id,
    data: jobSchema,
  }),
  z.object({ type: z.literal('deleted'), id, data: z.object({ jobId }) }),
  z.object({ type: z.literal('batch'), id, data: batchStateSchema }),
  z.object({ type: z.literal('watch'), id, data: z.object({ watchId: watchId.optional() }) }),
  z.object({ type: z.enum(['reset', 'ready']), id, data: z.object({}) }),
]);

export type LiveEventView = Shape<typeof liveEventSchema>;

/** The text of a server-sent event without its id. JSON has no line breaks, so the data is one `data` line. */
export const liveEventText = ({ type, data }: Pick<LiveEventView, 'type' | 'data'>): string =>
  `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

/** The line of a stream that tells clients how long to wait before they connect again. */
export const retryText = (ms: number): string => `retry: ${ms}\n\n`;

/** A comment in a stream. Clients ignore comments. */
export const HEARTBEAT_TEXT = ':\n\n';

/** Reads the `Last-Event-ID` of a request. undefined: the header is missing. `NaN`: the id is not from this service. */
export function parseLastEventId(header: string | undefined): number | undefined {
  if (header === undefined || header === '') return undefined;
  return /^\d{1,15}$/.test(header) ? Number(header) : Number.NaN;
}
