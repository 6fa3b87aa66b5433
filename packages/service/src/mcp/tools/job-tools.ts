import { nameOfInput } from '@telecine/contract/domain/conversion.ts';
import { defined, pick } from '@telecine/contract/domain/defined.ts';
import { firstIdAt } from '@telecine/contract/domain/id-order.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import { relativeToRoot } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { MAX_CALL_WAIT_SECONDS } from '@telecine/contract/domain/quantity.ts';
import { requestAsSent } from '@telecine/contract/domain/sent-request.ts';
import { hideUrlSecrets } from '@telecine/contract/domain/url-input.ts';
import { jobStatus } from '@telecine/contract/wire/job.ts';
import { batchId, jobId } from '@telecine/contract/wire/job-id.ts';
import { searchText } from '@telecine/contract/wire/job-search.ts';
import { jobView } from '@telecine/contract/wire/job-view.ts';
import { metadata } from '@telecine/contract/wire/metadata.ts';
import { cursor, readCursor, writeCursor } from '@telecine/contract/wire/paging.ts';
import { z } from 'zod';
import type { JobSelection } from '../../jobs/job-waits.ts';
import { MAX_JOBS_PER_WAIT } from '../../jobs/job-waits.ts';
import { jobResult, summarizeJob, UNTRUSTED_NOTE } from '../results/job-summary.ts';
import { jobLine, jobsResult } from '../results/jobs-result.ts';
import { measuredPage } from '../results/short-measurements.ts';
import { defineTool, type ToolContext, type ToolOutput } from '../tool.ts';
import { toolsOf } from '../tool-names.ts';

const time = z.iso.datetime();

const rowOf = (job: Job) => {
  const view = jobView(job);
  return {
    ...pick(view, ['jobId', 'status', 'progress', 'output']),
    input: inputNames(requestAsSent(job.request))[0],
    recipe: job.request.preset?.name,
    requestedOutputs: view.requestedOutputs?.map(({ output }) => ({ output })),
    ...pick(view, ['metadata', 'createdAt', 'completedAt']),
  };
};

export const listJobsTool = defineTool({
  name: 'list_jobs',
  title: 'List conversion jobs',
  description:
    'Lists your conversions, newest first, in pages: id, status, progress, input, recipe, output and metadata of each. Use it to ' +
    'find a job without its id. A page of a search may be empty and have a "nextCursor".',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  answersAtOnce: () => true,
  input: z.strictObject({
    status: jobStatus.exactOptional().meta({ description: '' }),
    from: time.exactOptional().meta({ description: 'Only jobs since then: "2026-01-31T00:00:00Z".' }),
    to: time.exactOptional().meta({ description: 'Only jobs before then.' }),
    input: z.string().min(1).max(4096).exactOptional().meta({ description: 'Only jobs with this input.' }),
    recipe: z.string().min(1).max(64).exactOptional().meta({ description: 'Only jobs with this recipe.' }),
    metadata: metadata.exactOptional().meta({ description: 'Only jobs with all these values: {"order": "A-1042"}.' }),
    q: searchText
      .exactOptional()
      .meta({ description: 'Only jobs that have all these words in a path, name or error.' }),
    limit: z.int().min(1).max(50).default(20),
    cursor: z.string().max(200).exactOptional().meta({ description: 'The "nextCursor" of the previous page.' }),
  }),
  run: async (
    { status: onlyStatus, metadata: selected, q, from, to, input, recipe, limit, cursor },
    { deps, call },
  ) => {
    // The search narrows the jobs, and the filter below is exact.
    const path = input && hideUrlSecrets(relativeToRoot(input));
    const words = [q, ...[path, recipe].map((one) => one && `"${one.replaceAll('"', '" "')}"`)]
      .filter(Boolean)
      .join(' ');
    const before = cursor === undefined ? to && firstIdAt(to) : readCursor(cursor);
    const page = await deps.jobs.list(call.caller, {
      limit,
      ...defined({ status: onlyStatus, cursor: before }),
      ...(words !== '' && { q: words }),
      ...(selected !== undefined && Object.keys(selected).length > 0 && { metadata: selected }),
    });
    const first = from === undefined ? '' : firstIdAt(from);
    const jobs = page.jobs.filter(
      ({ jobId: id, request }) =>
        id >= first &&
        (recipe === undefined || request.preset?.name === recipe) &&
        (path === undefined || inputNames(request).includes(path)),
    );
    const next = page.nextCursor !== undefined && page.nextCursor >= first ? page.nextCursor : undefined;
    return {
      structured: {
        jobs: jobs.map(rowOf),
        ...(next !== undefined && { nextCursor: writeCursor(next) }),
        note: UNTRUSTED_NOTE,
      },
    };
  },
});

