import { MAX_LISTED } from '@telecine/contract/domain/analysis.ts';
import { isFinished } from '@telecine/contract/domain/states.ts';
import { parseMeasuredList, toConversionRequest } from '@telecine/contract/wire/analysis.ts';
import { parseJobId } from '@telecine/contract/wire/job-id.ts';
import { jobView } from '@telecine/contract/wire/job-view.ts';
import type { ANALYSIS_OPERATIONS, PROBE_OPERATIONS } from '@telecine/contract/wire/operations/analysis.ts';
import { nextOffset, readOffset } from '@telecine/contract/wire/paging.ts';
import { preferredWait } from '@telecine/contract/wire/prefer.ts';
import { filesNearProbe } from '../../files/near-inputs.ts';
import { callerOf } from '../auth/authenticate.ts';
import type { HttpDeps } from '../deps.ts';
import { withAdmission } from '../limits/admission.ts';
import { hangUpSignal } from '../server/hang-up.ts';
import { acceptedReply, idempotencyOf } from './conversions.ts';
import type { Handlers } from './handler.ts';

export const analysisHandlers = ({ jobs }: HttpDeps): Handlers<typeof ANALYSIS_OPERATIONS> => ({
  analyzeFile: async (request, reply) => {
    const caller = callerOf(request);
    const idempotency = idempotencyOf(request.headers['idempotency-key'], request.body);
    const analysis = toConversionRequest(request.body);
    const accepted = await withAdmission(request, () => jobs.submit(caller, analysis, idempotency));
    const body = acceptedReply(reply, accepted);
    const wait = preferredWait(request.headers['prefer']);
    const options = wait && { ...wait, until: 'end' as const, signal: hangUpSignal(reply) };
    const job = options && (await jobs.wait(caller, accepted.jobId, options));
    if (job === undefined || !isFinished(job.status)) return body;
    reply.code(200).header('preference-applied', `wait=${options?.seconds}`);
    return jobView(job, caller);
  },

  listMeasured: async (request) => {
    const { limit, cursor } = request.query;
    const { params } = request;
    const [jobId, list, first] = [parseJobId(params.jobId), parseMeasuredList(params.list), readOffset(cursor)];
    const { entries, count } = await jobs.measured(callerOf(request), jobId, { list, first, limit });
    // A job of an older version can have stored fewer entries than its `count`.
    const next = entries.length < limit ? undefined : nextOffset(first + limit, Math.min(count, MAX_LISTED));
    return { list, count, entries, nextCursor: next };
  },
});

export const probeHandlers = ({ probes, files }: HttpDeps): Handlers<typeof PROBE_OPERATIONS> => ({
  probeFile: (request, reply) => {
    const [caller, { body }] = [callerOf(request), request];
    return probes.probe(caller, body, hangUpSignal(reply)).catch(async (error: unknown) => {
      throw await filesNearProbe(error, body.input, { caller, files });
    });
  },
});
