import type { FastifyInstance } from 'fastify';
import { ENDPOINTS } from '../../wire/endpoints.ts';
import { TUS_VERSION } from '../../wire/tus.ts';

const isTus = (url: string | undefined): boolean => url?.startsWith(ENDPOINTS.createUpload.path) === true;

/** Adds `Tus-Resumable` to every reply about uploads, also to one of 401 or 429, as the protocol demands. */
export function markTusReplies(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (request, reply) => {
    if (isTus(request.routeOptions.url)) reply.header('tus-resumable', TUS_VERSION);
  });
}
