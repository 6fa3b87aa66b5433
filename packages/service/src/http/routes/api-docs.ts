import { rememberSuccess } from '@telecine/contract/domain/remember.ts';
import type { Declared } from '@telecine/contract/wire/operations/operations.ts';
import type { FastifyInstance } from 'fastify';
import type { HttpDeps } from '../deps.ts';
import { makeDocsPage, makeDocument } from '../openapi/reference-thread.ts';
import { sendShared, sharedDocument } from '../transfer/reply-pieces.ts';
import type { Handlers } from './handler.ts';

/** Browsers must ask at each visit whether they have the current document. */
const CHECKED = 'private, no-cache';

/**
 * Serves the OpenAPI document and the page that shows it. Both are created at the first request, because they take
 * memory and time.
 */
export const docsHandlers = (deps: HttpDeps): Handlers<Pick<Declared, 'getDocs' | 'getOpenApi'>> => {
  const { health, publicUrl, oauth } = deps;
  const openApi = rememberSuccess(async () => {
    const about = { version: health.version, external: oauth !== undefined };
    return sharedDocument(await makeDocument({ ...about, ...(publicUrl !== undefined && { publicUrl }) }));
  });
  return {
    getOpenApi: async (request, reply) => {
      const document = await openApi();
      reply.type('application/json; charset=utf-8').header('cache-control', CHECKED);
      return sendShared(request, reply, document);
    },

    getDocs: async (request, reply) => {
      const { html, policy } = await docsPage();
      reply.type('text/html; charset=utf-8').headers({ 'content-security-policy': policy, 'cache-control': CHECKED });
      return sendShared(request, reply, html);
    },
  };
};

/** Adds the route for the script of the page, which is not an operation of the API. */
export function addDocsScript(app: FastifyInstance): void {
  app.get('/docs/scalar.js', async (request, reply) => {
    const { script } = await docsPage();
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'private, max-age=3600');
    return sendShared(request, reply, script);
  });
}

const docsPage = rememberSuccess(async () => {
  const { html, script, policy } = await makeDocsPage();
  return {
    html: sharedDocument(html),
    script: sharedDocument(Buffer.from(script.buffer, script.byteOffset, script.byteLength)),
    policy,
  };
});
