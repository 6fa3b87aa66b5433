import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ProbeRequest } from '../../domain/media-info.ts';
import { Problem } from '../../domain/problem.ts';
import { mediaInfoView, probeBody } from '../../wire/probe.ts';
import { noQuery } from '../../wire/queries.ts';
import { authenticate, callerOf } from '../caller.ts';
import type { HttpDeps } from '../deps.ts';

/** Reading a file's head is reading it: that needs `files:read` beside the scope of all that is only looked at. */
export function addProbe(app: FastifyInstance, { probes, tokens }: HttpDeps): void {
  app.post<{ Body: ProbeRequest }>(
    '/api/probe',
    {
      schema: { body: probeBody, querystring: noQuery },
      onRequest: authenticate(tokens, 'jobs:read', 'files:read'),
    },
    async (request, reply) => mediaInfoView(await probes.probe(callerOf(request), request.body, hungUp(reply))),
  );
}

/** Aborted when the client is gone before it was answered. */
function hungUp(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const gone = (): void => {
    if (!reply.raw.writableFinished) controller.abort(new Problem('BAD_REQUEST', 'The client has hung up.'));
  };
  if (reply.raw.closed) gone();
  else reply.raw.once('close', gone);
  return controller.signal;
}
