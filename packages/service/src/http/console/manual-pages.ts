import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';

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

/** Sends a file of a folder, by its path there. */
export type SendFile = (request: FastifyRequest, reply: FastifyReply, path: string) => Promise<FastifyReply>;

/**
 * Sends what `npm run docs:build` has written to `folder`. If nobody has built it, leads browsers to the reference of the API. The manual
 * is not part of the API, so the OpenAPI document omits it. `path` of the result: behind `/manual/`.
 */
export function manualPages(folder: string, sendFile: SendFile, unknownPath: () => Error): SendFile {
  // A request can name no other file.
  const names = filesIn(folder);
  return async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    if (names.size === 0) return reply.redirect('/docs');
    const name = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    if (!names.has(name)) throw unknownPath();
    // The names of assets contain their hash. Pages are checked at each visit.
    const isAsset = name.startsWith('assets/');
    reply.headers({
      'cache-control': isAsset ? 'private, max-age=31536000, immutable' : 'private, no-cache',
      'content-security-policy': POLICY,
    });
    return sendFile(request, reply, `/${name}`);
  };
}

/** The paths of the files of a folder. None, if it does not exist. */
function filesIn(folder: string): ReadonlySet<string> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return new Set(entries.map(({ parentPath, name }) => relative(folder, join(parentPath, name))));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    return new Set();
  }
}
