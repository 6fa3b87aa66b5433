import { z } from 'zod';
import type { Warning } from '../domain/plan.ts';
import { jobId } from './job-id.ts';
import { warnings } from './warning.ts';

export const acceptedSchema = z
  .object({
    jobId,
    status: z.literal('PENDING'),
    message: z.string().meta({ examples: ['The job is queued for processing.'] }),
    warnings: warnings.optional().meta({
      description: 'What is probably a mistake. The job runs anyway. Absent if there are no warnings.',
    }),
  })
  .meta({ id: 'Accepted', description: 'The job is stored and queued.' });

export type AcceptedView = z.infer<typeof acceptedSchema>;

export const acceptedView = (job: {
  readonly jobId: string;
  readonly warnings?: readonly Warning[];
}): AcceptedView => ({
  jobId: job.jobId,
  status: 'PENDING',
  message: 'The job is queued for processing.',
  ...(job.warnings && { warnings: [...job.warnings] }),
});
