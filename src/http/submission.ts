import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ConversionRequest } from '../domain/conversion.ts';
import { invalidRequest } from '../domain/problem.ts';
import type { IdempotencyKey, JobOperations } from '../jobs/operations.ts';
import { type AcceptedView, acceptedView } from '../wire/accepted.ts';
import { jobPath } from '../wire/addresses.ts';
import { bodyHash } from '../wire/body-hash.ts';
import { type DryRunView, dryRunView } from '../wire/dry-run.ts';
import type { SubmitQuery } from '../wire/queries.ts';
import { queue } from './admission.ts';
import { callerOf } from './caller.ts';

export interface SubmitRoute {
  Body: ConversionRequest;
  Querystring: SubmitQuery;
}

function idempotencyOf(header: string | string[] | undefined, body: ConversionRequest): IdempotencyKey | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header))
    return { key: header, bodyHash: bodyHash(body) };
  throw invalidRequest([
    {
      field: '',
      code: 'INVALID_IDEMPOTENCY_KEY',
      message: 'The header Idempotency-Key must be 1 to 255 visible ASCII characters.',
      fix: 'Send a UUID, a new one for each conversion.',
    },
  ]);
}

/** Queues what the checked body asks for, or tells what would run. */
export async function submit(
  jobs: JobOperations,
  request: FastifyRequest<SubmitRoute>,
  reply: FastifyReply,
): Promise<AcceptedView | DryRunView> {
  const caller = callerOf(request);
  if (request.query.dryRun === 'true') return dryRunView(await jobs.dryRun(caller, request.body));
  const idempotency = idempotencyOf(request.headers['idempotency-key'], request.body);
  return acceptedReply(reply, await queue(request, () => jobs.submit(caller, request.body, idempotency)));
}

/** The 202 of whatever queued a job. */
export function acceptedReply(reply: FastifyReply, job: { readonly jobId: string }): AcceptedView {
  reply.code(202).header('location', jobPath(job.jobId));
  return acceptedView(job);
}
