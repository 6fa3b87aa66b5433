import type { FastifyInstance } from 'fastify';
import { conversionBody } from '../../wire/conversion.ts';
import { submitQuery } from '../../wire/queries.ts';
import type { HttpDeps } from '../deps.ts';
import { type SubmitRoute, submit } from '../submission.ts';
import type { SubmissionGuard } from '../submission-guard.ts';

export function addSubmit(app: FastifyInstance, deps: HttpDeps, guard: SubmissionGuard): void {
  app.post<SubmitRoute>(
    '/api/conversion',
    { schema: { body: conversionBody, querystring: submitQuery }, onRequest: [...guard] },
    (request, reply) => submit(deps.jobs, request, reply),
  );
}
