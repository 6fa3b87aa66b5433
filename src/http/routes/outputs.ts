import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Caller } from '../../domain/client.ts';
import { Problem } from '../../domain/problem.ts';
import {
  type LinksQuery,
  linkOf,
  linksQuery,
  type OutputLinksView,
  type OutputQuery,
  outputQuery,
} from '../../wire/files.ts';
import { outputSubject, outputUrl } from '../../wire/output-url.ts';
import { authenticate, callerOf } from '../caller.ts';
import type { HttpDeps } from '../deps.ts';
import { type JobRoute, jobIdOf } from '../job-route.ts';
import { sendFile } from '../send-file.ts';
import { step } from '../sync-or-async.ts';

interface OutputRoute extends JobRoute {
  Querystring: OutputQuery;
}

/** What jobs made, for their clients and for whoever was given a signed link. */
export function addOutputs(app: FastifyInstance, deps: HttpDeps): void {
  const { files, tokens, links, linkSeconds, publicUrl = '' } = deps;
  const byToken = authenticate(tokens, 'files:read');

  /** A link stands in for a token, and is looked at alone. */
  const byLinkOrToken: onRequestHookHandler = function (request, reply, done) {
    const { query, params } = request as FastifyRequest<OutputRoute>;
    const link = linkOf(query);
    if (link === undefined) {
      byToken.call(this, request, reply, done);
      return;
    }
    const enter = (caller: Caller): void => {
      request.caller = caller;
    };
    step(done, () => links.verify(outputSubject(jobIdOf({ params }), query.path ?? ''), link), enter);
  };

  app.route<OutputRoute>({
    method: ['GET', 'HEAD'],
    url: '/api/conversion/:jobId/output',
    schema: { querystring: outputQuery },
    onRequest: byLinkOrToken,
    handler: async (request, reply) => {
      const { query } = request;
      const file = await files.output(callerOf(request), jobIdOf(request), query.path).catch((error: unknown) => {
        throw linkOf(query) !== undefined && isGone(error) ? jobGone() : error;
      });
      return sendFile(request, reply, file);
    },
  });

  app.get<JobRoute & { Querystring: LinksQuery }>(
    '/api/conversion/:jobId/links',
    { onRequest: byToken, schema: { querystring: linksQuery } },
    async (request): Promise<OutputLinksView> => {
      const caller = callerOf(request);
      const jobId = jobIdOf(request);
      const { path: asked, seconds = linkSeconds } = request.query;
      const paths = (await files.outputs(caller, jobId, asked)).map(({ path }) => path);
      const subjects = paths.map((path) => outputSubject(jobId, path));
      const signed = await links.sign(caller, subjects, Math.min(seconds, linkSeconds));
      return {
        expiresAt: new Date(Number(signed[0]?.expires) * 1000).toISOString(),
        links: signed.map((link, i) => {
          const path = paths[i] ?? '';
          return { path, url: outputUrl(publicUrl, jobId, path, link) };
        }),
      };
    },
  );
}

const isGone = (error: unknown): boolean => error instanceof Problem && error.code === 'JOB_NOT_FOUND';

const jobGone = (): Problem => new Problem('OUTPUT_GONE', 'The job of this link was deleted, and the link with it.');
