import { z } from 'zod';
import type { Job } from '../../domain/job.ts';
import { readCursor, writeCursor } from '../../wire/cursor.ts';
import { jobStatus, jobSchema as wireJob } from '../../wire/job.ts';
import { jobView } from '../../wire/job-view.ts';
import { UNTRUSTED_NOTE } from '../results/job-summary.ts';
import { defineTool } from '../tool.ts';

const { jobId, status, message, progress, output, llmId, createdAt, completedAt } = wireJob.shape;
const row = z.object({ jobId, status, message, progress, output, llmId, createdAt, completedAt });

function rowOf(job: Job): z.infer<typeof row> {
  const view = jobView(job);
  return {
    jobId: view.jobId,
    status: view.status,
    message: view.message,
    progress: view.progress,
    output: view.output,
    llmId: view.llmId,
    createdAt: view.createdAt,
    completedAt: view.completedAt,
  };
}

export const listJobs = defineTool({
  name: 'list_jobs',
  title: 'List conversion jobs',
  description:
    'Your conversions, newest first, a page at a time: id, status, progress and output of each. Use it to find a job ' +
    'whose id you do not have; get_job tells all of one.',
  scopes: ['jobs:read'],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    status: jobStatus.exactOptional().meta({ description: 'Only jobs of this status. Left out: all.' }),
    limit: z.int().min(1).max(50).default(20).meta({ description: 'Jobs on one page.' }),
    cursor: z.string().max(200).exactOptional().meta({ description: '"nextCursor" of the page before.' }),
  }),
  output: z.object({
    jobs: z.array(row),
    nextCursor: z.string().optional().meta({ description: 'Send as "cursor" for the next page; absent on the last.' }),
    note: z.string().meta({ description: 'How to take the texts in this answer.' }),
  }),
  run: async ({ status: only, limit, cursor }, { deps, call }) => {
    const page = await deps.jobs.list(call.caller, {
      limit,
      ...(only !== undefined && { status: only }),
      ...(cursor !== undefined && { cursor: readCursor(cursor) }),
    });
    return {
      structured: {
        jobs: page.jobs.map(rowOf),
        ...(page.nextCursor !== undefined && { nextCursor: writeCursor(page.nextCursor) }),
        note: UNTRUSTED_NOTE,
      },
    };
  },
});
