import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { shellWord } from '@telecine/contract/domain/shell-text.ts';
import { bodyHash } from '@telecine/contract/wire/json.ts';
import { requireScope } from '../../auth/scopes.ts';
import { expandEach } from '../../files/expand-each.ts';
import { withNearFilesOfBatch } from '../../files/near-inputs.ts';
import { runAdmitted } from '../../jobs/submit/pending-quota.ts';
import type { AcceptedBatch } from '../../jobs/submit/submit-batch.ts';
import { MAX_WARNINGS, UNTRUSTED_NOTE } from '../results/job-summary.ts';
import { modelWarnings } from '../results/model-hint.ts';
import type { ToolContext, ToolOutput } from '../tool.ts';
import { type HasTool, toolsOf } from '../tool-names.ts';

/** The maximum number of jobs that a result lists. */
const MAX_LISTED = 20;

interface EachCall {
  readonly each: string;
  readonly request: ConversionRequest;
  readonly dryRun: boolean;
  readonly idempotencyKey: string | undefined;
}

/** Plans a call for its first file only. Throws errors with fields of the call. */
export async function checkEach(
  { each, request: { after: _after, ...request } }: Pick<EachCall, 'each' | 'request'>,
  { deps, call, signal }: ToolContext,
): Promise<{ readonly warnings: readonly Warning[] }> {
  const { caller } = call;
  try {
    requireScope(caller, 'files:read');
    const requests = await expandEach([{ each, request }], { files: deps.files, caller, signal });
    const { jobs } = await deps.jobs.dryRunBatch(caller, { requests: requests.slice(0, 1) }, signal);
    return { warnings: distinctWarnings(jobs) };
  } catch (error) {
    throw withFieldsOfCall(error);
  }
}

/** Submits a batch with one job for each file that `each` matches. Throws errors with fields of the call. */
export async function convertEach(sent: EachCall, context: ToolContext): Promise<ToolOutput> {
  try {
    return await submitEach(sent, context);
  } catch (error) {
    throw withFieldsOfCall(error);
  }
}

async function submitEach(
  { each, request: { after, ...request }, dryRun, idempotencyKey }: EachCall,
  { deps, call, signal }: ToolContext,
): Promise<ToolOutput> {
  const { caller } = call;
  const { jobs, files } = deps;
  requireScope(caller, 'files:read');
  const hash = (): string => bodyHash({ ...request, each, ...(after && { after }) });
  const idempotency = idempotencyKey === undefined || dryRun ? undefined : { key: idempotencyKey, bodyHash: hash() };
  // First look for an earlier batch with this key: the files in the folder may have changed since then.
  const repeated = idempotency && (await jobs.repeatBatch(caller, idempotency));
  if (repeated !== undefined) return accepted(repeated, [], toolsOf(caller));
  const requests = await expandEach([{ each, request, ...(after && { after }) }], { files, caller, signal });
  await call.countSubmission(requests.length);
  const warningsOf = async (warned: readonly { readonly warnings?: readonly Warning[] }[]) =>
    distinctWarnings(
      await withNearFilesOfBatch(
        warned,
        requests.map((one) => one.request),
        { caller, files },
      ),
    );
  if (dryRun) {
    const run = await jobs.dryRunBatch(caller, { requests }, signal);
    const warnings = await warningsOf(run.jobs);
    const lines = run.jobs.map(({ plan: { inputs, outputs } }) => {
      const paths = (all: readonly { readonly path: string }[]): string =>
        all.map(({ path }) => shellWord(path)).join(' ');
      return `${paths(inputs)} -> ${paths(outputs)}`;
    });
    return {
      structured: {
        message: `Nothing was queued. It would be ${lines.length === 1 ? '1 job' : `${lines.length} jobs`}.`,
        next:
          warnings.length === 0 ? 'Call again without dryRun.' : 'Fix what the warnings report unless it is intended.',
        ...listed(lines),
        warnings: modelWarnings(warnings, toolsOf(caller)),
        note: UNTRUSTED_NOTE,
      },
    };
  }
  const batch = await runAdmitted(await jobs.admit(caller, requests.length), () =>
    jobs.submitBatch(caller, { requests }, idempotency),
  );
  return accepted(batch, await warningsOf(batch.jobs), toolsOf(caller));
}

const listed = (lines: readonly string[]): object => ({
  jobs: lines.slice(0, MAX_LISTED),
  ...(lines.length > MAX_LISTED && { leftOut: lines.length - MAX_LISTED }),
});

function accepted({ batchId, jobs }: AcceptedBatch, warnings: readonly Warning[], has: HasTool): ToolOutput {
  const wait = has('wait_for_job') ? `Call wait_for_job with {"batchId": ${JSON.stringify(batchId)}}.` : '';
  const read = warnings.length === 0 ? '' : 'Read "warnings". ';
  return {
    structured: {
      batchId,
      message: `${jobs.length === 1 ? '1 job is' : `${jobs.length} jobs are`} queued for processing.`,
      next: `${read}${wait}`,
      ...listed(jobs.map(({ jobId }) => jobId)),
      ...(warnings.length > 0 && { warnings: modelWarnings(warnings, has), note: UNTRUSTED_NOTE }),
    },
    shown: { jobIds: jobs.map(({ jobId }) => jobId), warnings },
  };
}

/** Converts a field of a REST batch to an argument of the call. */
const fieldOfCall = (field: string): string => (field === '/requests' ? '/each' : field.replace(/^\/requests\/0/, ''));

/** The first distinct warnings of all jobs. */
function distinctWarnings(jobs: readonly { readonly warnings?: readonly Warning[] }[]): readonly Warning[] {
  const found = new Map<string, Warning>();
  for (const { warnings = [] } of jobs)
    for (const { field, ...warning } of warnings) {
      const placed = field === undefined ? warning : { field: fieldOfCall(field), ...warning };
      found.set(JSON.stringify(placed), placed);
    }
  return [...found.values()].slice(0, MAX_WARNINGS);
}

function withFieldsOfCall(error: unknown): unknown {
  if (!(error instanceof Problem) || error.errors.length === 0) return error;
  const errors = error.errors.map((one) => ({ ...one, field: fieldOfCall(one.field) }));
  return new Problem(error.code, error.message, { errors, cause: error });
}
