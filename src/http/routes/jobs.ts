import type { FastifyInstance } from 'fastify';
import { requireScope } from '../../auth/scopes.ts';
import { readCursor, writeCursor } from '../../wire/cursor.ts';
import type { JobListView } from '../../wire/job.ts';
import { jobView } from '../../wire/job-view.ts';
import { type ListQuery, listQuery, noQuery, type RemoveQuery, removeQuery } from '../../wire/queries.ts';
import { queue } from '../admission.ts';
import { authenticate, callerOf } from '../caller.ts';
import type { HttpDeps } from '../deps.ts';
import { hangUpSignal } from '../hang-up.ts';
import { type JobRoute, jobIdOf } from '../job-route.ts';
import { preferredWait } from '../prefer.ts';
import { acceptedReply } from '../submission.ts';
import type { SubmissionGuard } from '../submission-guard.ts';

export function addJobs(app: FastifyInstance, deps: HttpDeps, guard: SubmissionGuard): void {
  const { jobs, tokens } = deps;
  const reads = { schema: { querystring: noQuery }, onRequest: authenticate(tokens, 'jobs:read') };
  const writes = { schema: { querystring: noQuery }, onRequest: authenticate(tokens, 'jobs:write') };

  app.get<{ Querystring: ListQuery }>(
    '/api/conversion',
    { ...reads, schema: { querystring: listQuery } },
    async (request): Promise<JobListView> => {
      const { cursor, ...query } = request.query;
      const before = cursor === undefined ? {} : { cursor: readCursor(cursor) };
      const page = await jobs.list(callerOf(request), { ...query, ...before });
      return {
        jobs: page.jobs.map(jobView),
        nextCursor: page.nextCursor === undefined ? undefined : writeCursor(page.nextCursor),
      };
    },
  );

  app.get<JobRoute>('/api/conversion/:jobId', reads, async (request, reply) => {
    const [caller, jobId] = [callerOf(request), jobIdOf(request)];
    const wait = preferredWait(request.headers['prefer']);
    const job = wait && (await jobs.wait(caller, jobId, { ...wait, signal: hangUpSignal(reply) }));
    if (job === undefined) return jobView(await jobs.get(caller, jobId));
    reply.header('preference-applied', `wait=${wait?.seconds}`);
    return jobView(job);
  });

  app.get<JobRoute>('/api/conversion/:jobId/log', reads, async (request, reply) => {
    const log = await jobs.log(callerOf(request), jobIdOf(request));
    return reply.type('text/plain; charset=utf-8').send(log);
  });

  app.post<JobRoute>('/api/conversion/:jobId/cancel', writes, async (request, reply) => {
    const job = await jobs.cancel(callerOf(request), jobIdOf(request));
    reply.code(202);
    return jobView(job);
  });

  app.post<JobRoute>('/api/conversion/:jobId/retry', { ...writes, onRequest: [...guard] }, async (request, reply) =>
    acceptedReply(reply, await queue(request, () => jobs.retry(callerOf(request), jobIdOf(request)))),
  );

  app.delete<JobRoute & { Querystring: RemoveQuery }>(
    '/api/conversion/:jobId',
    { ...writes, schema: { querystring: removeQuery } },
    async (request, reply) => {
      const outputs = request.query.outputs === 'true';
      if (outputs) requireScope(callerOf(request), 'files:write');
      await jobs.remove(callerOf(request), jobIdOf(request), outputs);
      return reply.code(204).send();
    },
  );
}
