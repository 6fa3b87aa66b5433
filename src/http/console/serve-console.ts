import { readdirSync } from 'node:fs';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** The pages of the console, as its own router knows them. Another path is a 404 of the API. */
export const PAGES = [
  '/',
  '/jobs',
  '/jobs/:jobId',
  '/files',
  '/operate',
  '/operate/queue',
  '/operate/workers',
  '/operate/clients',
  '/operate/webhooks',
  '/operate/webhooks/:webhookId',
  '/operate/usage',
  '/operate/audit',
  '/operate/health',
] as const;

/**
 * What the browser may load: only files of this service, and no script or style that is written into a page. Pictures and films also
 * from `origins`, because the policy applies to redirects too.
 */
const policyFor = (origins: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' blob:", ...origins].join(' '),
    ["media-src 'self' blob:", ...origins].join(' '),
    // Players of HLS read its segments by a script.
    ["connect-src 'self'", ...origins].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const YEAR = 'private, max-age=31536000, immutable';

/**
 * Serves the built console in `folder`. The names of its assets contain their hash, so browsers keep them; the page itself is
 * checked at each visit. Neither is part of the API, so the OpenAPI document omits them.
 * `fileOrigins`: where downloads may be redirected to.
 */
export function serveConsole(app: FastifyInstance, folder: string, fileOrigins: readonly string[]): void {
  const policy = policyFor(fileOrigins);
  app.register(async (scope) => {
    await scope.register(fastifyStatic, { root: folder, serve: false, preCompressed: true, cacheControl: false });
    const page = (reply: FastifyReply): FastifyReply =>
      reply
        .headers({
          'cache-control': 'private, no-cache',
          'content-security-policy': policy,
          // By it, the service recognizes the requests of its own pages where browsers send nothing better.
          'referrer-policy': 'same-origin',
        })
        .sendFile('index.html');
    for (const path of PAGES) scope.get(path, (_request, reply) => page(reply));
    for (const file of assetsIn(folder))
      scope.get(file, (_request, reply) => reply.header('cache-control', YEAR).sendFile(file));
    scope.get('/icon.svg', (_request, reply) =>
      reply.header('cache-control', 'private, max-age=3600').sendFile('icon.svg'),
    );
  });
}

/** The paths of the assets, listed once: a request can name no other file. */
const assetsIn = (folder: string): readonly string[] =>
  readdirSync(`${folder}/assets`)
    .filter((name) => !name.endsWith('.br'))
    .map((name) => `/assets/${name}`);
