import type { FastifyInstance } from 'fastify';
import type { ProbeRequest } from '../../domain/media-info.ts';
import { mediaInfoView, probeBody } from '../../wire/probe.ts';
import { noQuery } from '../../wire/queries.ts';
import { authenticate, callerOf } from '../caller.ts';
import type { HttpDeps } from '../deps.ts';
import { hangUpSignal } from '../hang-up.ts';

/** Reading a file's head is reading it: that needs `files:read` beside the scope of all that is only looked at. */
export function addProbe(app: FastifyInstance, { probes, tokens }: HttpDeps): void {
  app.post<{ Body: ProbeRequest }>(
    '/api/probe',
    {
      schema: { body: probeBody, querystring: noQuery },
      onRequest: authenticate(tokens, 'jobs:read', 'files:read'),
    },
    async (request, reply) => mediaInfoView(await probes.probe(callerOf(request), request.body, hangUpSignal(reply))),
  );
}
