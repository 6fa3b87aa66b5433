import { z } from 'zod';
import { jobId } from './job-id.ts';

export const accepted = z
  .object({
    jobId,
    status: z.literal('PENDING'),
    message: z.string().meta({ examples: ['The job is queued for processing.'] }),
  })
  .meta({ id: 'Accepted', description: 'The job is stored and waits for its turn.' });

export type AcceptedView = z.infer<typeof accepted>;

export const acceptedView = (job: { readonly jobId: string }): AcceptedView => ({
  jobId: job.jobId,
  status: 'PENDING',
  message: 'The job is queued for processing.',
});
