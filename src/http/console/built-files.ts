import { readFile } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type SharedDocument, sendShared, sharedDocument } from '../transfer/reply-pieces.ts';

/** How long browsers keep a file whose name contains its hash. */
export const YEAR = 'private, max-age=31536000, immutable';

/** Sends a file of a folder. `path`: begins with a slash. */
export type SendFile = (request: FastifyRequest, reply: FastifyReply, path: string) => Promise<FastifyReply>;

/**
 * Keeps the files of a folder in memory from their first request on. Streams from the disk would take an open file and
 * two buffers for each client that reads slowly.
 */
export function builtFiles(folder: string): SendFile {
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

/** A file, and the variant beside it that the build has compressed. */
async function readDocument(path: string): Promise<SharedDocument> {
  const [plain, compressed] = await Promise.all([readFile(path), readFile(`${path}.br`).catch(() => undefined)]);
  return sharedDocument(plain, compressed);
}
