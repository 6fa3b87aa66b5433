import type { FileEntryView } from '@telecine/contract/wire/files.ts';
import type { FILE_OPERATIONS } from '@telecine/contract/wire/operations/files.ts';
import { readNameCursor, writeCursor } from '@telecine/contract/wire/paging.ts';
import type { FastifyInstance } from 'fastify';
import type { FileEntry } from '../../files/ports.ts';
import type { ReadStep } from '../../jobs/job-reads.ts';
import { callerOf } from '../auth/authenticate.ts';
import type { HttpDeps } from '../deps.ts';
import { hangUpSignal } from '../server/hang-up.ts';
import { etagOf, fileBody, readPrecondition, sendFile, sendStored } from '../transfer/file-transfer.ts';
import { readPreview, sendPreview } from '../transfer/send-preview.ts';
import { drainBody, type PacedUploads } from '../transfer/upload-body.ts';
import type { Handlers } from './handler.ts';

/** Lets the routes of `scope` read bodies of any type as streams. */
export function acceptRawBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
  scope.addHook('onRequest', async (request) => {
    // Delete the content type: the file name decides the type, and Fastify would reject a malformed field.
    delete request.raw.headers['content-type'];
  });
  scope.addHook('onResponse', async (request) => drainBody(request));
}

export const fileHandlers = (
  { files, previews }: HttpDeps,
  pacedUploads: PacedUploads,
  step: ReadStep,
): Handlers<typeof FILE_OPERATIONS> => ({
  listFiles: async (request, reply) => {
    const { cursor, ...query } = request.query;
    const caller = callerOf(request);
    const after = cursor === undefined ? {} : { after: readNameCursor(cursor) };
    // Read each page in a step of its own, because each page reads the whole folder.
    const list = () => files.list(caller, { ...query, ...after });
    const page = await step(caller.clientId, hangUpSignal(reply), list);
    return {
      files: page.entries.map(entryView),
      nextCursor: page.nextAfter === undefined ? undefined : writeCursor(page.nextAfter),
    };
  },

  downloadFile: async (request, reply) => {
    const caller = callerOf(request);
    const path = request.params['*'];
    const preview = readPreview(request.query);
    if (preview === undefined) return sendFile(request, reply, await files.open(caller, path));
    const { spec, comparedWith } = preview;
    const signal = hangUpSignal(reply);
    const target = await previews.find(caller, { path }, spec, { signal, comparedWith });
    return sendPreview(request, reply, target, signal);
  },

  uploadFile: async (request, reply) => {
    const { file, created } = await files.upload(callerOf(request), request.params['*'], {
      precondition: readPrecondition(request.headers),
      ...fileBody(request, reply, pacedUploads),
    });
    request.auditFacts = { target: file.path, details: { replaced: !created } };
    return sendStored(reply, file, created);
  },

  deleteFile: async (request, reply) => {
    await files.remove(callerOf(request), request.params['*'], readPrecondition(request.headers));
    return reply.code(204).send();
  },

  moveFile: async (request) => {
    const { from, to, replace } = request.body;
    request.auditFacts = { target: from, details: { to, replace } };
    return entryView(await files.move(callerOf(request), request.body));
  },

  createFolder: async (request, reply) => {
    const { path } = request.body;
    request.auditFacts = { target: path };
    const folder = await files.createFolder(callerOf(request), path);
    reply.code(201);
    return entryView(folder);
  },
});

function entryView(entry: FileEntry): FileEntryView {
  if (entry.kind === 'folder') return { type: 'folder', path: entry.path };
  const { path, sizeBytes, modifiedAt } = entry;
  return { type: 'file', path, sizeBytes, modifiedAt: modifiedAt.toISOString(), etag: etagOf(entry) };
}
