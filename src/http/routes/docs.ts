import type { FastifyInstance } from 'fastify';
import type { Declared } from '../../wire/operations/operations.ts';
import type { HttpDeps } from '../deps.ts';
import { loadDocsPage } from './docs-page.ts';
import type { Handlers } from './handler.ts';

/** Serves the OpenAPI document and its page. They take memory and start-up time, so the first request creates them. */
export const docsHandlers = (deps: HttpDeps): Handlers<Pick<Declared, 'getDocs' | 'getOpenApi'>> => {
  const { health, publicUrl, oauth } = deps;
  const openApiJson = memoizeAsync(async () => {
    const { openApiDocument } = await import('../openapi/document.ts');
    return JSON.stringify(
      openApiDocument({
        version: health.version,
        external: oauth !== undefined,
        ...(publicUrl !== undefined && { publicUrl }),
      }),
    );
  });
  return {
    getOpenApi: async (_request, reply) => reply.type('application/json; charset=utf-8').send(await openApiJson()),

    getDocs: async (_request, reply) => {
      const { html, policy } = await docsPage();
      return reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(html);
    },
  };
};

/** Adds the route for the script of the docs page. It is not part of the API, so the OpenAPI document omits it. */
export function addDocsScript(app: FastifyInstance): void {
  app.get('/docs/scalar.js', async (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'private, max-age=3600')
      .send((await docsPage()).script),
  );
}

const docsPage = memoizeAsync(loadDocsPage);

/**
 * Returns a function that creates a value at its first call and keeps it. After a failure, the next call tries again.
 */
function memoizeAsync<T>(create: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined;
  return () => {
    pending ??= create().catch((error: unknown) => {
      pending = undefined;
      throw error;
    });
    return pending;
  };
}
