import { isManifest } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { expiryOf } from '@telecine/contract/domain/signed-link.ts';
import { parseBatchId, parseJobId } from '@telecine/contract/wire/job-id.ts';
import { linkedOutputUrl, linkLifetime, outputsSubject } from '@telecine/contract/wire/links.ts';
import type { OUTPUT_OPERATIONS } from '@telecine/contract/wire/operations/outputs.ts';
import { nextOffset, readOffset } from '@telecine/contract/wire/paging.ts';
import { callerOf } from '../auth/authenticate.ts';
import type { HttpDeps } from '../deps.ts';
import { hangUpSignal } from '../server/hang-up.ts';
import { sendFile } from '../transfer/file-transfer.ts';
import { readPreview, sendPreview } from '../transfer/send-preview.ts';
import type { SendZip } from '../transfer/send-zip.ts';
import type { Handlers } from './handler.ts';

export const outputHandlers = (deps: HttpDeps, sendZip: SendZip): Handlers<typeof OUTPUT_OPERATIONS> => {
  const { files, jobs, previews, links, linkSeconds, publicUrl = '' } = deps;
  return {
    downloadOutput: async (request, reply) => {
      const caller = callerOf(request);
      const jobId = parseJobId(request.params.jobId);
      const { path, ...query } = request.query;
      const preview = readPreview(query);
      if (preview === undefined) {
        const outputs = await files.outputs(caller, jobId);
        return sendFile(request, reply, await outputs.open(path));
      }
      const { spec, comparedWith } = preview;
      const subject = { jobId, ...(path !== undefined && { output: path }) };
      const signal = hangUpSignal(reply);
      const target = await previews.find(caller, subject, spec, { signal, comparedWith });
      return sendPreview(request, reply, target, signal);
    },

    downloadOutputs: async (request, reply) => {
      const caller = callerOf(request);
      const outputs = await files.outputs(caller, parseJobId(request.params.jobId));
      return sendZip(request, reply, { read: outputs.all });
    },

    downloadBatchOutputs: async (request, reply) => {
      const batch = await jobs.getBatch(callerOf(request), parseBatchId(request.params.batchId));
      return sendZip(request, reply, { read: () => files.batchOutputs(batch.jobs()) });
    },

    downloadLinkedOutput: async (request, reply) => {
      const caller = callerOf(request);
      const linkPath = request.params['*'];
      const jobId = parseJobId(request.params.jobId);
      // Pages of other sites may embed the file, because a link needs no cookie.
      reply.header('cross-origin-resource-policy', 'cross-origin');
      const rethrow = (error: unknown): never => {
        // When the link was signed, its client could read the job. So the job was deleted since then.
        throw isJobNotFound(error) ? jobGone() : error;
      };
      const preview = readPreview(request.query);
      if (preview !== undefined) {
        const signal = hangUpSignal(reply);
        const target = await previews.find(caller, { jobId, linkPath }, preview.spec, { signal }).catch(rethrow);
        return sendPreview(request, reply, target, signal);
      }
      const outputs = await files.outputs(caller, jobId).catch(rethrow);
      const file = await outputs.openLinked(linkPath);
      // Do not redirect to a manifest: a player resolves the names in a manifest relative to the URL of the manifest.
      return sendFile(request, reply, file, { mayRedirect: !isManifest(file.path) });
    },

    getOutputLinks: async (request) => {
      const caller = callerOf(request);
      const jobId = parseJobId(request.params.jobId);
      const { path, seconds, limit, cursor } = request.query;
      const first = readOffset(cursor);
      const lifetime = linkLifetime(seconds, linkSeconds);
      const { outputs, count } =
        path === undefined
          ? await jobs.outputs(caller, jobId, { first, limit })
          : { outputs: [await (await files.outputs(caller, jobId)).find(path)], count: 1 };
      const link = await links.sign(caller, outputsSubject(jobId), lifetime);
      const expiresAt = expiryOf(link).toISOString();
      request.auditFacts = { details: { expiresAt } };
      return {
        expiresAt,
        links: outputs.map((output) => ({
          path: output.path,
          url: linkedOutputUrl(publicUrl, jobId, output.path, link),
        })),
        nextCursor: nextOffset(first + limit, count),
      };
    },
  };
};

const isJobNotFound = (error: unknown): boolean => error instanceof Problem && error.code === 'JOB_NOT_FOUND';

const jobGone = (): Problem =>
  new Problem(
    'OUTPUT_GONE',
    'The job of this link was deleted, or the client that signed the link may no longer read it.',
  );
