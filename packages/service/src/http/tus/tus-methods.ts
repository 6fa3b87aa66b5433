import type { IncomingMessage } from 'node:http';
import { ENDPOINTS } from '@telecine/contract/wire/endpoints.ts';
import { TUS_VERSION } from '@telecine/contract/wire/tus.ts';
import type { FastifyInstance } from 'fastify';

const METHODS: ReadonlySet<string> = new Set(['DELETE', 'HEAD', 'PATCH']);

/**
 * Changes the method of a POST to an upload that has the field `X-HTTP-Method-Override`, as tus 1.0 requires. Call this
 * before routing.
 */
export function overrideMethod(request: IncomingMessage): void {
  const method = request.headers['x-http-method-override'];
  if (request.method !== 'POST' || typeof method !== 'string' || !METHODS.has(method)) return;
  if (request.url?.startsWith(`${ENDPOINTS.createUpload.path}/`)) request.method = method;
}

const isTus = (url: string | undefined): boolean => url?.startsWith(ENDPOINTS.createUpload.path) === true;

/** Adds `Tus-Resumable` to every reply about uploads, also to 401 and 429, as tus 1.0 requires. */
export function markTusReplies(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (request, reply) => {
    if (isTus(request.routeOptions.url)) reply.header('tus-resumable', TUS_VERSION);
  });
}
