import { defined } from '@telecine/contract/domain/defined.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { acceptedBatchView, batchSummaryView } from '@telecine/contract/wire/batch.ts';
import { batchPath } from '@telecine/contract/wire/endpoints.ts';
import { parseBatchId } from '@telecine/contract/wire/job-id.ts';
import type { BATCH_OPERATIONS } from '@telecine/contract/wire/operations/batches.ts';
import type { BodyOf } from '@telecine/contract/wire/operations/types.ts';
import { readCursor, writeCursor } from '@telecine/contract/wire/paging.ts';
import { warningViews } from '@telecine/contract/wire/warning.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireScope } from '../../auth/scopes.ts';
import { expandEach } from '../../files/expand-each.ts';
import { withNearFilesOfBatch } from '../../files/near-inputs.ts';
import type { BatchToRead } from '../../jobs/batches.ts';
import { runAdmitted } from '../../jobs/submit/pending-quota.ts';
import type { BatchSubmission } from '../../jobs/submit/submit-batch.ts';
import { callerOf } from '../auth/authenticate.ts';
import type { HttpDeps } from '../deps.ts';
import { withAdmission } from '../limits/admission.ts';
import type { RequestBudget } from '../limits/request-limit.ts';
import { type CountRequest, checkBatchSize } from '../limits/submission-limit.ts';
import { hangUpSignal, readForReply } from '../server/hang-up.ts';
import { sendBatch } from '../transfer/reply-pieces.ts';
import { idempotencyOf } from './conversions.ts';
import type { Handlers } from './handler.ts';

type BatchBody = BodyOf<(typeof BATCH_OPERATIONS)['submitBatch']>;

/**
 * @param countSubmission Counts the requests of a batch except the first one, which was counted before the body was
 * read.
 */
export const batchHandlers = (
  { jobs, files }: HttpDeps,
  countSubmission: CountRequest,
  budget: Pick<RequestBudget, 'countReply'>,
): Handlers<typeof BATCH_OPERATIONS> => {
  const replyWith = (request: FastifyRequest, reply: FastifyReply, batch: BatchToRead) => {
    const caller = callerOf(request);
    const count = (bytes: number): void => budget.countReply(caller, bytes);
    return sendBatch(reply, batch, caller, { ...readForReply(request, reply), count });
  };
  return {
    submitBatch: async (request, reply) => {
      const caller = callerOf(request);
      const { body } = request;
      const hangUp = hangUpSignal(reply);
      const { requests: sent, ...more } = sentBatch(body);
      const isDryRun = request.query.dryRun === 'true';
      const idempotency = isDryRun ? undefined : idempotencyOf(request.headers['idempotency-key'], body);
      const hasEach = sent.some(({ each }) => each !== undefined);
      if (hasEach) requireScope(caller, 'files:read');
      // Look for an earlier batch with this idempotency key before listing the files of an "each": the files may have
      // changed since then.
      const repeated = hasEach && idempotency ? await jobs.repeatBatch(caller, idempotency) : undefined;
      if (repeated !== undefined) {
        reply.code(202).header('location', batchPath(repeated.batchId));
        return acceptedBatchView(repeated);
      }
      const requests = hasEach ? await expandEach(sent, { files, caller, signal: hangUp }) : sent;
      const submission: BatchSubmission = { ...more, requests };
      const size = requests.length;
      const others = size - 1;
      const bodies = submission.requests.map((one) => one.request);
      const near = <T extends { readonly warnings?: readonly Warning[] }>(
        warned: readonly T[],
      ): Promise<readonly T[]> => withNearFilesOfBatch(warned, bodies, { caller, files });
      checkBatchSize(size, caller.policy);
      const countOthers = async (): Promise<void> => {
        if (others > 0) await countSubmission(caller, reply, others);
      };
      if (isDryRun) {
        await countOthers();
        const run = await jobs.dryRunBatch(caller, submission, hangUp);
        const shown = await near(run.jobs);
        return { jobs: shown.map((job) => ({ ...job, warnings: warningViews(job.warnings) })) };
      }
      const submit = () => jobs.submitBatch(caller, submission, idempotency);
      const batch = await withAdmission(request, async () => {
        if (others === 0) return submit();
        return runAdmitted(await jobs.admit(caller, others, size), async () => {
          await countOthers();
          return submit();
        });
      });
      reply.code(202).header('location', batchPath(batch.batchId));
      return acceptedBatchView({ ...batch, jobs: await near(batch.jobs) });
    },

    listBatches: async (request) => {
      const { cursor, limit } = request.query;
      const page = await jobs.listBatches(callerOf(request), {
        limit,
        ...(cursor !== undefined && { cursor: readCursor(cursor) }),
      });
      return {
        batches: page.batches.map(batchSummaryView),
        nextCursor: page.nextCursor === undefined ? undefined : writeCursor(page.nextCursor),
      };
    },

    getBatch: async (request, reply) => {
      const batch = await jobs.getBatch(callerOf(request), parseBatchId(request.params.batchId));
      return replyWith(request, reply, batch);
    },

    cancelBatch: async (request, reply) => {
      const batch = await jobs.cancelBatch(callerOf(request), parseBatchId(request.params.batchId));
      reply.code(202);
      return replyWith(request, reply, batch);
    },
  };
};

const sentBatch = ({ requests, ...more }: BatchBody) => ({
  ...more,
  requests: requests.map(({ name, after, each, ...request }) => ({ request, ...defined({ each, name, after }) })),
});
