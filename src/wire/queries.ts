import { z } from 'zod';
import { jobStatus } from './job.ts';

const flag = (description: string) => z.enum(['true', 'false']).exactOptional().meta({ description });

/** Query of `POST /api/conversion`. */
export const submitQuery = z.strictObject({
  dryRun: flag('`true`: answer with what would run, and queue nothing.'),
});

/** Query of `GET /api/conversion`. */
export const listQuery = z.strictObject({
  status: jobStatus.exactOptional().meta({ description: 'Only jobs of this status.' }),
  limit: z.coerce.number().int().min(1).max(200).default(50).meta({ description: 'Jobs on one page.' }),
  cursor: z.string().max(200).exactOptional().meta({ description: '`nextCursor` of the page before.' }),
});

/** Query of `DELETE /api/conversion/{jobId}`. */
export const removeQuery = z.strictObject({
  outputs: flag("`true`: delete the job's files in the media root too."),
});

/** Query of operations that have none. */
export const noQuery = z.strictObject({});

export type SubmitQuery = z.infer<typeof submitQuery>;
export type ListQuery = z.infer<typeof listQuery>;
export type RemoveQuery = z.infer<typeof removeQuery>;