/** The paths of inputs, and URLs without secrets. */
const inputNames = ({ input, inputs = [input ?? ''] }: Job['request']): readonly string[] =>
  inputs.map((one) => hideUrlSecrets(relativeToRoot(nameOfInput(one))));

const cancelInput = z
  .strictObject({ jobId: jobId.exactOptional(), jobIds: z.array(jobId).min(1).max(MAX_JOBS_PER_WAIT).exactOptional() })
  .superRefine((args, { addIssue }) => {
    if (args.jobId === undefined && args.jobIds === undefined)
      addIssue({ code: 'invalid_type', expected: 'string', path: ['jobId'], input: undefined });
    if (args.jobId !== undefined && args.jobIds !== undefined)
      addIssue({
        code: 'custom',
        path: ['jobIds'],
        message: '"jobIds" and "jobId" both select jobs. Send one of them.',
        params: { code: 'CONFLICT' },
      });
  });

export const cancelJobTool = defineTool({
  name: 'cancel_job',
  title: 'Cancel conversion jobs',
  description: (has) =>
    'Cancels a queued or running conversion, or several. It then has no output; this cannot be undone. A queued job ' +
    `is CANCELLED at once, a running one a moment later${has('wait_for_job') ? ': call wait_for_job' : ''}. For one that is ` +
    'finished, the error is JOB_FINISHED.',
  audit: 'job.cancel',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: cancelInput,
  argumentTexts: { jobId: '' },
  run: async ({ jobId: one, jobIds: several = [] }, context) => {
    const { deps, call } = context;
    const has = toolsOf(call.caller);
    if (one !== undefined) return { structured: summarizeJob(await cancel(one, context), { has, withRequest: false }) };
    // Read all jobs first. If one id is unknown, the call is probably wrong as a whole, so nothing is cancelled.
    const ids = [...new Set(several)];
    for (const id of ids) await deps.jobs.get(call.caller, id);
    const lines = [];
    for (const id of ids) lines.push(jobLine(await cancelIfRunning(id, context), has, deps.shownWarnings));
    const running = lines.filter(({ line }) => line.status === 'PENDING' || line.status === 'PROCESSING').length;
    return jobsResult({ jobs: lines, running, hasMore: false });
  },
});

async function cancel(id: string, { deps, call }: ToolContext): Promise<Job> {
  const job = await deps.jobs.cancel(call.caller, id);
  await call.audit('job.cancel', { target: id });
  return job;
}

/** Cancels a job and returns it. If it has already finished, returns it unchanged. */
async function cancelIfRunning(id: string, context: ToolContext): Promise<Job> {
  try {
    return await cancel(id, context);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'JOB_FINISHED') throw error;
    return context.deps.jobs.get(context.call.caller, id);
  }
}

/** The arguments that select the jobs to wait for. Exactly one of them must be sent. */
const SELECTIONS = ['jobId', 'jobIds', 'batchId', 'metadata'] as const;

