import { z } from 'zod';
import type { Job } from '../../domain/job.ts';
import { readCursor, writeCursor } from '../../wire/cursor.ts';
import { jobStatus, jobSchema as wireJob } from '../../wire/job.ts';
import { jobView } from '../../wire/job-view.ts';
import { metadata as metadataOfJob } from '../../wire/metadata.ts';
import { UNTRUSTED_NOTE } from '../results/job-summary.ts';
import { defineTool } from '../tool.ts';

const { jobId, status, progress, output, requestedOutputs, metadata, createdAt, completedAt } = wireJob.shape;
const row = z.object({
  jobId,
  status,
  progress,
  output,
  requestedOutputs,
  metadata,
  createdAt,
  completedAt,
});

function rowOf(job: Job): z.infer<typeof row> {
  const view = jobView(job);
  return {
    jobId: view.jobId,
    status: view.status,
    progress: view.progress,
    output: view.output,
    requestedOutputs: view.requestedOutputs?.map(({ output: path }) => ({ output: path })),
    metadata: view.metadata,
    createdAt: view.createdAt,
    completedAt: view.completedAt,
  };
}

export const listJobsTool = defineTool({
  name: 'list_jobs',
  title: 'List conversion jobs',
  description:
    'Lists your conversions, newest first, in pages: id, status, progress, output and metadata of each. Use it to ' +
    'find a job without its id; get_job returns the request too.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  answersAtOnce: true,
  input: z.strictObject({
    status: jobStatus.exactOptional().meta({ description: 'Default: all.' }),
    metadata: metadataOfJob
      .exactOptional()
      .meta({ description: 'Only jobs with all these values: {"order": "A-1042"}.' }),
    limit: z.int().min(1).max(50).default(20),
    cursor: z.string().max(200).exactOptional().meta({ description: 'The "nextCursor" of the previous page.' }),
  }),
  output: z.object({
    jobs: z.array(z.object({ jobId, status })),
    nextCursor: z.string().optional(),
  }),
  run: async ({ status: onlyStatus, metadata: selected, limit, cursor }, { deps, call }) => {
    const page = await deps.jobs.list(call.caller, {
      limit,
      ...(onlyStatus !== undefined && { status: onlyStatus }),
      ...(selected !== undefined && Object.keys(selected).length > 0 && { metadata: selected }),
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
