import { z } from 'zod';
import { FAILURE_CODES } from '../domain/failure.ts';
import { type ChangedJob, JOB_ACTIONS, type JobAction, MAX_CHANGED } from '../domain/job-selection.ts';
import { text } from './described-schemas.ts';
import { jobStatus } from './job.ts';
import { jobId } from './job-id.ts';
import { cursor, nextCursor } from './paging.ts';

/** The most jobs that one request submits again, as many as a batch has, or expires. */
export const MAX_RETRIED = 100;

export const ofClient = text('Only jobs of this client. Another client needs the scope `admin`.')
  .max(64)
  .exactOptional();

export const withError = z
  .enum(FAILURE_CODES)
  .exactOptional()
  .meta({ description: 'Only jobs whose error has this code.' });

const actions = Object.keys(JOB_ACTIONS) as [JobAction, ...JobAction[]];

export const jobChangesBody = z.strictObject({
  action: z.enum(actions).meta({
    description:
      '`cancel`: queued jobs end at once, running ones soon. `retry`: submits each job that has failed (or, with that `status`, was ' +
      'cancelled) again, unless it was already. `expire`: removes the outputs of complete jobs within some minutes, as at the end of ' +
      '`expiresAfterSeconds`.',
  }),
  status: jobStatus.exactOptional().meta({ description: 'Only jobs with this status.' }),
  client: ofClient,
  error: withError,
  from: z.iso.datetime().exactOptional().meta({ description: 'Only jobs that were created from this time on.' }),
  to: z.iso.datetime().exactOptional().meta({ description: 'Only jobs that were created before this time.' }),
  limit: z.int().min(1).max(MAX_CHANGED).default(MAX_RETRIED).meta({ description: 'The most jobs of this request.' }),
  cursor: cursor(),
  dryRun: z.boolean().exactOptional().meta({ description: '`true`: only list the jobs.' }),
});

export const jobChangesSchema = z.object({
  jobs: z.array(
    z.object({
      jobId,
      client: z.string(),
      retriedAs: jobId.optional().meta({ description: 'The new job of a retry.' }),
      error: z
        .object({ code: z.string(), message: z.string() })
        .optional()
        .meta({ description: 'Why nothing was done with this job.' }),
    }),
  ),
  nextCursor,
});

export const changedJobView = ({ clientId, ...job }: ChangedJob) => ({ ...job, client: clientId });
