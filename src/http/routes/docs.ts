import type { FastifyInstance } from 'fastify';
import type { HttpDeps } from '../deps.ts';
import { loadDocsPage } from '../docs-page.ts';
import { once } from '../memoize-async.ts';

/** The contract, for programs and for people. Both are made when first asked for: they cost memory and start-up. */
export function addDocs(app: FastifyInstance, { health, publicUrl, oauth }: HttpDeps): void {
  const contract = once(async () => {
    const { openApiDocument } = await import('../openapi/document.ts');
    return JSON.stringify(
      openApiDocument({
        version: health.version,
        external: oauth !== undefined,
        ...(publicUrl === undefined ? {} : { publicUrl }),
      }),
    );
  });
  const page = once(loadDocsPage);

  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(await contract()),
  );

  app.get('/docs', async (_request, reply) => {
    const { html, policy } = await page();
    return reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(html);
  });

  app.get('/docs/scalar.js', async (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'private, max-age=3600')
      .send((await page()).script),
  );
}
