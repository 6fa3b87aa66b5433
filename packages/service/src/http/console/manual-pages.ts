import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { errnoOf } from '@telecine/contract/domain/errno.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The Content-Security-Policy of the manual. Unlike the console, it has icons inside its style sheet (`data:`). */
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

/** Sends a file of one folder. `path`: the path in this folder, with a leading slash. */
export type SendFile = (request: FastifyRequest, reply: FastifyReply, path: string) => Promise<FastifyReply>;

/**
 * Creates the function that sends the pages of the manual, which `npm run docs:build` writes to `folder`. If the manual
 * is not built, it redirects browsers to the API reference. (The OpenAPI document does not list the manual, which is
 * not part of the API.) `path` of the result: the part after `/manual/`.
 */
export function manualPages(folder: string, sendFile: SendFile, unknownPath: () => Error): SendFile {
  // Only these files are ever sent, whatever path a request names.
  const names = filesIn(folder);
  return async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    if (names.size === 0) return reply.redirect('/docs');
    const name = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    if (!names.has(name)) throw unknownPath();
    // The name of an asset contains a hash, so its content never changes. Browsers ask for pages again at each visit.
    const isAsset = name.startsWith('assets/');
    reply.headers({
      'cache-control': isAsset ? 'private, max-age=31536000, immutable' : 'private, no-cache',
      'content-security-policy': POLICY,
    });
    return sendFile(request, reply, `/${name}`);
  };
}

/** Returns the paths of all files in a folder. Returns an empty set if the folder does not exist. */
function filesIn(folder: string): ReadonlySet<string> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return new Set(entries.map(({ parentPath, name }) => relative(folder, join(parentPath, name))));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return new Set();
    throw error;
  }
}
