import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { builtFiles, YEAR } from './built-files.ts';

/** As for the console, but for the icons of the manual, which are written into its style sheet. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Serves the pages that `npm run docs:build` writes to `folder`. If nobody has built them, leads browsers to the reference of the API.
 * The manual is not part of the API, so the OpenAPI document omits it.
 */
export function serveManual(app: FastifyInstance, folder: string, unknownPath: () => Error): void {
  const sendFile = builtFiles(folder);
  let names: ReadonlySet<string> | undefined;
  app.get<{ Params: { '*': string } }>('/manual/*', async (request, reply) => {
    const path = request.params['*'];
    // Listed at the first request: a request can name no other file.
    names ??= filesIn(folder);
    if (names.size === 0) return reply.redirect('/docs');
    const name = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    if (!names.has(name)) throw unknownPath();
    reply.headers({
      'cache-control': name.startsWith('assets/') ? YEAR : 'private, no-cache',
      'content-security-policy': POLICY,
    });
    return sendFile(request, reply, `/${name}`);
  });
}

/** The paths of the files of a folder. None, if it does not exist. */
function filesIn(folder: string): ReadonlySet<string> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return new Set(entries.map(({ parentPath, name }) => relative(folder, join(parentPath, name))));
  } catch {
    return new Set();
  }
}
