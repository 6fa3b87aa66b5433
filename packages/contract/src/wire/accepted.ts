import { z } from 'zod';
import type { Job } from '../domain/job.ts';
import { jobId, waitingFor } from './job-id.ts';
import type { Shape } from './shape.ts';
import { warnings, warningViews } from './warning.ts';

export const acceptedSchema = z
  .object({
    jobId,
    status: z.literal('PENDING'),
    message: z.string().meta({ examples: ['The job is queued for processing.'] }),
    waitingFor: waitingFor.optional(),
    warnings: warnings.optional().meta({
      description: 'Probable mistakes. The job runs all the same. Absent without warnings.',
    }),
  })
  .meta({ id: 'Accepted', description: 'The job is stored and queued.' });

export type AcceptedView = Shape<typeof acceptedSchema>;

export const acceptedView = (job: Pick<Job, 'jobId' | 'waitingFor' | 'warnings'>): AcceptedView => ({
  jobId: job.jobId,
  status: 'PENDING',
  message: job.waitingFor === undefined ? 'The job is queued for processing.' : waitingMessage(job.waitingFor),
  ...(job.waitingFor && { waitingFor: job.waitingFor }),
  ...(job.warnings && { warnings: warningViews(job.warnings) }),
});

/** The message for a job that waits for other jobs. It begins with the sentence that every accepted job gets. */
export const waitingMessage = (waitingFor: readonly string[]): string =>
  `The job is queued for processing. It starts when ${waitingFor.length === 1 ? `job ${waitingFor[0]} is` : `${waitingFor.length} other jobs are`} complete.`;