const waitInput = z
  .strictObject({
    jobId: jobId.exactOptional(),
    jobIds: z.array(jobId).min(1).max(MAX_JOBS_PER_WAIT).exactOptional(),
    batchId: batchId.exactOptional(),
    metadata: metadata.exactOptional(),
    timeoutSeconds: z.int().min(0).max(MAX_CALL_WAIT_SECONDS).default(45),
    cursor: cursor(50),
  })
  .superRefine((args, { addIssue }) => {
    const [first, second] = SELECTIONS.filter((name) => args[name] !== undefined);
    if (args.metadata !== undefined && Object.keys(args.metadata).length === 0)
      addIssue({
        code: 'custom',
        path: ['metadata'],
        message: '"metadata" is empty, so it selects no jobs.',
        params: { code: 'EMPTY' },
      });
    if (first === undefined) addIssue({ code: 'invalid_type', expected: 'string', path: ['jobId'], input: undefined });
    if (second !== undefined)
      addIssue({
        code: 'custom',
        path: [second],
        message: `"${second}" and "${first}" both select jobs. Send one of ${SELECTIONS.map((one) => `"${one}"`).join(', ')}.`,
        params: { code: 'CONFLICT' },
      });
  });

export const waitForJobTool = defineTool({
  name: 'wait_for_job',
  title: 'Wait for a conversion job',
  description:
    `Waits until a conversion is finished, at most ${MAX_CALL_WAIT_SECONDS} seconds, and returns its status, outputs with links, which ` +
    'expire, or its error with the fix. While it is PENDING or PROCESSING, call again; the conversion continues whether ' +
    'you wait or not. For several, send "jobIds", "batchId" or "metadata". "timeoutSeconds": 0 returns at once, with the ' +
    'request, all warnings and new links.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: waitInput,
  argumentTexts: { jobId: '', batchId: '', metadata: '', cursor: '"nextCursor" of a measured list.' },
  answersAtOnce: ({ jobId: one, timeoutSeconds }) => one !== undefined && timeoutSeconds === 0,
  run: async (
    { timeoutSeconds: seconds, jobId: one, jobIds, batchId: batch, metadata: values, cursor: from },
    context,
  ) => {
    const { deps, call } = context;
    if (one !== undefined && from !== undefined) return { structured: await measuredPage(context, one, from) };
    if (one !== undefined && seconds === 0)
      return jobResult(await deps.jobs.get(call.caller, one), context, { withRequest: true });
    if (one !== undefined)
      return jobResult(started(await waitForEnd(one, seconds, context)), context, { mostLinks: 1 });
    const selection = defined({ jobIds, batchId: batch, metadata: values }) as JobSelection;
    return started(await waitForEnds(selection, seconds, context));
  },
});

/**
 * Waits until the job has finished, the time is over, or the client cancels the call. Returns the job. undefined: too
 * many calls wait.
 */
export async function waitForEnd(
  id: string,
  seconds: number,
  { deps, call, signal, progress }: ToolContext,
): Promise<Job | undefined> {
  let reported = -1;
  const reportProgress = async (job: Job): Promise<void> => {
    const { progress: percent = 0, message } = jobView(job);
    if (percent <= reported) return;
    reported = percent;
    await progress?.(percent, message);
  };
  const onChange = progress && reportProgress;
  return deps.jobs.wait(call.caller, id, { seconds, signal, until: 'end', onChange });
}

/** Waits for several jobs like `waitForEnd`. Reports how many have finished as progress. */
export async function waitForEnds(
  selection: JobSelection,
  seconds: number,
  context: ToolContext,
): Promise<ToolOutput | undefined> {
  const { deps, call, signal, progress } = context;
  const has = toolsOf(call.caller);
  let reported = -1;
  const reportProgress = async (ended: number, all: number): Promise<void> => {
    if (ended === reported) return;
    reported = ended;
    await progress?.((100 * ended) / Math.max(1, all), `${ended} of ${all} jobs have ended.`);
  };
  const onEnd = progress && reportProgress;
  const keep = (job: Job) => jobLine(job, has, deps.shownWarnings);
  const waited = await deps.jobs.waitForAll(call.caller, selection, { seconds, signal, keep, onEnd });
  return waited && jobsResult(waited);
}

/** Returns the result of a wait. Throws RATE_LIMITED if the wait could not start. */
function started<T>(result: T | undefined): T {
  if (result !== undefined) return result;
  throw new Problem('RATE_LIMITED', 'Too many calls of wait_for_job are waiting. Wait for one of them to return.', {
    retryAfterSeconds: 5,
  });
}
