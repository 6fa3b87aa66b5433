import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ENDPOINTS } from '../../wire/endpoints.ts';
import { TUS_VERSION } from '../../wire/tus.ts';

const METHODS: ReadonlySet<string> = new Set(['DELETE', 'HEAD', 'PATCH']);

/**
 * Treats a POST to an upload as a request of the method in `X-HTTP-Method-Override`, as tus 1.0 demands: some networks and
 * clients allow no PATCH or DELETE. Call it before routing.
 */
export function overrideMethod(request: IncomingMessage): void {
  const method = request.headers['x-http-method-override'];
  if (request.method !== 'POST' || typeof method !== 'string' || !METHODS.has(method)) return;
  if (request.url?.startsWith(`${ENDPOINTS.createUpload.path}/`)) request.method = method;
}

const isTus = (url: string | undefined): boolean => url?.startsWith(ENDPOINTS.createUpload.path) === true;

/** Adds `Tus-Resumable` to every reply about uploads, also to one of 401 or 429, as the protocol demands. */
export function markTusReplies(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (request, reply) => {
    if (isTus(request.routeOptions.url)) reply.header('tus-resumable', TUS_VERSION);
  });
}
