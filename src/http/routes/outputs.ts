import { invalidRequest, Problem } from '../../domain/problem.ts';
import { outputSubject, outputUrl } from '../../wire/endpoints.ts';
import { linkOf } from '../../wire/files.ts';
import { parseJobId } from '../../wire/job-id.ts';
import type { OUTPUT_OPERATIONS } from '../../wire/operations/outputs.ts';
import { callerOf } from '../auth/authenticate.ts';
import type { HttpDeps } from '../deps.ts';
import { sendFile } from '../transfer/send-file.ts';
import type { Handlers } from './handler.ts';

export const outputHandlers = (deps: HttpDeps): Handlers<typeof OUTPUT_OPERATIONS> => {
  const { files, links, linkSeconds, publicUrl = '' } = deps;
  return {
    downloadOutput: async (request, reply) => {
      const { query, params } = request;
      const file = await files
        .openOutput(callerOf(request), parseJobId(params.jobId), query.path)
        .catch((error: unknown) => {
          // The link was valid, so its job existed: it was deleted since.
          throw linkOf(query) !== undefined && isJobNotFound(error) ? jobDeleted() : error;
        });
      return sendFile(request, reply, file);
    },

    getOutputLinks: async (request) => {
      const caller = callerOf(request);
      const jobId = parseJobId(request.params.jobId);
      const { path: onlyPath, seconds = linkSeconds } = request.query;
      if (seconds > linkSeconds) throw tooLong(seconds, linkSeconds);
      const paths = (await files.listOutputs(caller, jobId, onlyPath)).map(({ path }) => path);
      const subjects = paths.map((path) => outputSubject(jobId, path));
      const signed = await links.sign(caller, subjects, seconds);
      return {
        expiresAt: new Date(Number(signed[0]?.expires) * 1000).toISOString(),
        links: signed.map((link, i) => {
          const path = paths[i] ?? '';
          return { path, url: outputUrl(publicUrl, jobId, path, link) };
        }),
      };
    },
  };
};

const tooLong = (seconds: number, longest: number): Problem =>
  invalidRequest([
    {
      field: '/seconds',
      code: 'OUT_OF_RANGE',
      message: `"seconds" must be from 1 to ${longest}; it is ${seconds}.`,
      fix: `Send at most ${longest}, or leave it out.`,
    },
  ]);

const isJobNotFound = (error: unknown): boolean => error instanceof Problem && error.code === 'JOB_NOT_FOUND';

const jobDeleted = (): Problem => new Problem('OUTPUT_GONE', 'The job of this link was deleted.');
