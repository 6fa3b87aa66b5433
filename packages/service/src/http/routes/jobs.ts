import { defined } from '@telecine/contract/domain/defined.ts';
import { conversionBody } from '@telecine/contract/wire/conversion.ts';
import { parseJobId } from '@telecine/contract/wire/job-id.ts';
import { changedJobView, MAX_RETRIED } from '@telecine/contract/wire/job-selection.ts';
import { jobView, outputsView } from '@telecine/contract/wire/job-view.ts';
import { metadataOfQuery } from '@telecine/contract/wire/metadata.ts';
import type { JOB_OPERATIONS } from '@telecine/contract/wire/operations/jobs.ts';
import { nextOffset, readCursor, readOffset, writeCursor } from '@telecine/contract/wire/paging.ts';
import { preferredWait } from '@telecine/contract/wire/prefer.ts';
import { requireScope } from '../../auth/scopes.ts';
import { runAdmitted } from '../../jobs/submit/pending-quota.ts';
import { callerOf } from '../auth/authenticate.ts';
import type { HttpDeps } from '../deps.ts';
import type { CountRequest } from '../limits/submission-limit.ts';
import { hangUpSignal, readForReply } from '../server/hang-up.ts';
import { sendBuffers, textBuffers } from '../transfer/reply-pieces.ts';
import { acceptedReply, checkedRun, fileNames, idempotencyOf, isOfBody, withPlanErrors } from './conversions.ts';
import type { Handlers } from './handler.ts';

type JobLists = 'listJobs' | 'changeJobs';

/** @param countSubmission Counts the jobs that are submitted again. */
export const jobListHandlers = (
  { jobs }: HttpDeps,
  countSubmission: CountRequest,
): Handlers<Pick<typeof JOB_OPERATIONS, JobLists>> => ({
  listJobs: async (request, reply) => {
    const { client: clientId, cursor, error, limit, q, status, watch: watchId } = request.query;
    const metadata = metadataOfQuery(request.query);
    const caller = callerOf(request);
    const after = cursor === undefined ? {} : { cursor: readCursor(cursor) };
    const query = { limit, ...defined({ status, clientId, watchId, metadata, error, q }), ...after };
    const text = textBuffers();
    let separator = '{"jobs":[';
    const { nextCursor } = await jobs.listInSteps(caller, query, {
      ...readForReply(request, reply),
      write: (read) => {
        if (read.length === 0) return;
        const views = read.map((job) => jobView(job, caller));
        text.add(separator + JSON.stringify(views).slice(1, -1));
        separator = ',';
      },
    });
    // The cursor needs no JSON escapes.
    const end = nextCursor === undefined ? ']}' : `],"nextCursor":"${writeCursor(nextCursor)}"}`;
    text.add(separator === ',' ? end : separator + end);
    return sendBuffers(reply.type('application/json; charset=utf-8'), text.end());
  },

  changeJobs: async (request, reply) => {
    const caller = callerOf(request);
    const { action, dryRun, client: clientId, cursor, limit: most, ...more } = request.body;
    if (action === 'expire') requireScope(caller, 'files:write');
    // Each retry counts as a submission, so more than a minute allows would always be rejected.
    const perMinute = action === 'retry' ? caller.policy.submissions : undefined;
    const limit = action === 'cancel' ? most : Math.min(most, MAX_RETRIED, perMinute ?? MAX_RETRIED);
    const selection = {
      ...defined({ ...more, clientId }),
      limit,
      ...(cursor !== undefined && { cursor: readCursor(cursor) }),
    };
    const { jobs: selected, nextCursor } = await jobs.select(caller, action, selection);
    if (action === 'retry' && dryRun !== true && selected.length > 0)
      await countSubmission(caller, reply, selected.length);
    const changed =
      dryRun === true
        ? selected.map(({ jobId, clientId: client }) => ({ jobId, clientId: client }))
        : await jobs.change(caller, action, selected, hangUpSignal(reply));
    request.auditFacts = { details: { action, ...defined({ client: clientId, ...more }), jobs: changed.length } };
    return { jobs: changed.map(changedJobView), nextCursor: nextCursor && writeCursor(nextCursor) };
  },
});

export const jobHandlers = ({ jobs, files }: HttpDeps): Handlers<Omit<typeof JOB_OPERATIONS, JobLists>> => ({
  getJob: async (request, reply) => {
    const [caller, jobId] = [callerOf(request), parseJobId(request.params.jobId)];
    const wait = preferredWait(request.headers['prefer']);
    const job = wait && (await jobs.wait(caller, jobId, { ...wait, signal: hangUpSignal(reply) }));
    if (job === undefined) return jobView(await jobs.get(caller, jobId), caller);
    reply.header('preference-applied', `wait=${wait?.seconds}`);
    return jobView(job, caller);
  },

  listOutputs: async (request) => {
    const { limit, cursor } = request.query;
    const [jobId, first] = [parseJobId(request.params.jobId), readOffset(cursor)];
    const { outputs, count } = await jobs.outputs(callerOf(request), jobId, { first, limit });
    return { outputs: outputsView(outputs), outputCount: count, nextCursor: nextOffset(first + limit, count) };
  },

  getJobLog: async (request, reply) => {
    const log = await jobs.log(callerOf(request), parseJobId(request.params.jobId));
    return reply.type('text/plain; charset=utf-8').send(log);
  },

  getJobKey: async (request, reply) => {
    const key = await jobs.key(callerOf(request), parseJobId(request.params.jobId));
    return reply.header('cache-control', 'no-store').type('application/octet-stream').send(Buffer.from(key, 'hex'));
  },

  cancelJob: async (request, reply) => {
    const caller = callerOf(request);
    const job = await jobs.cancel(caller, parseJobId(request.params.jobId));
    reply.code(202);
    return jobView(job, caller);
  },

  retryJob: {
    hooks: {
      errorHandler: async (error, request, reply) => {
        if (!isOfBody(error)) throw error;
        // A job that the caller does not see is unknown, whatever the body.
        const { jobId } = request.params as { readonly jobId: string };
        const retried = await jobs.openRetry(callerOf(request), parseJobId(jobId));
        const hangUp = hangUpSignal(reply);
        throw await withPlanErrors(conversionBody, error, request, (body) =>
          jobs.dryRunRetry(retried, body, hangUp, { onlyPlans: true }),
        );
      },
    },
    handle: async (request, reply) => {
      const { body, query } = request;
      const retried = await jobs.openRetry(callerOf(request), parseJobId(request.params.jobId));
      const { job, owner } = retried;
      // The names of files are for a request that the caller can change.
      const names = body && fileNames(body, { caller: owner, files });
      if (query.dryRun === 'true') {
        const run = jobs.dryRunRetry(retried, body, hangUpSignal(reply));
        return names === undefined ? checkedRun(await run) : names.checked(run);
      }
      const idempotency = idempotencyOf(request.headers['idempotency-key'], { retryOf: job.jobId, request: body });
      const retry = () =>
        jobs.retry(retried, body, { idempotency, completeWarnings: names?.near }).catch(names?.withFiles);
      // Not before the body is read, as for a submission: the room is that of the client of the job.
      return acceptedReply(reply, await runAdmitted(await jobs.admit(owner), retry));
    },
  },

  deleteJob: async (request, reply) => {
    const deletesOutputs = request.query.outputs === 'true';
    if (deletesOutputs) requireScope(callerOf(request), 'files:write');
    await jobs.remove(callerOf(request), parseJobId(request.params.jobId), deletesOutputs);
    if (deletesOutputs) request.auditFacts = { details: { outputs: true } };
    return reply.code(204).send();
  },
});
