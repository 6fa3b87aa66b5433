import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { type AcceptedView, acceptedView } from '@telecine/contract/wire/accepted.ts';
import { allErrors } from '@telecine/contract/wire/all-errors.ts';
import { conversionBody } from '@telecine/contract/wire/conversion.ts';
import { jobPath } from '@telecine/contract/wire/endpoints.ts';
import { bodyHash } from '@telecine/contract/wire/json.ts';
import type { Declared } from '@telecine/contract/wire/operations/operations.ts';
import { type WarningView, warningViews } from '@telecine/contract/wire/warning.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { filesInFolder, type NearFilesContext, withNearFiles } from '../../files/near-inputs.ts';
import type { JobOperations } from '../../jobs/job-operations.ts';
import type { DryRun } from '../../jobs/submit/dry-run.ts';
import type { IdempotencyKey } from '../../jobs/submit/insert-jobs.ts';
import type { Accepted } from '../../jobs/submit/submit.ts';
import { callerOf } from '../auth/authenticate.ts';
import type { HttpDeps } from '../deps.ts';
import { withAdmission } from '../limits/admission.ts';
import { hangUpSignal } from '../server/hang-up.ts';
import type { Handlers } from './handler.ts';

export const conversionHandlers = (deps: HttpDeps): Handlers<Pick<Declared, 'submitConversion'>> => ({
  submitConversion: {
    hooks: {
      errorHandler: async (error, request, reply) => {
        throw await withOptionErrors(deps.jobs, conversionBody, error, request, reply);
      },
    },
    handle: (request, reply) => submitConversion(deps, request, reply),
  },
});

declare module 'fastify' {
  interface FastifyRequest {
    /** The id of the job that this request has queued, for the access log. null: it has queued none. */
    acceptedJob: string | null;
  }
}

/** A dry run, with patches in its warnings. */
export type CheckedRun = Omit<DryRun, 'warnings'> & { readonly warnings: readonly WarningView[] };

/** Queues the conversion in the validated body. For a dry run, only returns the plan. */
export async function submitConversion(
  { jobs, files }: Pick<HttpDeps, 'jobs' | 'files'>,
  request: FastifyRequest<{ Body: ConversionRequest; Querystring: { readonly dryRun?: 'true' | 'false' } }>,
  reply: FastifyReply,
): Promise<AcceptedView | CheckedRun> {
  const caller = callerOf(request);
  const { body } = request;
  const { near, withFiles, checked } = fileNames(body, { caller, files });
  if (request.query.dryRun === 'true') return checked(jobs.dryRun(caller, body, hangUpSignal(reply)));
  const idempotency = idempotencyOf(request.headers['idempotency-key'], body);
  const submit = () => jobs.submit(caller, body, idempotency, { completeWarnings: near });
  return acceptedReply(reply, await withAdmission(request, submit).catch(withFiles));
}

/** Functions that add the names of files of a client to the replies about a request. */
export function fileNames(request: ConversionRequest, context: NearFilesContext) {
  const near = (warnings: readonly Warning[]) => withNearFiles(warnings, request, context);
  const withFiles = async (error: unknown): Promise<never> => {
    throw await filesInFolder(error, request, context);
  };
  const checked = async (dryRun: Promise<DryRun>): Promise<CheckedRun> => {
    const run = await dryRun.catch(withFiles);
    return checkedRun({ ...run, warnings: await near(run.warnings) }, request);
  };
  return { near, withFiles, checked };
}

/** `request`: the request that the patches change. Absent: there are no patches. */
export const checkedRun = (run: DryRun, request?: ConversionRequest): CheckedRun => ({
  ...run,
  warnings: warningViews(run.warnings, request),
});

/** Sets the status 202 and the field `Location` for a queued job, and returns the body of the reply. */
export function acceptedReply(reply: FastifyReply, job: Accepted): AcceptedView {
  reply.code(202).header('location', jobPath(job.jobId));
  reply.request.acceptedJob = job.jobId;
  return acceptedView(job);
}

/** Returns the idempotency key of a submission. Throws INVALID_REQUEST if the header field is malformed. */
export function idempotencyOf(header: string | string[] | undefined, body: unknown): IdempotencyKey | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header))
    return { key: header, bodyHash: bodyHash(body) };
  throw invalidRequest([
    {
      field: '',
      code: 'INVALID_IDEMPOTENCY_KEY',
      message: 'The header Idempotency-Key must be 1 to 255 visible ASCII characters.',
    },
  ]);
}

/** If the schema rejected a body, adds the errors that the planner finds in it. Returns other errors unchanged. */
export async function withOptionErrors(
  jobs: Pick<JobOperations, 'dryRun'>,
  schema: z.ZodType<ConversionRequest>,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  if (!isOfBody(error)) return error;
  const hangUp = hangUpSignal(reply);
  return withPlanErrors(schema, error, request, (body) =>
    jobs.dryRun(callerOf(request), body, hangUp, { onlyPlans: true }),
  );
}

/** The errors that the schema found in a body, with those of `plan`, which plans a body that the schema accepts. */
export const withPlanErrors = async (
  schema: z.ZodType<ConversionRequest>,
  { errors }: Problem,
  { body }: Pick<FastifyRequest, 'body'>,
  plan: (body: ConversionRequest) => Promise<unknown>,
): Promise<Problem> => invalidRequest(await allErrors(schema, body, errors, plan));

/** Whether the schema of the body found an error. */
export const isOfBody = (error: unknown): error is Problem =>
  error instanceof Problem &&
  error.code === 'INVALID_REQUEST' &&
  'validationContext' in error &&
  error.validationContext === 'body';
