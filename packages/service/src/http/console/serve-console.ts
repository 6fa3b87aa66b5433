import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type SharedDocument, sendShared, sharedDocument } from '../transfer/reply-pieces.ts';
import type { SendFile } from './manual-pages.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Sends the page of the console. null: the service has no console. */
    sendConsole: ((request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) | null;
  }
}

/** The paths of the console. Any other path belongs to the API, or does not exist. */
export const PAGES = [
  '/',
  '/jobs',
  '/jobs/:jobId',
  '/files',
  '/watches',
  '/watches/new',
  '/watches/:watchId',
  '/watches/:watchId/edit',
  '/recipes',
  '/recipes/:recipeName',
  '/operate',
  '/operate/queue',
  '/operate/workers',
  '/operate/clients',
  '/operate/webhooks',
  '/operate/webhooks/:webhookId',
  '/operate/usage',
  '/operate/shares',
  '/operate/audit',
  '/operate/health',
] as const;

/**
 * Creates the Content-Security-Policy of the console. It allows only files of this service, no inline scripts and
 * styles, and images and videos also from `origins`, where downloads may be redirected.
 */
const policyFor = (origins: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' blob:", ...origins].join(' '),
    "font-src 'self'",
    ["media-src 'self' blob:", ...origins].join(' '),
    // HLS players load segments by scripts, so allow `origins` here too.
    ["connect-src 'self'", ...origins].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The cache time of a file whose name contains a hash, so that its content never changes. */
const YEAR = 'private, max-age=31536000, immutable';

/**
 * Serves the built console in `folder`, and the manual in the folder next to it. Browsers cache assets, whose names
 * contain a hash, and ask for the page again at each visit.
 *
 * @param fileOrigins The origins to which downloads may be redirected.
 * @param unknownPath Creates the error for an unknown asset.
 */
export function serveConsole(
  app: FastifyInstance,
  folder: string,
  fileOrigins: readonly string[],
  unknownPath: () => Error,
): void {
  const policy = policyFor(fileOrigins);
  const sendFile = builtFiles(folder);
  const sendPage = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.headers({
      'cache-control': 'private, no-cache',
      'content-security-policy': policy,
      // Let the browser send the referrer, which `checkSameOrigin` needs over plain HTTP.
      'referrer-policy': 'same-origin',
    });
    return sendFile(request, reply, '/index.html');
  };
  for (const path of PAGES) app.get(path, sendPage);
  app.sendConsole = sendPage;
  const assets = assetsIn(folder);
  app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const { name } = request.params;
    if (!assets.has(name)) throw unknownPath();
    return sendFile(request, reply.header('cache-control', YEAR), `/assets/${name}`);
  });
  serveManual(app, join(folder, '../manual'), unknownPath);
  app.get('/icon.svg', (request, reply) =>
    sendFile(request, reply.header('cache-control', 'private, max-age=3600'), '/icon.svg'),
  );
}

/** Lists the names of all assets. The console sends only these files. */
const assetsIn = (folder: string): ReadonlySet<string> =>
  new Set(readdirSync(`${folder}/assets`).filter((name) => !name.endsWith('.br')));

function serveManual(app: FastifyInstance, folder: string, unknownPath: () => Error): void {
  let sendPage: SendFile | undefined;
  app.get('/manual', (_request, reply) => reply.redirect('/manual/'));
  app.get<{ Params: { '*': string } }>('/manual/*', async (request, reply) => {
    // Import this module at the first request, so that the service starts faster.
    sendPage ??= (await import('./manual-pages.ts')).manualPages(folder, builtFiles(folder), unknownPath);
    return sendPage(request, reply, request.params['*']);
  });
}

/**
 * Keeps each file of a folder in memory after its first request. If it streamed files from the disk, each client that
 * reads slowly would need an open file and two buffers.
 */
function builtFiles(folder: string): SendFile {
  const files = new Map<string, Promise<SharedDocument>>();
  return async (request, reply, path) => {
    const { default: mime } = await import('mime');
    const file = files.get(path) ?? readDocument(folder + path);
    files.set(path, file);
    file.catch(() => files.delete(path));
    const type = mime.getType(path) ?? 'application/octet-stream';
    return sendShared(request, reply.type(type), await file);
  };
}

/** Reads a file and, if the build has created it, the compressed variant. */
async function readDocument(path: string): Promise<SharedDocument> {
  const [plain, compressed] = await Promise.all([readFile(path), readFile(`${path}.br`).catch(() => undefined)]);
  return sharedDocument(plain, compressed);
}
