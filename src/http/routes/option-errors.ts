import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ConversionRequest } from '../../domain/conversion.ts';
import { invalidRequest, Problem } from '../../domain/problem.ts';
import type { JobOperations } from '../../jobs/job-operations.ts';
import { allErrors } from '../../wire/all-errors.ts';
import { callerOf } from '../auth/authenticate.ts';
import { hangUpSignal } from '../server/hang-up.ts';

/**
 * Returns the error of a route of conversions. If the schema rejects the body, it also has the errors that the planner finds
 * in the rest of the body.
 */
export async function withOptionErrors(
  jobs: Pick<JobOperations, 'dryRun'>,
  schema: z.ZodType<ConversionRequest>,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  if (!isOfBody(error)) return error;
  const hangUp = hangUpSignal(reply);
  // Its result is not used.
  const plan = (body: ConversionRequest): Promise<unknown> =>
    jobs.dryRun(callerOf(request), body, hangUp, { onlyPlans: true });
  return invalidRequest(await allErrors(schema, request.body, error.errors, plan));
}

const isOfBody = (error: unknown): error is Problem =>
  error instanceof Problem &&
  error.code === 'INVALID_REQUEST' &&
  'validationContext' in error &&
  error.validationContext === 'body';
