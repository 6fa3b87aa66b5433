import { z } from 'zod';
import { jobId } from './job-id.ts';

export const acceptedSchema = z
  .object({
    jobId,
    status: z.literal('PENDING'),
    message: z.string().meta({ examples: ['The job is queued for processing.'] }),
  })
  .meta({ id: 'Accepted', description: 'The job is stored and queued.' });

export type AcceptedView = z.infer<typeof acceptedSchema>;

export const acceptedView = (job: { readonly jobId: string }): AcceptedView => ({
  jobId: job.jobId,
  status: 'PENDING',
  message: 'The job is queued for processing.',
});
